package check

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet"
)

// TestMain lets the program of the tests be the tool of go vet.
func TestMain(m *testing.M) {
	ServeGoVet(os.Args[1:], vet.Analyzers())
	os.Exit(m.Run())
}

// model is a module with findings in a package and in its tests, some of them
// with fixes that must not be applied.
var model = map[string]string{
	"go.mod": "module example.com/model\n\ngo 1.24\n",
	"a/a.go": `package a

import "math"

func F(m map[float64]float64, x, y, z float64) (s float64) {
	for k, v := range m {
		s += math.Exp(k) * v
	}
	return s + x*y + z
}
`,
	"a/a_test.go": "package a\n\nfunc f(x, y, z float64) float64 { return x*y + z }\n",
	"a/x_test.go": `package a_test

import "example.com/model/a"

func f(x, y, z float64) float64 { return x*y + a.F(nil, x, y, z) }
`,
	"b/b.go":     "package b\n\nfunc F(x, y, z float64) float64 { return x*y + z }\n",
	"user/u.go":  "package user\n\nimport \"example.com/model/b\"\n\nvar F = b.F\n",
	"nan/n.go":   "package nan\n\nfunc F(m map[float64]int, x float64) { m[x]++ }\n",
	"clean/c.go": "package clean\n\nfunc F() {}\n",
	"line/l.go": `package line

//line l.y:1:1
func F(x, y, z float64) float64 { return x*y + z }
`,
}

// TestThroughGo compares the findings of go vet with the findings in packages
// that are read directly.
func TestThroughGo(t *testing.T) {
	require.Program(t, "go")
	dir := t.TempDir()
	for name, text := range model {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{Patterns: []string{"./a", "./clean"}},
		{Patterns: []string{"./a", "./clean"}, Tests: true},
		{Patterns: []string{"./clean"}},
		{Patterns: []string{"./user"}}, // before the package that it imports
		{Patterns: []string{"./b"}},
		{Patterns: []string{"./user"}},
		{Patterns: []string{"./nan"}},
		{Patterns: []string{"./nan"}, NaNKeys: true},
	} {
		o.Dir, o.Analyzers = dir, vet.Analyzers()
		want, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Tool = self
		want.Loaded = nil
		got, err := throughGo(t.Context(), o, o.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		got.sort()
		got.Packages = want.Packages // which counts tests of a package as another one
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v: go vet finds\n%v, and\n%v are there", o.Patterns, got, want)
		}
	}
	o := Options{Dir: dir, Patterns: []string{"./line"}, Analyzers: vet.Analyzers(), Tool: self}
	r, err := throughGo(t.Context(), o, o.Analyzers)
	if err != nil || len(r.Findings) != 1 || len(r.Findings[0].Edits) > 0 {
		t.Errorf("with a line directive: %v, %v", r, err)
	}
	checkBrokenTest(t, dir, o)
}

// checkBrokenTest checks that a test that does not compile hides no finding.
func checkBrokenTest(t *testing.T, dir string, o Options) {
	o.Patterns = []string{"./a"}
	file := filepath.Join(dir, "a/a_test.go")
	if err := os.WriteFile(file, []byte("package a\n\nvar x int = 1.5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := throughGo(t.Context(), o, o.Analyzers); !errors.Is(err, errUnanswered) {
		t.Errorf("a broken test: %v", err)
	}
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Findings) == 0 {
		t.Errorf("beside a broken test: %v, %v", r, err)
	}
}

// TestFindingsElsewhere takes no result from a go command that writes the
// findings to standard error.
func TestFindingsElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the model of the go command is a script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\necho '# example.com/p\n{\"example.com/p\": {}}' >&2\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	r, err := throughGo(t.Context(), Options{Tool: "tool"}, vet.Analyzers())
	if !errors.Is(err, errUnanswered) {
		t.Errorf("%v, %v", r, err)
	}
}
