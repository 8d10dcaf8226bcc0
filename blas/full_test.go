package blas

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// TestGoroutines compares three goroutines with one, for the results of the
// routines whose work goroutines share out, and holds that matrices of few rows
// or columns, and increments, are shared out right.
func TestGoroutines(t *testing.T) {
	for _, level := range kernel.Levels() {
		compareGoroutines(t, level, "float64", realKit[float64])
		compareGoroutines(t, level, "float32", realKit[float32])
		compareGoroutines(t, level, "complex128", complexKit[complex128, float64])
		compareGoroutines(t, level, "complex64", complexKit[complex64, float32])
	}
}

func compareGoroutines[T number](
	t *testing.T, level kernel.Level, format string, kitOf func(chain.Setting) *kit[T],
) {
	one := kitOf(chain.Setting{Level: &level, Threads: 1})
	many := kitOf(chain.Setting{Level: &level, Threads: 3, Work: 1})
	for _, size := range [][2]int{{1, 1}, {1, 200}, {200, 1}, {2, 3}, {130, 150}, {65, 300}} {
		for _, inc := range []int{1, 2, -3} {
			want := sharedRoutines(one, size[0], size[1], inc)
			got := sharedRoutines(many, size[0], size[1], inc)
			for i := range want {
				if bitsOf(got[i]) != bitsOf(want[i]) {
					t.Fatalf("%v %s, %v, increment %d: result %d is %v with three goroutines, "+
						"%v with one", level, format, size, inc, i, got[i], want[i])
				}
			}
		}
	}
}

// sharedRoutines returns the results of routines with a matrix of m rows of n
// elements, on numbers that depend on the shape only.
func sharedRoutines[T number](k *kit[T], m, n, inc int) (results []T) {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	g := &golden[T]{kit: k, checked: checked[T]{k}, rng: rng}
	length := max(m, n) * max(inc, -inc)
	a, scalars := g.random(m*(n+1)), g.random(2)
	alpha, beta := scalars[0], scalars[1]
	for _, t := range []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans} {
		x, y := g.random(length), g.random(length)
		g.gemv(t, m, n, alpha, a, n+1, x, inc, beta, y, inc)
		results = append(results, y...)
	}
	for _, conj := range []bool{false, true} {
		g.ger(conj, m, n, alpha, g.random(length), inc, g.random(length), inc, a, n+1)
		results = append(results, a...)
	}
	x, y := g.random(length), g.random(length)
	g.addTo(m, alpha, x, inc, y, inc)
	g.scal(n, beta, x, max(inc, -inc))
	return append(append(results, x...), y...)
}

// TestShare holds that each element is in one part.
func TestShare(t *testing.T) {
	for goroutines := 1; goroutines < 6; goroutines++ {
		for n := 1; n < 300; n += 7 {
			for _, unit := range []int{1, 8, 64} {
				seen := make([]int, n)
				chain.Share(chain.Goroutines{Most: goroutines}, n, unit, func(from, to int) {
					for i := from; i < to; i++ {
						seen[i]++
					}
				})
				if !slices.Equal(seen, slices.Repeat([]int{1}, n)) {
					t.Fatalf("%d goroutines, %d elements, unit %d: %v", goroutines, n, unit, seen)
				}
			}
		}
	}
}
