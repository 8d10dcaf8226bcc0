package lapack_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/blas/lapack"
)

// TestSignOfNaN calls routines that take signs over from their arguments, with
// NaN of either sign: the results that are numbers do not depend on it.
func TestSignOfNaN(t *testing.T) {
	var impl lapack.Implementation
	inf, nan := math.Inf(1), math.NaN()
	for name, call := range map[string]func(nan float64) []float64{
		"Dlarfg": func(nan float64) []float64 {
			x := []float64{1, inf, 2}
			beta, tau := impl.Dlarfg(4, nan, x, 1)
			return append(x, beta, tau)
		},
		"Dlarfg of many": func(nan float64) []float64 {
			x := make([]float64, 300)
			x[7] = inf
			beta, tau := impl.Dlarfg(301, nan, x, 1)
			return append(x, beta, tau)
		},
		"Dlacn2": func(nan float64) []float64 {
			v, x, signs := make([]float64, 3), []float64{1, nan, -1}, make([]int, 3)
			est, _ := impl.Dlacn2(3, v, x, signs, 1, 1, &[3]int{1})
			return append(x, est)
		},
		"Dlanv2": func(nan float64) []float64 {
			a, b, c, d, re1, im1, re2, im2, cs, sn := impl.Dlanv2(1, nan, -1, 1)
			return []float64{a, b, c, d, re1, im1, re2, im2, cs, sn}
		},
		"Dlartg": func(nan float64) []float64 {
			c, s, r := impl.Dlartg(0, nan)
			return []float64{c, s, r}
		},
	} {
		for i, got := range call(math.Copysign(nan, -1)) {
			if want := call(math.Copysign(nan, 1))[i]; isOther(got, want) {
				t.Errorf("%s: result %d is %g of -NaN, and %g of +NaN", name, i, got, want)
			}
		}
	}
}
