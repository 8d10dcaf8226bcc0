package f64

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
	"github.com/lastbit/lastbit/fp"
)

// Kinds of arguments of hyperbolic functions.
var (
	sinhKinds = []args.Kind{args.Between(-10, 10), args.Between(-1, 1),
		args.Between(-0x1p-4, 0x1p-4), args.Between(-715, 715), args.Magnitudes(-60, 10),
		args.Magnitudes(-1074, 12),
		args.Near(sinhSingle), args.Positive(args.Between(707, 711)),
		args.Multiples(math.Ln2/512, 1<<13), args.Magnitudes(-29, -24), args.AnyBits}
	tanhKinds = []args.Kind{args.Between(-10, 10), args.Between(-1, 1),
		args.Between(-0x1p-4, 0x1p-4), args.Between(-20, 20), args.Magnitudes(-60, 5),
		args.Magnitudes(-1074, 12),
		args.Near(tanhLarge), args.Between(18.7, 19.2), args.Multiples(math.Ln2/512, 1<<12),
		args.Magnitudes(-29, -24), args.AnyBits}
)

func TestSinh(t *testing.T) {
	t.Parallel()
	everyMode(t, "sinh", Sinh, sinhKinds...)
}

func TestCosh(t *testing.T) {
	t.Parallel()
	everyMode(t, "cosh", Cosh, sinhKinds...)
}

func TestTanh(t *testing.T) {
	t.Parallel()
	everyMode(t, "tanh", Tanh, tanhKinds...)
}

// TestHyperbolicSpecial tests the special cases, which the formulas do not
// cover.
func TestHyperbolicSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ x, sinh, cosh, tanh float64 }{
		{inf, inf, inf, 1}, {-inf, -inf, inf, -1}, {nan, nan, nan, nan}, {0, 0, 1, 0},
		{zero, zero, 1, zero},
		{5e-324, 5e-324, 1, 5e-324}, {-0x1p-1022, -0x1p-1022, 1, -0x1p-1022},
		{0x1p-30, 0x1p-30, 1, 0x1p-30},
		{math.MaxFloat64, inf, inf, 1}, {-711, -inf, inf, -1}, {-1e3, -inf, inf, -1},
		{0x1.633ce8fb9f87dp+9, 0x1.ffffffffffd3bp+1023, 0x1.ffffffffffd3bp+1023, 1},
		{0x1.633ce8fb9f87ep+9, inf, inf, 1},
	} {
		got := [3]float64{Sinh(c.x, fp.NearestEven), Cosh(c.x, fp.NearestEven),
			Tanh(c.x, fp.NearestEven)}
		for i, want := range [3]float64{c.sinh, c.cosh, c.tanh} {
			if !args.Identical(got[i], want) {
				t.Errorf("Sinh, Cosh, Tanh(%v) = %x, want %x in place %d", c.x, got, want, i)
			}
		}
	}
}

// TestHyperbolicBorders is TestExpBorders for hyperbolic functions.
func TestHyperbolicBorders(t *testing.T) {
	t.Parallel()
	borders := []float64{tiny, 0x1p-27, 0x1p-26, 0x1p-34, 1, sinhSingle, 708, 711,
		0x1.633ce8fb9f87dp+9, 3, 19, 19.1, 0x1.30fc1931f09cap+4}
	bordersInEveryMode(t, "sinh", Sinh, borders...)
	bordersInEveryMode(t, "cosh", Cosh, borders...)
	bordersInEveryMode(t, "tanh", Tanh, borders...)
}

// oddTail bounds the truncation error of the polynomial in oddSeries, over |x|³
// and relative to the first coefficient, where |x| ≤ a.
func oddTail(series []*big.Float, poly []float64, a float64) float64 {
	var odd []float64
	for _, c := range poly {
		odd = append(odd, c, 0)
	}
	return tables.Bound(series[3:], odd, a) / math.Abs(poly[0])
}

// TestExpansions recomputes the errors of some of the tables' polynomials, with
// their rounded coefficients, and the other terms of the bound.
func TestExpansions(t *testing.T) {
	for _, f := range []struct {
		name   string
		table  []expansion
		last   int
		series func(c float64, n int) []*big.Float
	}{
		{"sinh", sinhTable[:], 128, tables.SinhSeriesAt},
		{"tanh", tanhTable[:], 384, tables.TanhSeriesAt},
		{"arctan", atanNear[:], 128, tables.AtanSeriesAt},
	} {
		for i := range 2*f.last + 1 {
			row, c := &f.table[i], float64(i-f.last)*(2*tables.Expanded)
			if i%19 != 0 && math.Abs(c) > 4*tables.Expanded && i != 2*f.last {
				continue
			}
			checkExpansion(t, f.name, row, c, f.series(c, 30), tables.Expanded)
		}
	}
}

// checkExpansion recomputes the error of a row's polynomial, with its rounded
// coefficients, and checks the other terms of the bound of expansion.at for
// |h| ≤ radius.
func checkExpansion(t *testing.T, name string, row *expansion, c float64, series []*big.Float,
	radius float64) {
	t.Helper()
	slope := math.Abs(row.slopeHi) * radius
	if c == 0 && series[0].Sign() == 0 { // an odd function
		off := tables.Bound(series[3:], []float64{row.c3, 0, row.c5, 0, row.c7}, radius)
		check(t, name, off, 0x1p-52*math.Abs(row.c3))
		if row.hi != 0 || row.lo != 0 || !(1 <= row.slopeHi && row.slopeHi < 1.2) ||
			row.c2 != 0 || row.c4 != 0 || row.c6 != 0 {
			t.Errorf("%s: the first row is %v", name, row)
		}
		return
	}
	h2 := float64(radius * radius)
	off := tables.Bound(series[2:],
		[]float64{row.c2, row.c3, row.c4, row.c5, row.c6, row.c7}, radius) * h2
	least := math.Abs(row.hi) - slope - float64(2*math.Abs(row.c2)*h2)
	check(t, name, off, 0x1.8p-69*least+0x1p-52*math.Abs(row.c2)*h2*(1-1/5.9))
	if !(slope < 1.2*least) || !(math.Abs(row.c3)*radius < math.Abs(row.c2)/5.9) ||
		head(row.slopeHi) != row.slopeHi {
		t.Errorf("%s: the row for %v is %v", name, c, row)
	}
}

// TestHyperbolicBounds compares the errors of the fast paths with their bounds.
func TestHyperbolicBounds(t *testing.T) {
	t.Parallel()
	const w = wide.First + 1
	rng := args.Generator("hyperbolicBounds")
	var both, large, small float64
	expansions := make(map[string]float64)
	for range 20_000 {
		var a, z wide.Float
		x := args.Between(0x1p-5, sinhSingle)(rng)
		if rng.IntN(2) == 0 {
			x = args.Between(0x1p-5, 1)(rng)
		}
		k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
		h1, l1, h2, l2 := expBoth(k, rh, rl)
		for _, part := range []struct {
			x, hi, lo float64
			k         uint64
		}{{x, h1, l1, k}, {-x, h2, l2, -k}} {
			a.SetFloat64(part.x, w)
			z.SetExp(&a, wide.First)
			z.Exp -= int(int64(part.k<<44) >> 52)
			both = max(both, within(t, "expBoth", part.x, part.hi, part.lo, 14*0x1p-73, &z))
		}

		for _, f := range []struct {
			name   string
			table  []expansion
			end    float64
			square float64
			set    func(z, x *wide.Float, n int)
		}{
			{"sinh", sinhTable[:], sinhMiddle, expansionErrSquare, (*wide.Float).SetSinh},
			{"tanh", tanhTable[:], tanhLarge, -expansionErrSquare, (*wide.Float).SetTanh},
			{"arctan", atanNear[:], atanMiddle, -expansionErrSquare, func(z, x *wide.Float, n int) {
				var one wide.Float
				one.SetUint(1, w)
				z.SetAtan2(x, &one, math.Atan(x.Approx()), n)
			}},
		} {
			x := args.Between(0, f.end)(rng)
			switch rng.IntN(3) {
			case 0:
				x = args.Between(0, 0x1p-5)(rng)
			case 1:
				x = math.Ldexp(args.Between(0.5, 1)(rng), -rng.IntN(60))
			}
			a.SetFloat64(x, w)
			f.set(&z, &a, wide.First)
			x = math.Copysign(x, rng.Float64()-0.5)
			a.Neg = x < 0
			z.Neg = x < 0
			i, h := expansionPoint(x, 0x1.8p45+f.end)
			hi, lo, e := f.table[i%uint64(len(f.table))].at(h, f.square)
			e = math.Abs(e)
			expansions[f.name] = max(expansions[f.name],
				within(t, "expansion of "+f.name, x, hi, lo, e, &z))
		}

		x = math.Ldexp(args.Between(0.5, 1)(rng), -3-rng.IntN(3))
		a.SetFloat64(x, w)
		z.SetSinh(&a, wide.First)
		hi, lo := sinhSmall(x)
		small = max(small, within(t, "sinhSmall", x, hi, lo, float64(x*sinhSmallErr), &z))

		x = args.Between(tanhLarge, 19.1)(rng)
		a.SetFloat64(x, w)
		z.SetTanh(&a, wide.First)
		var e float64
		hi, lo, e = tanhNear1(x)
		large = max(large, within(t, "tanhNear1", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %v", both, large, small, expansions)
	atLeast(t, "expBoth", both, 0.2)
	atLeast(t, "sinhSmall", small, 0.1)
	atLeast(t, "tanhNear1", large, 0.1)
	for name, v := range expansions {
		atLeast(t, "expansion of "+name, v, 0.1)
	}
}

// kernelAgainst compares the kernel of a function, at several precisions, with
// MPFR and with the longest precision.
func kernelAgainst(t *testing.T, name string, f wide.Function, kinds ...args.Kind) {
	t.Helper()
	correct, rng := oracle.Unary(t, name), rand.New(rand.NewPCG(7, 8))
	for i := range 1000 {
		x := kinds[i%len(kinds)](rng)
		want := correct(x)
		if a := math.Abs(x); x-x != 0 || want-want != 0 || a < 0x1p-60 || math.Abs(want) == 1 {
			continue
		}
		for _, n := range []int{2, 3, 5, wide.Last} {
			var z wide.Float
			f.Set(&z, x, 0, n)
			if got, ok := z.Float64(n); !args.Identical(got, want) || !ok {
				t.Fatalf("%s(%x) to %d words: %x, %v, not %x", name, x, n, got, ok, want)
			}
		}
		e := widetest.KernelError(wide.First, wide.Last,
			func(z *wide.Float, n int) { f.Set(z, x, 0, n) })
		if e > -64*wide.First-8 {
			t.Fatalf("%s(%x): relative error 2^%d", name, x, e)
		}
	}
}

func TestHyperbolicKernels(t *testing.T) {
	t.Parallel()
	kernelAgainst(t, "sinh", wide.Sinh, args.Between(-10, 10), args.Magnitudes(-60, 9))
	kernelAgainst(t, "cosh", wide.Cosh, args.Between(-10, 10), args.Magnitudes(-24, 9))
	kernelAgainst(t, "tanh", wide.Tanh, args.Between(-10, 10), args.Magnitudes(-60, 4))
}

func TestHyperbolicHard(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "sinh", Sinh)
	hardInEveryMode(t, "cosh", Cosh)
	hardInEveryMode(t, "tanh", Tanh)
}

func TestGoldenHyperbolic(t *testing.T) {
	golden(t, "Sinh", nearest(Sinh), 0x7beb810429a5afb8, append(sinhKinds, hardOnes(t, "sinh"))...)
	golden(t, "Cosh", nearest(Cosh), 0xddeb053a6e089f87, append(sinhKinds, hardOnes(t, "cosh"))...)
	golden(t, "Tanh", nearest(Tanh), 0x5e5bb15d8fa74d7a, append(tanhKinds, hardOnes(t, "tanh"))...)
	goldenModes(t, "Sinh", Sinh, 0x81c9344fd89fe2c5, append(sinhKinds, hardOnes(t, "sinh"))...)
	goldenModes(t, "Cosh", Cosh, 0xe2e6e42606b3188b, append(sinhKinds, hardOnes(t, "cosh"))...)
	goldenModes(t, "Tanh", Tanh, 0x83b151793b654223, append(tanhKinds, hardOnes(t, "tanh"))...)
}

func TestHyperbolicAllocatesNothing(t *testing.T) {
	for _, f := range []directedFunction{Sinh, Cosh, Tanh, sinhAccurate, tanhAccurate} {
		allocatesNothing(t, nearest(f), 0.3, -7, -1e-3, 300, 709.5)
	}
	allocatesNothing(t, nearest(coshAccurate), 0.3, 7, 300, 709.5)
}
