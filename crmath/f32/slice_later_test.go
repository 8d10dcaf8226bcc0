package f32

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/internal/require"
)

// laterSlices are the slice functions by way of float64, with their functions.
var laterSlices = map[string]struct {
	slice func(dst, x []float32)
	one   func(float32) float32
}{
	"gamma": {GammaSlice, Gamma}, "lgamma": {LgammaSlice, lgammaOf},
	"pown": {func(dst, x []float32) { PownSlice(dst, x, 5) },
		func(x float32) float32 { return Pown(x, 5) }},
	"compound": {func(dst, x []float32) { CompoundSlice(dst, x, -3) },
		func(x float32) float32 { return Compound(x, -3) }},
	"rootn": {func(dst, x []float32) { RootnSlice(dst, x, 3) },
		func(x float32) float32 { return Rootn(x, 3) }},
}

// TestGoldenLaterSlices compares slice functions with single calls: on strata
// of all arguments, and on numbers whose results are midpoints of two float32
// or subnormal.
func TestGoldenLaterSlices(t *testing.T) {
	x := []float32{25, 26, -126, -149, 1 << 25, 1<<24 + 2, 5e-39, -5e-39, 9.3, 10.05, 35.04,
		257, 129}
	strata(16, func(v float32) { x = append(x, v) })
	for name, f := range laterSlices {
		dst := slices.Clone(x)
		f.slice(dst, dst)
		vectortest.Same(t, name, dst, x, f.one)
		if require.Race {
			continue // the race detector allocates
		}
		short, results := x[:300], make([]float32, 300)
		if n := testing.AllocsPerRun(10, func() { f.slice(results, short) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestSincosSlice computes both results, elsewhere and in the place of the
// arguments.
func TestSincosSlice(t *testing.T) {
	var x []float32
	strata(12, func(v float32) { x = append(x, v) })
	sine := func(x float32) float32 { s, _ := Sincos(x); return s }
	cosine := func(x float32) float32 { _, c := Sincos(x); return c }
	for i := range 3 {
		both := [2][]float32{make([]float32, len(x)), make([]float32, len(x))}
		argument := slices.Clone(x)
		if i < 2 {
			both[i] = argument
		}
		SincosSlice(both[0], both[1], argument)
		vectortest.Same(t, "sine", both[0], x, sine)
		vectortest.Same(t, "cosine", both[1], x, cosine)
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
