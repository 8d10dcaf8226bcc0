package crmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/tables"
)

// Kinds of arguments of hyperbolic functions.
var (
	sinhKinds = []arguments{between(-10, 10), between(-1, 1), between(-0x1p-4, 0x1p-4), between(-715, 715), magnitudes(-60, 10), magnitudes(-1074, 12),
		near(sinhSingle), positive(between(707, 711)), multiples(math.Ln2/512, 1<<13), magnitudes(-29, -24), anyBits}
	tanhKinds = []arguments{between(-10, 10), between(-1, 1), between(-0x1p-4, 0x1p-4), between(-20, 20), magnitudes(-60, 5), magnitudes(-1074, 12),
		near(tanhLarge), between(18.7, 19.2), multiples(math.Ln2/512, 1<<12), magnitudes(-29, -24), anyBits}
)

func TestSinh(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "sinh", Sinh, sinhKinds...)
}

func TestCosh(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "cosh", Cosh, sinhKinds...)
}

func TestTanh(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "tanh", Tanh, tanhKinds...)
}

// TestHyperbolicSpecial holds the special cases, for which formulas say nothing.
func TestHyperbolicSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ x, sinh, cosh, tanh float64 }{
		{inf, inf, inf, 1}, {-inf, -inf, inf, -1}, {nan, nan, nan, nan}, {0, 0, 1, 0}, {zero, zero, 1, zero},
		{5e-324, 5e-324, 1, 5e-324}, {-0x1p-1022, -0x1p-1022, 1, -0x1p-1022}, {0x1p-30, 0x1p-30, 1, 0x1p-30},
		{math.MaxFloat64, inf, inf, 1}, {-711, -inf, inf, -1}, {-1e3, -inf, inf, -1},
		{0x1.633ce8fb9f87dp+9, 0x1.ffffffffffd3bp+1023, 0x1.ffffffffffd3bp+1023, 1}, {0x1.633ce8fb9f87ep+9, inf, inf, 1},
	} {
		if sinh, cosh, tanh := Sinh(c.x), Cosh(c.x), Tanh(c.x); !identical(sinh, c.sinh) || !identical(cosh, c.cosh) || !identical(tanh, c.tanh) {
			t.Errorf("Sinh, Cosh, Tanh(%v) = %x, %x, %x, want %x, %x, %x", c.x, sinh, cosh, tanh, c.sinh, c.cosh, c.tanh)
		}
	}
}

// oddTail returns a bound of what the polynomial in oddSeries leaves out, over |x|³ and where |x| <
// 2^-5 or less, as a part of the first coefficient.
func oddTail(series []*big.Float, poly []float64, a float64) float64 {
	var odd []float64
	for _, c := range poly {
		odd = append(odd, c, 0)
	}
	return tables.Bound(series[3:], odd, a) / math.Abs(poly[0])
}

// TestHyperbolicSeries recomputes the errors of the short series, with their rounded
// coefficients, and compares them with what the bounds reckon with: 0.2 units, and 0.75 for the
// first coefficient.
func TestHyperbolicSeries(t *testing.T) {
	check(t, "sinh", oddTail(tables.SinhSeries(60), []float64{sinhC3, sinhC5, sinhC7, sinhC9, sinhC11}, 0x1p-5), 0.95*0x1p-53)
	check(t, "tanh", oddTail(tables.TanhSeries(0, 60), []float64{tanhC3, tanhC5, tanhC7, tanhC9, tanhC11}, 0x1p-6), 0.95*0x1p-53)
}

// TestTanhTable recomputes the errors of some of the table's polynomials, with their rounded coefficients, of which
// the bound reckons with those of c2, and c3, apart.
func TestTanhTable(t *testing.T) {
	for i := 1; i < tanhRows; i += 7 {
		row := &tanhTable[i]
		series := tables.TanhSeries(math.Ldexp(float64(i), -tanhBits), 30)[2:]
		off := tables.Bound(series, []float64{row.c2, row.c3, row.c4, row.c5, row.c6, row.c7, row.c8}, tables.TanhReduced) * (tables.TanhReduced * tables.TanhReduced)
		check(t, "tanh", off, 0.9*0x1p-75+0x1.2p-53*math.Abs(row.c2)*(tables.TanhReduced*tables.TanhReduced))
	}
}

// TestHyperbolicBounds holds the fast paths' errors against their bounds.
func TestHyperbolicBounds(t *testing.T) {
	t.Parallel()
	const w = wideFirst + 1
	rng := generator("hyperbolicBounds")
	var both, small, middle, large float64
	for range 20_000 {
		var a, z wide
		x := between(0x1p-5, sinhSingle)(rng)
		if rng.IntN(2) == 0 {
			x = between(0x1p-5, 1)(rng)
		}
		k, rh, rl := expSplit(x, expStepInverse, expStepHi, expStepLo)
		h1, l1, h2, l2 := expBoth(k, rh, rl)
		for _, part := range []struct {
			x, hi, lo float64
			k         uint64
		}{{x, h1, l1, k}, {-x, h2, l2, -k}} {
			a.setFloat64(part.x, w)
			z.setExp(&a, wideFirst)
			z.exp -= int(int64(part.k<<44) >> 52)
			both = max(both, within(t, "expBoth", part.x, part.hi, part.lo, 14*0x1p-73, &z))
		}

		x = math.Ldexp(between(0.5, 1)(rng), -5-rng.IntN(20))
		a.setFloat64(x, w)
		z.setSinh(&a, wideFirst)
		hi, lo, e := oddSeries(x, sinhC3, sinhC5, sinhC7, sinhC9, sinhC11, 0)
		small = max(small, within(t, "series of sinh", x, hi, lo, e, &z))

		x = between(0x1p-6, tanhLarge)(rng)
		a.setFloat64(x, w)
		z.setTanh(&a, wideFirst)
		hi, lo, e = tanhReduced(x)
		middle = max(middle, within(t, "tanhReduced", x, hi, lo, e, &z))

		x = between(tanhLarge, 19.1)(rng)
		a.setFloat64(x, w)
		z.setTanh(&a, wideFirst)
		hi, lo, e = tanhNear1(x)
		large = max(large, within(t, "tanhNear1", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %.2f", both, small, middle, large)
	atLeast(t, "expBoth", both, 0.2)
	atLeast(t, "series of sinh", small, 0.1)
	atLeast(t, "tanhReduced", middle, 0.1)
	atLeast(t, "tanhNear1", large, 0.1)
}

// kernelAgainst compares an accurate kernel, at several precisions, with MPFR and with a longer one.
func kernelAgainst(t *testing.T, name string, f kernel, kinds ...arguments) {
	t.Helper()
	correct, rng := oracle(t, name), rand.New(rand.NewPCG(7, 8))
	for i := range 1000 {
		x := kinds[i%len(kinds)](rng)
		want := correct(x)
		if a := math.Abs(x); x-x != 0 || want-want != 0 || a < 0x1p-60 || math.Abs(want) == 1 {
			continue
		}
		for _, n := range []int{2, 3, 5, wideLast} {
			var z, a wide
			a.setFloat64(x, n+1)
			f.set(&z, &a, n)
			if got, ok := z.float64(n); !identical(got, want) || !ok {
				t.Fatalf("%s(%x) to %d words: %x, %v, not %x", name, x, n, got, ok, want)
			}
		}
		var a, y, z wide
		a.setFloat64(x, wideWords)
		f.set(&y, &a, wideFirst)
		f.set(&z, &a, wideLast)
		if e := relative(y.big(wideFirst+1), z.big(wideWords)); e > -64*wideFirst-8 {
			t.Fatalf("%s(%x): relative error 2^%d", name, x, e)
		}
	}
}

func TestHyperbolicKernels(t *testing.T) {
	t.Parallel()
	kernelAgainst(t, "sinh", kernelSinh, between(-10, 10), magnitudes(-60, 9))
	kernelAgainst(t, "cosh", kernelCosh, between(-10, 10), magnitudes(-24, 9))
	kernelAgainst(t, "tanh", kernelTanh, between(-10, 10), magnitudes(-60, 4))
}

func TestHyperbolicHard(t *testing.T) {
	t.Parallel()
	hardAgainstMPFR(t, "sinh", Sinh)
	hardAgainstMPFR(t, "cosh", Cosh)
	hardAgainstMPFR(t, "tanh", Tanh)
}

func TestGoldenHyperbolic(t *testing.T) {
	golden(t, "Sinh", Sinh, 0x7beb810429a5afb8, append(sinhKinds, hardOnes(t, "sinh"))...)
	golden(t, "Cosh", Cosh, 0xddeb053a6e089f87, append(sinhKinds, hardOnes(t, "cosh"))...)
	golden(t, "Tanh", Tanh, 0x5e5bb15d8fa74d7a, append(tanhKinds, hardOnes(t, "tanh"))...)
}

func TestHyperbolicAllocatesNothing(t *testing.T) {
	for _, f := range []func(float64) float64{Sinh, Cosh, Tanh, kernelSinh.accurate, kernelCosh.accurate, kernelTanh.accurate} {
		allocatesNothing(t, f, 0.3, -7, -1e-3, 300, 709.5)
	}
}
