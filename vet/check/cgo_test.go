package check

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
)

// TestCgo asks the compiler about two packages with cgo, whose files have the
// same name. The compiler prints positions in the files that cgo writes.
func TestCgo(t *testing.T) {
	require.Program(t, "go")
	require.Program(t, "gcc")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, where this test builds with cgo")
	}
	dir := t.TempDir()
	const body = `
// int f(int x) { return x; }
import "C"

func H(x, y, z float64) float64 {
	return float64(C.f(3)) + x*y
}
`
	for name, text := range map[string]string{
		"go.mod":   "module example.com/m\n\ngo 1.26\n",
		"c.go":     "package m\n" + body,
		"sub/c.go": "package sub\n\n// One more line.\n" + body,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	target, err := fused.ParseTarget("amd64/v3")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Options{Dir: dir, Patterns: []string{"./..."},
		Analyzers: []*analysis.Analyzer{fma.Analyzer}, Targets: []fused.Target{target}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Position{{File: filepath.Join(dir, "c.go"), Line: 7, Column: 25},
		{File: filepath.Join(dir, "sub", "c.go"), Line: 9, Column: 25}}
	if len(r.Findings) != len(want) {
		t.Fatalf("%v", r.Findings)
	}
	for i, f := range r.Findings {
		if f.At != want[i] || len(f.Edits) != 0 {
			t.Errorf("%v: %s, %v; want %v and no edit", f.At, f.Message, f.Edits, want[i])
		}
	}
}

// TestBrokenBuilds lists a package once for all targets with one cause.
func TestBrokenBuilds(t *testing.T) {
	var all brokenBuilds
	cgo := cgoFiles{"c.cgo1.go": {{pkg: &packages.Package{PkgPath: "c"}}}}
	for _, e := range []fused.BuildError{
		{Target: fused.Target{Arch: "arm64"}, Package: "c", Output: "undefined: F"},
		{Target: fused.Target{Arch: "arm64"}, Package: "p", Output: "missing body"},
		{Target: fused.Target{Arch: "s390x"}, Package: "c", Output: "undefined: F"},
		{Target: fused.Target{Arch: "riscv64"}, Package: "c", Output: "undefined: G"},
	} {
		all.add(&e, cgo)
	}
	var got []string
	for _, e := range all.errors() {
		got = append(got, e.Package+": "+e.Cause)
	}
	want := []string{
		"c for arm64, s390x: it does not compile without cgo, which is off for other " +
			"processors, and packages that import it do not: undefined: F",
		"p for arm64: it does not compile, and packages that import it do not: missing body",
		"c for riscv64: it does not compile without cgo, which is off for other " +
			"processors, and packages that import it do not: undefined: G",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
