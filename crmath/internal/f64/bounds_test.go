package f64

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
)

// within compares a fast path's hi + lo with the kernel's value, to 128 bits,
// and fails where the difference is above the bound that the fast path derives.
// It returns their ratio.
func within(t *testing.T, name string, x, hi, lo, bound float64, want *wide.Float) float64 {
	t.Helper()
	sum := new(big.Float).SetPrec(300).Add(big.NewFloat(hi), big.NewFloat(lo))
	off, _ := sum.Sub(sum, widetest.Big(want, wide.First+1)).Float64()
	if math.Abs(off) > bound {
		t.Fatalf("%s, %x: %x + %x is off by %g, more than %g", name, x, hi, lo, off, bound)
	}
	return math.Abs(off) / bound
}

// atLeast fails where no error came near its bound: then the derivation, or
// this test, allows for something else.
func atLeast(t *testing.T, name string, got, want float64) {
	t.Helper()
	if got < want {
		t.Errorf("%s: no error was above %.2f of its bound", name, got)
	}
}

// TestBounds compares the errors of the fast paths with their bounds. It does
// not replace the derivations, but finds slips in them.
func TestBounds(t *testing.T) {
	const w = wide.First + 1
	rng := args.Generator("bounds")
	var exp, expm1, near1, log, log1p float64
	for range 20_000 {
		var a, b, z, one wide.Float
		one.SetUint(1, w)

		// e^(rh+rl)·2^(j/256)
		rh := float64((rng.Float64()*2 - 1) * (math.Ln2 / 512))
		rl := float64((rng.Float64()*2 - 1) * math.Abs(rh) * 0x1p-54)
		j := rng.Uint64N(expSteps)
		a.SetFloat64(rh, w)
		b.SetFloat64(rl, w)
		a.Add(&a, &b, w)
		b.SetUint(j, w)
		b.Mul(&b, &wide.Ln2, w)
		b.Exp -= expBits
		a.Add(&a, &b, w)
		z.SetExp(&a, wide.First)
		hi, lo := expReduced(j, rh, rl)
		exp = max(exp, within(t, "expReduced", rh, hi, lo, 0x1p-69, &z))

		// e^x - 1 near -1
		x := -25 - rng.Float64()*12.5
		a.SetFloat64(x, w)
		z.SetExpm1(&a, wide.First)
		k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
		hi, lo = expReduced(k, rh, rl)
		power := scale(1, k)
		s, r := twoSum(float64(hi*power), -1)
		near1 = max(near1,
			within(t, "Expm1", x, s, r+float64(lo*power), float64(expErr*power)+expm1ErrLeast, &z))

		x = float64((rng.Float64()*2 - 1) * 0x1p-5)
		if rng.IntN(2) == 0 {
			x = math.Ldexp(x, -rng.IntN(40))
		}
		a.SetFloat64(x, w)
		z.SetExpm1(&a, wide.First)
		hi, lo = expm1Small(x)
		expm1 = max(expm1, within(t, "expm1Small", x, hi, lo, expm1SmallErr(x), &z))

		x /= 32
		a.SetFloat64(x, w)
		z.SetLog1p(&a, wide.First)
		hi, lo = log1pSmall(x)
		log1p = max(log1p, within(t, "log1pSmall", x, hi, lo, math.Abs(x)*log1pSmallErr, &z))

		// ln(m + s)
		m := 0.6875 + rng.Float64()*0.6875
		if math.Abs(m-1) < 0x1p-11 {
			continue
		}
		s = float64((rng.Float64() - 0.5) * 0x1p-53)
		a.SetFloat64(m, w)
		b.SetFloat64(s, w)
		a.Add(&a, &b, w)
		z.SetLog(&a, wide.First)
		hi, lo = logReduced(math.Float64bits(m), s, 0)
		log = max(log, within(t, "logReduced", m, hi, lo, logErr, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %.2f %.2f", exp, expm1, near1, log,
		log1p)
	atLeast(t, "Expm1 near -1", near1, 0.2)
	atLeast(t, "expReduced", exp, 0.25)
	atLeast(t, "expm1Small", expm1, 0.2)
	atLeast(t, "logReduced", log, 0.15)
	atLeast(t, "log1pSmall", log1p, 0.1)
}
