package sumtree

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMaskedRuns holds sums that add runs at once against sums of every single
// summand, for all families.
func TestMaskedRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	lanes := Family{Kind: Interleaved, Lanes: 2, Block: 4}
	cascade := Family{Kind: Cascade, Block: 4, Base: 2}
	inLanes := []Family{ // accumulators that are sums of lanes, and by two
		{Kind: Stepwise, Steps: []Step{{Op: Take, Width: 4, Count: 1, Each: &lanes}, {Op: Onto},
			{Op: Fold, Width: 1, Count: 4}}},
		{Kind: Stepwise, Steps: []Step{{Op: Deal, Width: 4, Each: &lanes},
			{Op: Fold, Width: 1, Count: 4}}},
		{Kind: Stepwise, Steps: []Step{{Op: Take, Width: 4, Count: 1, By: 2, Each: &cascade},
			{Op: Onto}, {Op: Fold, Width: 1, Count: 4}}},
	}
	for _, n := range []int{1, 2, 7, 64, 131, 1000, 8200, 17_000} {
		inputs := make([]*Masked, 3)
		for k := range inputs {
			inputs[k] = NewMasked(maskedInput(rng, n, k))
		}
		for i, f := range append(inLanes, Candidates(n)...) {
			if testing.Short() && n > 1000 && i%16 != 0 {
				continue
			}
			for _, m := range inputs {
				if got, want := m.Sum(f), f.Masked(m.x); got != want {
					t.Fatalf("n=%d, %s: %v, want %v", n, f, got, want)
				}
			}
		}
	}
}

// maskedInput returns weights with up to so many pairs of masks, neighbours
// among them.
func maskedInput(rng *rand.Rand, n, pairs int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(rng.IntN(8))
	}
	for range min(pairs, n/2) {
		i := rng.IntN(n)
		j := (i + 1 + rng.IntN(1+rng.IntN(n-1))%(n-1)) % n
		if math.Abs(x[i]) < 8 && math.Abs(x[j]) < 8 {
			x[i], x[j] = 0x1p200, -0x1p200
		}
	}
	return x
}

// TestMaskedOtherNumbers adds numbers that are not whole, or too large to be
// exact in another order, one after the other.
func TestMaskedOtherNumbers(t *testing.T) {
	chain := Family{Kind: Chain}
	for _, x := range [][]float64{
		{1, 0x1p-53, 0x1p-53}, {0x1p53, 1, 1}, {0.1, 0.2, 0.3}, {math.NaN(), 1, 2},
	} {
		pairs := Family{Kind: Chunks, Block: 2, Of: &chain}
		for _, f := range []Family{chain, {Kind: ReverseChain}, pairs} {
			got, want := NewMasked(x).Sum(f), f.Masked(x)
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%v as %s: %v, want %v", x, f, got, want)
			}
		}
	}
}
