package flow

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/internal/ssaform"
)

// TestCost compares the cost of functions with the compiler's, for arm64. The
// costs are about the same: a release of Go may count otherwise, and calls of
// functions without floating-point numbers count as if they were not inlined.
func TestCost(t *testing.T) {
	require.Program(t, "go")
	for _, c := range []struct {
		pattern    string
		maxApart   int // between costs
		maxChanged int // functions that are inlined, or not, against the compiler
	}{
		{"./testdata/cost", 2, 0},
		{"math", 25, 2}, // of math/bits
	} {
		t.Run(filepath.Base(c.pattern), func(t *testing.T) {
			apart, changed := compareCosts(t, c.pattern)
			if apart > c.maxApart || changed > c.maxChanged {
				t.Errorf("costs are %d apart, and %d functions are inlined or not", apart, changed)
			}
		})
	}
}

// compareCosts returns the largest difference between the costs of functions of
// a package that are inlined, and the number of those that only one side
// inlines.
func compareCosts(t *testing.T, pattern string) (apart, changed int) {
	want := map[string]int{}
	cmd := exec.Command("go", "build", "-gcflags=-m=2", pattern)
	cmd.Env = append(os.Environ(), "GOARCH=arm64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	line := regexp.MustCompile(`(?m)([^/\s]+\.go:\d+):\d+: can inline .* with cost (\d+) `)
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		n := 0
		fmt.Sscan(m[2], &n)
		if w, ok := want[m[1]]; !ok || n < w { // without the wrapper of an instance
			want[m[1]] = n
		}
	}
	t.Setenv("GOARCH", "arm64")
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	costs := *Analyzer
	costs.Name = "costs"
	costs.Run = func(pass *analysis.Pass) (any, error) {
		result, err := run(pass)
		if pass.Pkg.Path() == pkgs[0].PkgPath {
			apart, changed = compare(t, pass, want)
		}
		return result, err
	}
	if _, err := checker.Analyze([]*analysis.Analyzer{&costs}, pkgs, nil); err != nil {
		t.Fatal(err)
	}
	return apart, changed
}

func compare(t *testing.T, pass *analysis.Pass, want map[string]int) (apart, changed int) {
	p := newPkg(pass)
	p.fact = facts(pass)
	compared := 0
	for _, f := range pass.ResultOf[ssaform.Analyzer].(ssaform.Form)() {
		at := p.place(f.Pos())
		got := p.cost(f)
		w, ok := want[fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line)]
		switch d := max(got-w, w-got); {
		case ok != (got <= budget):
			changed++
			t.Logf("%s costs %d, and %d for the compiler", f, got, w)
		case ok:
			apart = max(apart, d)
			compared++
		}
	}
	if compared < 20 {
		t.Fatalf("only %d functions are compared", compared)
	}
	return apart, changed
}
