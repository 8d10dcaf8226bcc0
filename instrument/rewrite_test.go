package instrument

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// forms is a program with operations in all forms that the language has. Every
// line that prints names its form.
const forms = "testdata/forms"

// TestSameBits runs a program with and without its operations rewritten: with
// perturbation off, the outputs are equal.
func TestSameBits(t *testing.T) {
	t.Parallel()
	tool := require.Program(t, "go")
	p, err := Build(context.Background(), Options{Dir: forms, Package: "."}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "plain")
	build := exec.Command(tool, "build", "-o", binary, ".")
	build.Dir = forms
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	none := make([]bool, len(p.Sites))
	for _, s := range []Settings{{}, {Profile: true}, {Perturb: true, Sites: none}} {
		out, err := p.Run(context.Background(), Input{}, s)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Stdout, want) || out.Exit != 0 {
			t.Errorf("%+v: exit code %d, %s\ninstead of\n%s", s, out.Exit, out.Stdout, want)
		}
	}
	run := func(seed uint64) []string {
		out, err := p.Run(context.Background(), Input{}, Settings{Perturb: true, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(out.Stdout), "\n")
	}
	if first := run(3); !slices.Equal(first, run(3)) {
		t.Error("a seed gave two outputs")
	}
	plain := strings.Split(string(want), "\n")
	changed := make([]bool, len(plain))
	for seed := range uint64(20) {
		lines := run(seed)
		if len(lines) != len(plain) {
			t.Fatalf("%d lines, not %d", len(lines), len(plain))
		}
		for i := range lines {
			changed[i] = changed[i] || lines[i] != plain[i]
		}
	}
	for i, line := range plain {
		if changed[i] != strings.HasPrefix(line, "~") {
			t.Errorf("changed by a seed: %v, %s", changed[i], line)
		}
	}
}

// TestSites compares the sites of a file with what is written beside its
// operations.
func TestSites(t *testing.T) {
	t.Parallel()
	require.Program(t, "go")
	p, err := Build(context.Background(), Options{Dir: forms, Package: "."}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(forms + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[int][]string{}
	for _, s := range p.Sites {
		if s.File == "main.go" {
			found[s.Line] = append(found[s.Line], string(s.Kind))
		}
	}
	for i, line := range strings.Split(string(src), "\n") {
		_, comment, _ := strings.Cut(line, "// sites: ")
		want := strings.FieldsFunc(comment, func(r rune) bool { return r == ',' })
		for k := range want {
			want[k] = strings.TrimSpace(want[k])
		}
		got := found[i+1]
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("line %d has sites %q, not %q", i+1, got, want)
		}
	}
}
