package portable

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/fused"
)

var update = flag.Bool("update", false, "rewrite the expected files of testdata")

// here returns the folder of this module.
func here(t *testing.T) Lastbit {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return Lastbit{Dir: dir}
}

// write writes the files of an archive to a folder, except expected ones.
func write(t *testing.T, a *txtar.Archive) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRewrite rewrites the module of testdata and compares its files, and the
// places that are left, with the expected ones.
func TestRewrite(t *testing.T) {
	require.Program(t, "go")
	const path = "testdata/module.txtar"
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, a)
	r := rewritten(t, Options{Dir: dir, Patterns: []string{"./..."}, Lastbit: here(t),
		Targets: []fused.Target{{Arch: "arm64"}}})
	got := map[string]string{"report.want": describe(dir, r)}
	for name, text := range r.Files {
		if filepath.Ext(name) == ".go" {
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				t.Fatal(err)
			}
			got[filepath.ToSlash(rel)+".want"] = string(text)
		}
	}
	compare(t, path, a, got)
}

// rewritten rewrites a module, writes it, and checks that a second run changes
// nothing and leaves the same places.
func rewritten(t *testing.T, o Options) *Result {
	t.Helper()
	r, err := Rewrite(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Write(); err != nil {
		t.Fatal(err)
	}
	again, err := Rewrite(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Files) > 0 || places(o.Dir, again) != places(o.Dir, r) {
		t.Errorf("a second run changes %d files:\n%s", len(again.Files), describe(o.Dir, again))
	}
	return r
}

// describe returns the steps of a result and the places that are left.
func describe(dir string, r *Result) string {
	var b strings.Builder
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "%s: %d in %d\n", s.Kind, s.Places, s.Files)
	}
	return b.String() + places(dir, r)
}

// places returns the places that are left.
func places(dir string, r *Result) string {
	var b strings.Builder
	for _, p := range r.Left.Places {
		file, err := filepath.Rel(dir, p.At.File)
		if err != nil {
			file = p.At.File
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", file, p.At.Line, p.At.Column, p.Kind, p.Reason)
	}
	return b.String()
}

// compare compares texts with the files of an archive, or updates it.
func compare(t *testing.T, path string, a *txtar.Archive, got map[string]string) {
	t.Helper()
	kept := &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		name, isWanted := strings.CutSuffix(f.Name, ".want")
		if !isWanted {
			kept.Files = append(kept.Files, f)
			if text, ok := got[f.Name+".want"]; ok {
				want := txtar.File{Name: f.Name + ".want", Data: []byte(text)}
				kept.Files = append(kept.Files, want)
			}
			continue
		}
		if text := got[f.Name]; text != string(f.Data) && !*update {
			t.Errorf("%s is\n%s, and expected is\n%s", name, text, f.Data)
		}
	}
	report := txtar.File{Name: "report.want", Data: []byte(got["report.want"])}
	kept.Files = append(kept.Files, report)
	text := txtar.Format(kept)
	old, err := os.ReadFile(path)
	switch {
	case err != nil:
		t.Fatal(err)
	case *update:
		err = os.WriteFile(path, text, 0o666)
	case !bytes.Equal(old, text):
		t.Errorf("%s lacks an expected file: see -update", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}
