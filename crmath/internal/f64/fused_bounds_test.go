package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// TestFusedBounds is TestBounds for the parts with fused operations.
func TestFusedBounds(t *testing.T) {
	const w = wide.First + 1
	rng := args.Generator("fused bounds")
	var exp, exp10, log, lg float64
	for range 20_000 {
		var a, z wide.Float

		// e^x·2^(-k/256) of the low bits of k
		x := (rng.Float64()*2 - 1) * 20
		a.SetFloat64(x, w)
		z.SetExp(&a, wide.First)
		k, rh, rl := fusedSplit(x, expStepInverse, expStepHi, expStepLo)
		hi, lo := fusedExp(k, rh, rl)
		z.Exp -= int(int64(k<<44) >> 44 >> expBits)
		exp = max(exp, within(t, "fusedExp", x, hi, lo, 0x1p-69, &z))

		// 10^x
		z.SetExp10(&a, wide.First)
		k, d, s := fusedSplit(x, exp10StepInverse, exp10StepHi, exp10StepLo)
		rh, rl = fusedProduct(d, s, math.Ln10, ln10Rest)
		hi, lo = fusedExp(k, rh, rl)
		z.Exp -= int(int64(k<<44) >> 44 >> expBits)
		exp10 = max(exp10, within(t, "fusedProduct", x, hi, lo, 0x1p-69, &z))

		// ln m and log2 m
		m := 0.6875 + rng.Float64()*0.6875
		if math.Abs(m-1) < 0x1p-11 {
			continue
		}
		a.SetFloat64(m, w)
		z.SetLog(&a, wide.First)
		hi, lo = fusedLog0(math.Float64bits(m), 0)
		log = max(log, within(t, "fusedLog0", m, hi, lo, logErr, &z))
		z.SetLog2(&a, wide.First)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		lg = max(lg, within(t, "fusedLogProduct", m, hi, lo, logErrScaled, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %.2f", exp, exp10, log, lg)
	atLeast(t, "fusedExp", exp, 0.15)
	atLeast(t, "fusedProduct", exp10, 0.15)
	atLeast(t, "fusedLog0", log, 0.1)
	atLeast(t, "fusedLogProduct", lg, 0.1)
}

// TestRestsOfConstants compares constants of two parts with their logarithms.
func TestRestsOfConstants(t *testing.T) {
	for _, c := range []struct {
		n        uint64
		hi, rest float64
	}{{2, math.Ln2, ln2Rest}, {10, math.Ln10, ln10Rest}} {
		var n, z wide.Float
		n.SetUint(c.n, wide.First+1)
		z.SetLog(&n, wide.First)
		within(t, "ln", float64(c.n), c.hi, c.rest, 0x1p-105*c.hi, &z)
	}
}
