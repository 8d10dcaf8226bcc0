package check

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
)

// TestGenerics asks the compiler about generic functions that nothing calls,
// with tests too, whose types the functions may not have.
func TestGenerics(t *testing.T) {
	require.Program(t, "go")
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.26
-- a.go --
package m

import "cmp"

type setter[T any] interface {
	*T
	set(float64)
}

func Fill[T any, P setter[T]](xs []T, k float64) {
	for i := range xs {
		P(&xs[i]).set(k*k + 1)
	}
}

func Poly[K cmp.Ordered](f func(K) float64, x K) float64 { return f(x)*f(x) + 1 }

func Count[K cmp.Ordered](x, y K) int { return cmp.Compare(x, y) }
-- a_test.go --
package m

type cell float64

func (c *cell) set(x float64) { *c = cell(x) }
-- b/b.go --
package b

type cell float64

func (c *cell) set(x float64) { *c = cell(x) }

type setter[T any] interface {
	*T
	set(float64)
}

func Fill[T any, P setter[T]](xs []T, k float64) {
	for i := range xs {
		P(&xs[i]).set(k*k + 1)
	}
}

func Ignored[T setter[T]](x T, k float64) float64 { return k*k + 1 } //lastbit:ignore fma tried
`)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tests := range []bool{false, true} {
		r, err := Run(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}, Tests: tests,
			Analyzers: []*analysis.Analyzer{fma.Analyzer},
			Targets:   []fused.Target{{Arch: "arm64"}}})
		if err != nil {
			t.Fatal(err)
		}
		type place struct {
			line       int
			uncompiled bool
		}
		var got []place
		for _, f := range r.Findings {
			got = append(got, place{f.At.Line, f.Uncompiled})
		}
		want := []place{{10, true}, {16, false}, {14, false}}
		if !slices.Equal(got, want) {
			t.Errorf("tests %v: %v, want %v", tests, got, want)
		}
	}
}
