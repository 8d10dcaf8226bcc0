package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestQuickNorm compares the norms of few numbers, of like and of very
// different magnitudes, with an accumulator's.
func TestQuickNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	quick := 0
	for range 20000 {
		n, spread := 1+rng.IntN(64), rng.IntN(120)
		if rng.IntN(64) == 0 {
			n = 1 + rng.IntN(maxQuickApart+4)
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(spread+1)-spread/2)
		}
		checkNorm(t, x)
		if _, ok := quickNorm(n, x, 1); ok {
			quick++
		}
	}
	if quick < 19000 {
		t.Errorf("%d of 20000 norms are quick", quick)
	}
}

// TestQuickNormEdges compares norms that are exact, halfway between two
// numbers, next to that, tiny, huge and special.
func TestQuickNormEdges(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, x := range [][]float64{
		{0}, {0, math.Copysign(0, -1)}, {0, 0, tiny}, {0, 0, math.NaN()},
		{3, 4}, {tiny}, {3 * tiny, 4 * tiny}, {0x1p-400, 0x1p-453},
		{0x1p53, 0x1p27, 1}, {0x1p53, 0x1p27, 1, 0x1p-500}, {0x1p53, 0x1p27, 1, 0x1p-20},
		{0x1p54, 0x1p28, 0x1p29, 2}, {1, 0x1p-500}, {0x1p500, 1}, {0x1p511, 0x1p511},
		{math.MaxFloat64}, {math.MaxFloat64, 1}, {math.Inf(-1), 1}, {math.NaN(), 1},
		{math.NaN(), math.Inf(1)}, {0x1p-400}, {0x1.8p-537, 0x1p-537},
	} {
		checkNorm(t, x)
	}
	if _, ok := quickNorm(3, []float64{0x1p53, 0x1p27, 1}, 1); ok {
		t.Error("the norm halfway between two numbers is quick")
	}
	if norm, ok := quickNorm(2, []float64{0, tiny, 0, 1}, 2); !ok || norm != 0 {
		t.Errorf("the norm of two zeros apart is %v, quick: %t", norm, ok)
	}
}

func checkNorm(t *testing.T, x []float64) {
	t.Helper()
	var a Accumulator
	for _, v := range x {
		a.AddProduct(v, v)
	}
	if got, want := Nrm2(x), a.Sqrt(); !same(got, want) {
		t.Fatalf("Nrm2(%x) = %x, want %x", x, got, want)
	}
	apart := make([]float64, 3*len(x))
	for i, v := range x {
		apart[3*i], apart[3*i+1] = v, math.NaN()
	}
	if got, want := Nrm2Inc(len(x), apart, 3), a.Sqrt(); !same(got, want) {
		t.Fatalf("Nrm2Inc(%x) = %x, want %x", x, got, want)
	}
}
