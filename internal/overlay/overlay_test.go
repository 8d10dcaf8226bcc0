package overlay

import (
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestLoad holds that the other text of a file is read: of a package that is
// read from source, and of one whose types the compiler wrote.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":  "module example.com/m\n\ngo 1.24\n",
		"a.go":    "package a\n\nimport \"example.com/m/b\"\n\nconst A = b.B\n",
		"b/b.go":  "package b\n\nimport \"math\"\n\nconst B = 1\n\nvar F = math.Sqrt\n",
		"other.b": "package b\n\nimport \"math\"\n\nconst B = 2\n\nvar F = math.Cbrt\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	others := map[string][]byte{
		filepath.Join(dir, "a.go"):   []byte(files["a.go"][:len(files["a.go"])-1] + " + 1\n"),
		filepath.Join(dir, "b/b.go"): []byte(files["other.b"]),
	}
	mode := packages.LoadSyntax //nolint:staticcheck // export data
	for _, patterns := range [][]string{{"."}, {".", "./b"}} {
		all, err := Load(packages.Config{Dir: dir, Mode: mode}, others, patterns...)
		if err != nil || len(all) != len(patterns) {
			t.Fatal(len(all), err)
		}
		found := false
		for _, p := range all {
			if len(p.Errors) > 0 {
				t.Error(patterns, p.Errors)
			}
			c, ok := p.Types.Scope().Lookup("A").(*types.Const)
			if !ok {
				continue
			}
			found = true
			if got, _ := constant.Int64Val(c.Val()); got != 3 {
				t.Errorf("%v: A is %d and not 3", patterns, got)
			}
		}
		if !found {
			t.Errorf("%v: no constant A", patterns)
		}
	}
}

// TestWriteTemp holds that no files need no flag, and that the folder goes.
func TestWriteTemp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if flags, remove, err := WriteTemp(t.Context(), nil); len(flags) > 0 || err != nil {
		t.Error(flags, err)
	} else {
		remove()
	}
	flags, remove, err := WriteTemp(t.Context(), map[string][]byte{"/a.go": []byte("package a\n")})
	if err != nil || len(flags) != 1 {
		t.Fatal(flags, err)
	}
	remove()
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// TestRestore puts the own name of a file into a message.
func TestRestore(t *testing.T) {
	files := map[string][]byte{"/m/a.go": nil, "/m/b/a.go": nil}
	flags, remove, err := WriteTemp(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	dir := filepath.Dir(strings.TrimPrefix(flags[0], "-overlay="))
	got := Restore(flags[0], files, filepath.Join(dir, inFolder("/m/b/a.go"))+":7:9: undefined: x")
	if want := "/m/b/a.go:7:9: undefined: x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLoadFailed holds that the message of a go command that fails is the
// error, with types that the compiler wrote and with types that are read from
// source.
func TestLoadFailed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package a\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "GOCACHE=relative")
	compiled := packages.LoadSyntax //nolint:staticcheck // export data
	for _, mode := range []packages.LoadMode{compiled, compiled | packages.NeedDeps} {
		all, err := Load(packages.Config{Dir: dir, Env: env, Mode: mode}, nil, "./...")
		if len(all) > 0 || err == nil || !strings.HasPrefix(err.Error(), "GOCACHE is not") &&
			!strings.HasPrefix(err.Error(), "build cache is required") {
			t.Errorf("%v: %d packages, %v", mode, len(all), err)
		}
	}
}
