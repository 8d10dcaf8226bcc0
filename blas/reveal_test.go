//go:build !static

package blas_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// TestRevealed reveals the order of an element of a product on every level of
// the kernels, at places that are in different tiles and at their edges: a
// chain of fused multiply-adds.
func TestRevealed(t *testing.T) {
	t.Run("float64", testRevealed[float64])
	t.Run("float32", testRevealed[float32])
}

func testRevealed[T float32 | float64](t *testing.T) {
	const m, n, depth = 30, 70, 300
	for _, level := range kernel.Levels() {
		setting := chain.Setting{Level: &level, Threads: 1}
		for _, at := range [][2]int{{0, 0}, {m - 1, n - 1}, {13, 33}} {
			f := func(x, y []T) T {
				a, b, c := make([]T, m*depth), make([]T, depth*n), make([]T, m*n)
				copy(a[at[0]*depth:], x)
				for p, v := range y {
					b[p*n+at[1]] = v
				}
				view := func(data []T, row int) chain.View[T] {
					return chain.View[T]{Data: data, Row: row, Col: 1}
				}
				chain.Product(setting, chain.All, m, n, depth, 1,
					view(a, depth), view(b, n), view(c, n))
				return c[at[0]*n+at[1]]
			}
			name := fmt.Sprintf("%v %v", level, at)
			found, err := reveal.Reveal(context.Background(), gofunc.NewDot(name, f, depth),
				reveal.Options{})
			switch {
			case err != nil:
				t.Fatal(name, ": ", err)
			case !found.Verified || found.Family != "chain" ||
				found.Arithmetic.FMA != sumtree.FMALater:
				t.Errorf("%s: verified %v, %q, %+v", name, found.Verified, found.Family,
					found.Arithmetic)
			}
		}
	}
}
