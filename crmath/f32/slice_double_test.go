package f32

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/internal/require"
)

// TestGoldenDoubleSlices compares slice functions by way of float64 with single
// calls: on strata of all arguments, and on numbers whose results are midpoints
// of two float32 or subnormal.
func TestGoldenDoubleSlices(t *testing.T) {
	x := []float32{25, 26, -126, -149, 1 << 25, 1<<24 + 2, 5e-39, -5e-39, 9.3, 10.05, 35.04,
		257, 129}
	strata(16, func(v float32) { x = append(x, v) })
	compare := func(name string, slice func(dst, x []float32), one func(float32) float32) {
		dst := slices.Clone(x)
		slice(dst, dst)
		vectortest.Same(t, name, dst, x, one)
		if require.Race {
			return // the race detector allocates
		}
		short, results := x[:300], make([]float32, 300)
		if n := testing.AllocsPerRun(10, func() { slice(results, short) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	compare("gamma", GammaSlice, Gamma)
	compare("lgamma", LgammaSlice, lgammaOf)
	for _, f := range integerRows {
		for _, n := range []int{5, -3, 3} {
			compare(f.name, func(dst, x []float32) { f.slice(dst, x, n) },
				func(x float32) float32 { return f.one(x, n) })
		}
	}
}

// TestUnsure finds midpoints of float32, and numbers below the normal ones.
func TestUnsure(t *testing.T) {
	for _, c := range []struct {
		y    float64
		want bool
	}{
		{0, false}, {math.Copysign(0, -1), false}, {1, false}, {1 + 0x1p-23, false},
		{1 + 0x1p-24, true}, {-1 - 0x1p-24, true}, {1 + 0x1p-24 + 0x1p-52, false},
		{1 + 0x1p-25, false}, {0x1p-126, false}, {0x1p-127, true}, {-0x1p-1074, true},
		{0x1.ffffffp+127, true}, {math.MaxFloat64, false}, {math.Inf(1), false},
		{math.NaN(), false},
	} {
		if isUnsure(c.y) != c.want {
			t.Errorf("isUnsure(%x) = %v", c.y, !c.want)
		}
	}
}
