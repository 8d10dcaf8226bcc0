package text

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestSparse checks that a shortened input is true of every entry.
func TestSparse(t *testing.T) {
	negative := make([]float64, 9)
	for i := range negative {
		negative[i] = math.Copysign(0, -1)
	}
	negative[3] = 0
	many := make([]float64, 40)
	for i := range 14 {
		many[2*i] = float64(i + 1)
	}
	all := make([]float64, 9)
	for i := range all {
		all[i] = float64(i)
	}
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{1, 2}, "[1, 2]"},
		{make([]float64, 9), "0 everywhere"},
		{negative, "-0 everywhere but [3] = 0"},
		{many, "0 everywhere but [0] = 1, [2] = 2, [4] = 3, [6] = 4, [8] = 5, " +
			"[10] = 6, [12] = 7, [14] = 8, [16] = 9, [18] = 10, [20] = 11, " +
			"[22] = 12 … (14 others in all; --json has them)"},
		{all, "[0, 1, 2, 3, 4, 5 … (9 in all; --json has them)]"},
	} {
		if got := Sparse(c.x, fp.Binary64); got != c.want {
			t.Errorf("sparse(%v) is %q, not %q", c.x, got, c.want)
		}
	}
}

// TestAt checks that second factors are shown where x is not 0.
func TestAt(t *testing.T) {
	y := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{0, 0, 1, 0, 0, 0, 0, math.Copysign(0, -1)},
			"[2] = 3, [7] = 8 where x is not 0"},
		{make([]float64, 8), "[1, 2, 3, 4, 5, 6 … (8 in all; --json has them)]"},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 0}, "[0] = 1, [1] = 2, [2] = 3, [3] = 4, [4] = 5, " +
			"[5] = 6, … (7 places in all; --json has them) where x is not 0"},
	} {
		if got := At(y, c.x, fp.Binary64); got != c.want {
			t.Errorf("%v: %q, not %q", c.x, got, c.want)
		}
	}
}
