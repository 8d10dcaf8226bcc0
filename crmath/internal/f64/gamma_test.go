package f64

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// integers draws integers from a to b-1.
func integers(a, b int) args.Kind {
	return func(rng *rand.Rand) float64 { return float64(a + rng.IntN(b-a)) }
}

// closeTo draws numbers at all distances from numbers of a kind.
func closeTo(k args.Kind) args.Kind {
	return func(rng *rand.Rand) float64 { return args.Near(k(rng))(rng) }
}

// lgammaZeros draws numbers next to zeros of ln |Γ(x)|: 1, 2, and the first
// ones below -2.
func lgammaZeros(rng *rand.Rand) float64 {
	return [...]float64{1, 2, -2.4570247382208006, -2.7476826467274127, -3.143580888349980,
		-3.955294284858598, -4.039361839740537, -4.991544640560048, -5.008218168440332,
		-17.000000000000004}[rng.IntN(10)]
}

// Kinds of arguments of gamma functions.
var (
	gammaKinds = []args.Kind{args.Between(0, 5), args.Between(-10, 10), args.Between(0, 173),
		args.Between(-188, 1), integers(-200, 200), closeTo(integers(-190, 174)),
		args.Magnitudes(-70, 8), args.Magnitudes(-1074, 10), args.Multiples(0.5, 400),
		args.Near(171.6), args.AnyBits}
	lgammaKinds = []args.Kind{args.Between(0, 5), args.Between(-10, 10), args.Between(0, 200),
		args.Between(-200, 0), integers(-200, 200), closeTo(integers(-60, 30)),
		closeTo(lgammaZeros), args.Magnitudes(-70, 8), args.Magnitudes(-1074, 53),
		args.Multiples(0.5, 400), args.Positive(args.Magnitudes(50, 1024)), args.AnyBits}
)

// lgammaValue is Lgamma without the sign. MPFR has ln |Γ(-∞)| = +∞.
func lgammaValue(x float64, m fp.Mode) float64 {
	if math.IsInf(x, -1) {
		return math.Inf(1)
	}
	y, _ := Lgamma(x, m)
	return y
}

func TestGamma(t *testing.T) {
	t.Parallel()
	sampleInEveryMode(t, "gamma", args.SampleSize(t)/slowMPFR, Gamma, gammaKinds...)
}

func TestLgamma(t *testing.T) {
	t.Parallel()
	sampleInEveryMode(t, "lgamma", args.SampleSize(t)/slowMPFR, lgammaValue, lgammaKinds...)
}

// TestGammaSpecial tests the special cases, in every direction.
func TestGammaSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	largest, least := math.MaxFloat64, math.SmallestNonzeroFloat64
	same := func(v float64) [5]float64 { return [5]float64{v, v, v, v, v} }
	for _, c := range []struct {
		x    float64
		want [5]float64 // NearestEven, TowardZero, Up, Down, ToOdd
	}{
		{inf, same(inf)}, {-inf, same(nan)}, {nan, same(nan)}, {0, same(inf)}, {zero, same(-inf)},
		{-1, same(nan)}, {-185, same(nan)}, {-186, same(nan)}, {-1e300, same(nan)}, {1, same(1)},
		{2, same(1)}, {5, same(24)}, {172, [5]float64{inf, largest, inf, largest, largest}},
		{1e300, [5]float64{inf, largest, inf, largest, largest}},
		{5e-324, [5]float64{inf, largest, inf, largest, largest}},
		{-0x1p-1024, [5]float64{-inf, -largest, -largest, -inf, -largest}},
		{0x1p-1023, [5]float64{0x1p1023, math.Nextafter(0x1p1023, 0), 0x1p1023,
			math.Nextafter(0x1p1023, 0), math.Nextafter(0x1p1023, 0)}},
		{-0x1p-70, [5]float64{-0x1p70, -0x1p70, -0x1p70, math.Nextafter(-0x1p70, -inf),
			math.Nextafter(-0x1p70, -inf)}},
		{-186.5, [5]float64{zero, zero, zero, -least, -least}},
		{-187.5, [5]float64{0, 0, least, 0, least}},
	} {
		for i, m := range append([]fp.Mode{fp.NearestEven}, directions...) {
			if got := Gamma(c.x, m); !args.Identical(got, c.want[i]) {
				t.Errorf("Gamma(%v, %v) = %v, want %v", c.x, m, got, c.want[i])
			}
		}
	}
}

// TestFactorials compares Gamma of integers with exact factorials. It finds
// which are representable, and that none is a midpoint.
func TestFactorials(t *testing.T) {
	f := big.NewInt(1)
	for n := int64(1); n <= 171; n++ { // f is (n-1)!
		bits := uint(f.BitLen()) - f.TrailingZeroBits()
		if (bits <= 53) != (n <= gammaExact) || bits == 54 {
			t.Errorf("%d! has %d bits", n-1, bits)
		}
		for m, b := range map[fp.Mode]big.RoundingMode{fp.NearestEven: big.ToNearestEven,
			fp.TowardZero: big.ToZero, fp.Up: big.ToPositiveInf, fp.Down: big.ToNegativeInf} {
			want, _ := new(big.Float).SetPrec(53).SetMode(b).SetInt(f).Float64()
			if got := Gamma(float64(n), m); !args.Identical(got, want) {
				t.Errorf("Gamma(%d, %v) = %x, want %x", n, m, got, want)
			}
		}
		f.Mul(f, big.NewInt(n))
	}
}

// TestLgammaSpecial tests the special cases, overflow and the signs.
func TestLgammaSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		x, want float64 // to nearest
		sign    int
	}{
		{inf, inf, 1}, {-inf, -inf, 1}, {nan, nan, 1}, {0, inf, 1}, {zero, inf, 1}, {1, 0, 1},
		{2, 0, 1}, {-1, inf, 1}, {-2, inf, 1}, {-1e300, inf, 1}, {5e-324, 0x1.74385446d71c3p+9, 1},
		{-5e-324, 0x1.74385446d71c3p+9, -1}, {-0.5, 0x1.43f89a3f0edd6p+0, -1},
		{-1.5, 0x1.b858151820f86p-1, 1}, {3, math.Ln2, 1},
	} {
		for _, m := range append([]fp.Mode{fp.NearestEven}, directions...) {
			got, sign := Lgamma(c.x, m)
			exact := c.want-c.want != 0 || c.want == 0
			if (exact || m == fp.NearestEven) && !args.Identical(got, c.want) || sign != c.sign {
				t.Errorf("Lgamma(%v, %v) = %x, %d, want %x, %d", c.x, m, got, sign, c.want, c.sign)
			}
		}
		if _, want := math.Lgamma(c.x); want != c.sign {
			t.Errorf("package math has the sign %d for %v, not %d", want, c.x, c.sign)
		}
	}
	for _, x := range []float64{lgammaLarge, math.MaxFloat64} {
		for m, want := range map[fp.Mode]float64{fp.Up: inf, fp.Down: math.MaxFloat64,
			fp.TowardZero: math.MaxFloat64, fp.ToOdd: math.MaxFloat64, fp.NearestEven: inf} {
			if got, _ := Lgamma(x, m); got != want {
				t.Errorf("Lgamma(%x, %v) = %v, want %v", x, m, got, want)
			}
		}
	}
}

// TestGammaTables recomputes the errors of polynomials.
func TestGammaTables(t *testing.T) {
	t.Parallel()
	const one = 128
	gamma, quotient, quotient1p := tables.GammaSeries()
	for _, f := range []struct {
		name        string
		table       []expansion
		first, last int
		series      func(c float64, n int) []*big.Float
	}{
		{"gamma", gammaTable[:], gammaFirst, gammaLast * one, gamma},
		{"lgamma", lgammaTable[:], lgammaFirst, gammaLast * one, quotient},
		{"lgamma1p", lgamma1pTable[:], 0, lgammaFirst, quotient1p},
	} {
		for i := f.first; i <= f.last; i++ {
			if i < f.first+3 || i%127 == 0 || i > f.last-3 {
				c := float64(i) / one
				checkExpansion(t, f.name, &f.table[i-f.first], c, f.series(c, 30), tables.Expanded)
			}
		}
		if f.table[f.last-f.first+1] != (expansion{}) {
			t.Errorf("%s: the table has more rows than are tested", f.name)
		}
	}
}

// TestStirlingPolynomial recomputes the error of the polynomial, on a grid, and
// compares its first coefficient with that in the bound.
func TestStirlingPolynomial(t *testing.T) {
	t.Parallel()
	c := []float64{stirlingC3, stirlingC5, stirlingC7, stirlingC9, stirlingC11, stirlingC13,
		stirlingC15, stirlingC17, stirlingC19, stirlingC21}
	rest := tables.StirlingRest()
	const grid = 128
	worst := 0.0
	for i := 1; i <= grid; i++ {
		u := new(big.Float).SetPrec(1000).SetFloat64(float64(i) / (64 * grid))
		y := new(big.Float).SetPrec(1000)
		for k := len(c) - 1; k >= 0; k-- {
			y.Add(y.Mul(y, u), new(big.Float).SetFloat64(c[k]))
		}
		off, _ := y.Sub(y, rest(u)).Float64()
		worst = max(worst, math.Abs(off))
	}
	check(t, "Stirling", worst, 1.08*0x1p-63) // 2^-62.9
	check(t, "Stirling's c3", math.Abs(stirlingC3), 1.001/360)
}

// TestGammaBounds compares the errors of the fast paths with their bounds.
func TestGammaBounds(t *testing.T) {
	t.Parallel()
	rng := args.Generator("gamma bounds")
	worst := map[string]float64{}
	compare := func(name string, f wide.Function, x float64, k uint64, hi, lo, e float64) {
		var z wide.Float
		f.Set(&z, x, 0, wide.First)
		z.Exp -= int(int64(k<<44) >> 44 >> expBits)
		worst[name] = max(worst[name], within(t, name, x, hi, lo, e, &z))
	}
	between := func(a, b float64) float64 {
		for {
			if x := args.Between(a, b)(rng); x != math.Floor(x) {
				return x
			}
		}
	}
	for range 2000 {
		x := between(-gammaLast, 1)
		if rng.IntN(3) == 0 {
			x = math.Ldexp(x, -rng.IntN(80))
		}
		hi, lo, e := gammaShifted(x)
		compare("gammaShifted", wide.Gamma, x, 0, hi, lo, e)
		x = between(gammaLast, gammaNormalEnd)
		k, hi, lo, e := gammaStirling(x)
		compare("gammaStirling", wide.Gamma, x, k, hi, lo, e)
		x = between(gammaNormalBegin, -gammaLast)
		k, hi, lo, e = gammaReflected(x)
		compare("gammaReflected", wide.Gamma, x, k, hi, lo, e)

		x = between(gammaLast, 40)
		if rng.IntN(2) == 0 {
			x = math.Ldexp(1+rng.Float64(), 3+rng.IntN(47))
		}
		hi, lo, e = lgammaStirling(x)
		compare("lgammaStirling", wide.Lgamma, x, 0, hi, lo, e)
		x += lgammaFar
		hi, lo, e = lgammaShort(x)
		compare("lgammaShort", wide.Lgamma, x, 0, hi, lo, e)
		x = math.Ldexp(1+rng.Float64(), 50+rng.IntN(960))
		hi, lo, e = lgammaAbove(x)
		compare("lgammaAbove", wide.Lgamma, x, 0, hi*0x1p100, lo*0x1p100, e*0x1p100)
		x = between(lgammaNear, gammaLast)
		if rng.IntN(2) == 0 {
			x = 1 + float64(rng.IntN(2)) + math.Ldexp(rng.Float64()-0.5, -3-rng.IntN(45))
		}
		if x != 1 && x != 2 {
			hi, lo, e = lgammaProduct(x)
			compare("lgammaProduct", wide.Lgamma, x, 0, hi, lo, e)
		}
		x = math.Ldexp(between(0, lgammaNear), -rng.IntN(2)*rng.IntN(200))
		hi, lo, e = lgammaBelow(x)
		compare("lgammaBelow", wide.Lgamma, x, 0, hi, lo, e)
		x = between(-200, 0)
		if rng.IntN(2) == 0 {
			x = -math.Ldexp(1+rng.Float64(), rng.IntN(90)-40)
		}
		if x != math.Floor(x) {
			hi, lo, e = lgammaNegative(x)
			compare("lgammaNegative", wide.Lgamma, x, 0, hi, lo, e)
		}
	}
	t.Logf("largest errors over their bounds: %v", worst)
	for name, w := range worst {
		atLeast(t, name, w, 0.01)
	}
}

// TestHardGamma is for arguments whose results are next to a midpoint or a
// representable number.
func TestHardGamma(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "gamma", Gamma)
	hardInEveryMode(t, "lgamma", lgammaValue)
}

func TestGoldenGamma(t *testing.T) {
	golden(t, "Gamma", nearest(Gamma), 0x424dbb1f2c3c842b, gammaKinds...)
	goldenModes(t, "Gamma", Gamma, 0x87bd41ebb3fa42a8, gammaKinds...)
	golden(t, "Lgamma", nearest(lgammaValue), 0x64c039ffb533151a, lgammaKinds...)
	goldenModes(t, "Lgamma", lgammaValue, 0x54e19562728d08b4, lgammaKinds...)
}

func TestGammaAllocatesNothing(t *testing.T) {
	for _, f := range []directedFunction{Gamma, lgammaValue, gammaAccurate, lgammaAccurate} {
		allocatesNothing(t, nearest(f), 0.3, -50.5, 1.001, 130.2)
	}
}
