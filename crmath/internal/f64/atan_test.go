package f64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
	"github.com/lastbit/lastbit/fp"
)

// Kinds of arguments of arcus functions.
var (
	atanKinds = []args.Kind{args.Between(-1, 1), args.Between(-10, 10), args.Between(-100, 100),
		args.Magnitudes(-8, 8), args.Magnitudes(-14, -5),
		args.Magnitudes(-60, 62), args.Magnitudes(-1074, 1024), args.AnyBits}
	asinKinds = []args.Kind{args.Between(-1, 1), args.Between(-0x1p-6, 0x1p-6), args.Near(1),
		args.Near(-1), args.Near(0.5), args.Magnitudes(-14, 0),
		args.Magnitudes(-60, 0), args.Magnitudes(-1074, 1), args.Between(-1.1, 1.1), args.AnyBits}
	atan2Kinds = []pairs{
		pair(args.Between(-10, 10)), pair(args.Magnitudes(-8, 8)), pair(args.Magnitudes(-70, 70)),
		pair(args.Magnitudes(-1074, 1024)), pair(args.AnyBits),
		pair(func(rng *rand.Rand) float64 { return float64(rng.IntN(41) - 20) }),
		pair(args.Magnitudes(-1074, -1015)), pair(args.Magnitudes(-410, -390)),
		func(rng *rand.Rand) (y, x float64) { // a ratio near 1
			x = args.Between(-10, 10)(rng)
			return args.Near(x)(rng), x
		},
		func(rng *rand.Rand) (y, x float64) { // a subnormal ratio, or one near the smallest
			x = args.Magnitudes(0, 1000)(rng)
			return math.Ldexp(x, -1023-rng.IntN(55)) * float64(1+rng.IntN(8)), x
		},
		// a ratio of few bits, which would be a midpoint if it were not an
		// angle
		func(rng *rand.Rand) (y, x float64) {
			x = float64(rng.IntN(1<<20) + 1)
			return math.Ldexp(x*float64(rng.IntN(1<<20)), -rng.IntN(1100)), x
		},
	}
)

// pair draws two arguments of a kind.
func pair(a args.Kind) pairs {
	return func(rng *rand.Rand) (y, x float64) { return a(rng), a(rng) }
}

func TestAtan(t *testing.T) {
	t.Parallel()
	everyMode(t, "atan", Atan, atanKinds...)
}

func TestAsin(t *testing.T) {
	t.Parallel()
	everyMode(t, "asin", Asin, asinKinds...)
}

func TestAcos(t *testing.T) {
	t.Parallel()
	everyMode(t, "acos", Acos, asinKinds...)
}

func TestAtan2(t *testing.T) {
	t.Parallel()
	everyMode2(t, "atan2", Atan2, atan2Kinds...)
}

func TestAtanHard(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "atan", Atan)
	hardInEveryMode(t, "asin", Asin)
	hardInEveryMode(t, "acos", Acos)
}

// TestAtanSpecial tests the special cases, which the formulas do not cover.
func TestAtanSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name    string
		f       directedFunction
		x, want float64
	}{
		{"Atan", Atan, 0, 0}, {"Atan", Atan, zero, zero}, {"Atan", Atan, inf, math.Pi / 2},
		{"Atan", Atan, -inf, -math.Pi / 2}, {"Atan", Atan, nan, nan},
		{"Atan", Atan, 1, math.Pi / 4}, {"Atan", Atan, -1, -math.Pi / 4},
		{"Atan", Atan, -5e-324, -5e-324}, {"Atan", Atan, math.MaxFloat64, math.Pi / 2},
		{"Asin", Asin, 0, 0}, {"Asin", Asin, zero, zero}, {"Asin", Asin, 1, math.Pi / 2},
		{"Asin", Asin, -1, -math.Pi / 2}, {"Asin", Asin, nan, nan},
		{"Asin", Asin, math.Nextafter(1, 2), nan}, {"Asin", Asin, -inf, nan},
		{"Asin", Asin, 5e-324, 5e-324}, {"Asin", Asin, -0x1p-1022, -0x1p-1022},
		{"Acos", Acos, 1, 0}, {"Acos", Acos, -1, math.Pi}, {"Acos", Acos, 0, math.Pi / 2},
		{"Acos", Acos, zero, math.Pi / 2}, {"Acos", Acos, nan, nan},
		{"Acos", Acos, math.Nextafter(-1, -2), nan}, {"Acos", Acos, inf, nan},
		{"Acos", Acos, 5e-324, math.Pi / 2}, {"Acos", Acos, -5e-324, math.Pi / 2},
	} {
		if got := c.f(c.x, fp.NearestEven); !args.Identical(got, c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
	}
	// As in package math, except for the rounding.
	values := []float64{nan, -inf, -math.MaxFloat64, -1, -5e-324, zero, 0, 5e-324, 1,
		math.MaxFloat64, inf}
	for _, y := range values {
		for _, x := range values {
			// Package math's sign is wrong where y/x underflows.
			got, want := Atan2(y, x, fp.NearestEven), math.Copysign(math.Atan2(y, x), y)
			if !args.Identical(got, want) && !(math.Abs(got-want) <= 0x1p-51 && got*want > 0) {
				t.Errorf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
			}
		}
	}
	for _, c := range []struct{ y, x, want float64 }{
		{inf, inf, 0x1.921fb54442d18p-1}, {inf, -inf, 0x1.2d97c7f3321d2p+1}, {0, -1, math.Pi},
		{zero, zero, -math.Pi}, {1, 0, math.Pi / 2},
		{5e-324, 1, 5e-324}, {5e-324, 2, 0}, {15e-324, 2, 5e-324}, {5e-324, -1, math.Pi},
		{-5e-324, math.MaxFloat64, zero},
		{0x1p-1022, 1, 0x1p-1022}, {0x3p-1074, 2, 0x1p-1074}, {0x5p-1074, 2, 0x1p-1073},
		{0x7p-1074, 2, 0x3p-1074},
	} {
		if got := Atan2(c.y, c.x, fp.NearestEven); !args.Identical(got, c.want) {
			t.Errorf("Atan2(%v, %v) = %v, want %v", c.y, c.x, got, c.want)
		}
	}
}

// TestAtan2InEveryMode compares the special cases with MPFR: zeros, infinite
// coordinates, the axes, equal coordinates, and quotients that underflow,
// overflow or have few bits, in every quadrant.
func TestAtan2InEveryMode(t *testing.T) {
	t.Parallel()
	correct := oracle.Rounded2(t, "atan2")
	values := []float64{0, 5e-324, 0x1p-1073, 0x1p-1022, 0x1.8p-500, 0x1p-400, 0x1p-60, 0x1p-27,
		0.75, 1, math.Nextafter(1, 2), 2, 3, 0x1p60, 0x1p63, 0x1p64, 0x1p400, 0x1p1000,
		math.MaxFloat64, math.Inf(1), math.NaN()}
	for _, y := range values {
		for _, x := range values {
			for quadrant := range 4 {
				y, x := math.Copysign(y, float64(1-quadrant&2)),
					math.Copysign(x, float64(1-2*(quadrant&1)))
				compareModes2(t, "atan2", Atan2, correct, y, x, fp.NearestEven)
				compareModes2(t, "atan2", Atan2, correct, y, x, directions...)
			}
		}
	}
}

// TestAtanPolynomials recomputes the errors of the polynomials, with their
// rounded coefficients, and compares them with the allowances in the bounds.
func TestAtanPolynomials(t *testing.T) {
	taylor := tables.AtanSeries(60)[3:]
	check(t, "atan",
		tables.Bound(taylor, []float64{atanC3, 0, atanC5, 0, atanC7}, tables.AtanReduced),
		0x1.8p-50)
	check(t, "atan, outer",
		tables.Bound(taylor, []float64{atanOuterC3, 0, atanOuterC5, 0, atanOuterC7, 0, atanOuterC9},
			tables.AtanOuter), 0.8*0x1p-53/3)
}

// TestAsinPolynomials does so for each row of the table.
func TestAsinPolynomials(t *testing.T) {
	for i, r := range asinTable {
		taylor := tables.AsinSeries(float64(i)/(1<<asinBits), 60)[2:]
		p := []float64{r.c2, r.c3, r.c4, r.c5, r.c6, r.c7, r.c8, r.c9}
		// p(h) is nowhere below 0.8·p(0) but in the first row, where it begins
		// with h/6, and the absolute error counts.
		check(t, fmt.Sprint("asin, row ", i), tables.Bound(taylor, p, tables.AsinReduced),
			max(1.1*0x1p-53*r.c2, 0x1p-64))
	}
}

// TestAtanBounds compares the errors of the fast paths with their bounds.
func TestAtanBounds(t *testing.T) {
	const w = wide.First + 1
	rng := args.Generator("atanBounds")
	largest := make(map[string]float64)
	hold := func(name string, x, hi, lo, e float64, z *wide.Float) {
		largest[name] = max(largest[name], within(t, name, x, hi, lo, e, z))
	}
	for range 20_000 {
		var z, one, a, c wide.Float
		one.SetUint(1, w)

		x := math.Abs(args.Between(-1, 1)(rng))
		if rng.IntN(2) == 0 {
			x = 1 - math.Ldexp(x, -rng.IntN(50))
		}
		if x < 1 {
			a.SetFloat64(x, w)
			c.SetCofactor(&a, wide.First)
			hi, lo, e := arc(x, asinSine)
			z.SetAtan2(&a, &c, hi+lo, wide.First)
			hold("arc", x, hi, lo, e, &z)
			hi, lo, e = fewAsin(x)
			hold("fewAsin", x, hi, lo, e, &z)
			hi, lo, e = arc(x, asinCosine)
			z.SetAtan2(&c, &a, hi, wide.First)
			hold("arc for cosines", x, hi, lo, e, &z)
			hi, lo, e = fewAcos(x)
			hold("fewAcos", x, hi, lo, e, &z)
			hi, lo, e = arc(x, asinMinusCosine)
			a.Neg = true
			z.SetAtan2(&c, &a, hi, wide.First)
			hold("arc for negative cosines", -x, hi, lo, e, &z)
			hi, lo, e = fewAcos(-x)
			hold("fewAcos, negative", -x, hi, lo, e, &z)
		}

		x = math.Abs(args.Between(1, atanLarge)(rng))
		if rng.IntN(2) == 0 {
			x = math.Exp(math.Log(atanLarge) * rng.Float64())
		}
		x = max(1, min(x, math.Nextafter(atanLarge, 0)))
		a.SetFloat64(x, w)
		z.SetAtan2(&a, &one, math.Atan(x), wide.First)
		near := &atanTable[0][atanRow(math.Float64bits(x))+1]
		q, q1, q2 := atanQuotient(x, head19(x), near.sin)
		hi, lo := atanSum(near.hi, near.lo, q, q1, q2)
		hold("atanSum", x, hi, lo, atanErr, &z)

		x = math.Abs(args.Magnitudes(6, 60)(rng))
		a.SetFloat64(x, w)
		z.SetAtan2(&a, &one, math.Atan(x), wide.First)
		hi, lo, e := atanInverse(x)
		hold("atanInverse", x, hi, lo, e, &z)

		b, x := pair(args.Magnitudes(-20, 20))(rng)
		if b = math.Abs(b); rng.IntN(2) == 0 {
			b, x = math.Abs(args.Between(-1, 1)(rng)), args.Between(-1, 1)(rng)
		}
		a.SetFloat64(b, w)
		c.SetFloat64(x, w)
		z.SetAtan2(&a, &c, math.Atan2(b, x), wide.First)
		row := atan2Row(b, x)
		q, q1, q2 = atan2Quotient(atan2Parts(b, head19(b), x, head19(x), row.sin, row.cos))
		hi, lo, e = atan2Sum(row.hi, row.lo, q, q1, q2, math.Abs(q)*atan2ErrCube)
		hold("atan2Sum", b/x, hi, lo, e, &z)

		x = math.Abs(args.Magnitudes(-27, -12)(rng))
		a.SetFloat64(x, w)
		hi, lo, e = oddSmall(x, 1.0/6, 3.0/40)
		c.SetCofactor(&a, wide.First)
		z.SetAtan2(&a, &c, x, wide.First)
		hold("oddSmall for asin", x, hi, lo, e, &z)
	}
	for name, r := range largest {
		t.Logf("%s: %.2f of the bound", name, r)
		atLeast(t, name, r, 0.02)
	}
}

// TestAtanKernels compares the kernels, at several precisions, with the
// longest.
func TestAtanKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		y, x := pair(args.Magnitudes(-30, 30))(rng)
		y = math.Abs(y)
		guess := math.Atan2(y, x)
		var a, b, s, l wide.Float
		a.SetFloat64(y, wide.Words)
		b.SetFloat64(x, wide.Words)
		l.SetAtan2(&a, &b, guess, wide.Last)
		for _, n := range []int{2, 3, 5} {
			s.SetAtan2(&a, &b, guess, n)
			if e := widetest.RelativeError(widetest.Big(&s, n+1),
				widetest.Big(&l, wide.Words)); e > -64*n-40 {
				t.Fatalf("atan2(%x, %x) to %d words: relative error 2^%d", y, x, n, e)
			}
		}
		x = math.Ldexp(rng.Float64(), -rng.IntN(20))
		a.SetFloat64(x, wide.Words)
		l.SetCofactor(&a, wide.Last)
		s.SetCofactor(&a, wide.First)
		if e := widetest.RelativeError(widetest.Big(&s, wide.First+1),
			widetest.Big(&l, wide.Words)); e > -64*wide.First-40 {
			t.Fatalf("√(1-x²) for %x: relative error 2^%d", x, e)
		}
	}
}

func TestGoldenAtan(t *testing.T) {
	golden(t, "Atan", nearest(Atan), 0x1ed407d2bccaba5f, atanKinds...)
	golden(t, "Asin", nearest(Asin), 0x601b41ed796771b4, asinKinds...)
	golden(t, "Acos", nearest(Acos), 0x448c0b50ec7cae65, asinKinds...)
	goldenModes(t, "Atan", Atan, 0x1c91f39846a87fe1, append(atanKinds, hardOnes(t, "atan"))...)
	goldenModes(t, "Asin", Asin, 0xd6fb10c44016b2df, append(asinKinds, hardOnes(t, "asin"))...)
	goldenModes(t, "Acos", Acos, 0xb0d06ff37735d74e, append(asinKinds, hardOnes(t, "acos"))...)
	n := len(atan2Kinds)
	goldenOf(t, "Atan2", 0x7eee800b64ab61f9, func(i int, rng *rand.Rand) float64 {
		y, x := atan2Kinds[i%n](rng)
		return Atan2(y, x, fp.NearestEven)
	})
	goldenOf(t, "Atan2, directed", 0x2c2251c99f5303e6, func(i int, rng *rand.Rand) float64 {
		y, x := atan2Kinds[i%n](rng)
		return Atan2(y, x, directions[i/n%len(directions)])
	})
}

func TestAtanAllocatesNothing(t *testing.T) {
	for _, f := range []func(float64) float64{
		nearest(Atan), nearest(Asin), nearest(Acos),
		func(x float64) float64 { return Atan2(x, -0.5, fp.Up) },
		func(x float64) float64 { return wide.Atan.Rounded(x, x, fp.Up) },
		func(x float64) float64 { return wide.Asin.Rounded(x, x, fp.Up) },
		func(x float64) float64 { return wide.Acos.Rounded(x, 1.57-x, fp.Up) },
		func(x float64) float64 { return atan2Accurate(x, 3, x/3, fp.Up) },
		func(x float64) float64 { return Atan2(x*0x1p-100, 3, fp.Up) },
	} {
		allocatesNothing(t, f, 0.3, 1e-3)
	}
}
