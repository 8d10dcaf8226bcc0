package f64

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// TestQuickRests holds that m·c - 1 needs no rounding: at the ends of every
// cell, where it is largest, it has 53 bits after the last bit of m·c.
func TestQuickRests(t *testing.T) {
	for i := range uint64(logCells) {
		first := uint64(logOffset) + i<<(52-logBits)
		for _, m := range []uint64{first, first + 1, first + 1<<(52-logBits) - 1} {
			for _, table := range []*[logCells]quickCell{&lnQuick, &lgQuick, &lbQuick} {
				cell := table[quickRow(m)]
				exact := new(big.Float).SetPrec(200).SetFloat64(math.Float64frombits(m))
				exact.Mul(exact, big.NewFloat(cell.c))
				exact.Sub(exact, big.NewFloat(1))
				ulp := math.Float64frombits(m+1) - math.Float64frombits(m)
				if v, _ := exact.Float64(); math.Abs(v) > 0x1p45*ulp {
					t.Errorf("row %d: m·c - 1 = %x does not fit", i, v)
				}
				if exact.Cmp(big.NewFloat(cell.rest(m))) != 0 {
					t.Errorf("row %d: m·c - 1 = %v, and not %x", i, exact, cell.rest(m))
				}
			}
		}
	}
}

// TestQuickBounds is TestFusedBounds for logarithms of numbers that are not
// near 1.
func TestQuickBounds(t *testing.T) {
	const w = wide.First + 1
	rng := args.Generator("quick logarithms")
	var ln, lg, lb float64
	for range 10_000 {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(8)-4)
		if isNearish(math.Float64bits(x)) {
			continue
		}
		var a, z wide.Float
		a.SetFloat64(x, w)
		z.SetLog(&a, wide.First)
		hi, lo := quickLn(math.Float64bits(x))
		ln = max(ln, within(t, "quickLn", x, hi, lo, lnQuickErr, &z))
		z.SetLog10(&a, wide.First)
		hi, lo = quickLg(math.Float64bits(x))
		lg = max(lg, within(t, "quickLg", x, hi, lo, lgQuickErr, &z))
		z.SetLog2(&a, wide.First)
		hi, lo = quickLb(math.Float64bits(x))
		lb = max(lb, within(t, "quickLb", x, hi, lo, lbQuickErr, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f", ln, lg, lb)
	atLeast(t, "quickLn", ln, 0.05)
	atLeast(t, "quickLg", lg, 0.05)
	atLeast(t, "quickLb", lb, 0.05)
}
