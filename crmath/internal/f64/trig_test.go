package f64

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
	"github.com/lastbit/lastbit/fp"
)

// Kinds of arguments of trigonometric functions.
var trigKinds = []args.Kind{args.Between(-10, 10), args.Between(-math.Pi/4, math.Pi/4),
	args.Between(-4100, 4100), args.Magnitudes(-60, 60), args.Magnitudes(-1074, 1024),
	args.Multiples(math.Pi/2, 1<<20), args.Multiples(math.Pi/512, 1<<20), args.Magnitudes(-13, -5),
	args.Near(0x1p12), args.AnyBits}

// moreTrigKinds are around the other limits of the fast path.
var moreTrigKinds = append([]args.Kind{args.Between(-0x1p30, 0x1p30), args.Near(0x1p29),
	args.Magnitudes(-305, -295), args.Multiples(math.Pi/2, 1<<28)}, trigKinds...)

func TestSin(t *testing.T) {
	t.Parallel()
	everyMode(t, "sin", Sin, moreTrigKinds...)
}

func TestCos(t *testing.T) {
	t.Parallel()
	everyMode(t, "cos", Cos, moreTrigKinds...)
}

func TestTan(t *testing.T) {
	t.Parallel()
	everyMode(t, "tan", Tan, moreTrigKinds...)
}

// TestSincos compares Sincos with MPFR's functions in every direction, also on
// hard arguments of both.
func TestSincos(t *testing.T) {
	t.Parallel()
	sine, cosine, rng := oracle.Rounded(t, "sin"), oracle.Rounded(t, "cos"),
		args.Generator("sincos")
	compare := func(x float64, modes ...fp.Mode) {
		for _, m := range modes {
			sin, cos := Sincos(x, m)
			s, c := sine(x, m), cosine(x, m)
			if !args.Identical(sin, s) || !args.Identical(cos, c) {
				t.Fatalf("Sincos(%x, %v) = %x, %x, want %x, %x", x, m, sin, cos, s, c)
			}
		}
	}
	for i := range args.SampleSize(t) {
		compare(moreTrigKinds[i%len(moreTrigKinds)](rng), fp.NearestEven,
			directions[rng.IntN(len(directions))])
	}
	for _, name := range []string{"sin", "cos"} {
		for _, x := range args.Hard(t, name) {
			compare(x[0], fp.NearestEven)
			compare(x[0], directions...)
		}
	}
}

func TestTrigHard(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "sin", Sin)
	hardInEveryMode(t, "cos", Cos)
	hardInEveryMode(t, "tan", Tan)
}

// TestTrigSpecial tests the special cases, which the formulas do not cover.
func TestTrigSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ x, sin, cos, tan float64 }{
		{inf, nan, nan, nan}, {-inf, nan, nan, nan}, {nan, nan, nan, nan}, {0, 0, 1, 0},
		{zero, zero, 1, zero},
		{5e-324, 5e-324, 1, 5e-324}, {-0x1p-1022, -0x1p-1022, 1, -0x1p-1022},
		{0x1p-30, 0x1p-30, 1, 0x1p-30},
	} {
		sin, cos := Sincos(c.x, fp.NearestEven)
		if !args.Identical(sin, c.sin) || !args.Identical(cos, c.cos) {
			t.Errorf("Sincos(%v) = %v, %v, want %v, %v", c.x, sin, cos, c.sin, c.cos)
		}
		if sin, cos, tan := nearest(Sin)(c.x), nearest(Cos)(c.x),
			nearest(Tan)(c.x); !args.Identical(sin, c.sin) || !args.Identical(cos, c.cos) ||
			!args.Identical(tan, c.tan) {
			t.Errorf("Sin, Cos, Tan(%v) = %v, %v, %v, want %v, %v, %v", c.x, sin, cos, tan, c.sin,
				c.cos, c.tan)
		}
	}
}

// TestSpecialInEveryMode compares the special cases, and the numbers next to
// the limits of the fast paths, with MPFR.
func TestSpecialInEveryMode(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]directedFunction{
		"sin": Sin, "cos": Cos, "tan": Tan, "asin": Asin, "acos": Acos, "atan": Atan, "cbrt": Cbrt,
	} {
		correct := oracle.Rounded(t, name)
		for _, limit := range []float64{0, 5e-324, 0x1p-1022, 0x1p-1000, tiny, 0x1p-300, 0x1p-60,
			0x1p-54, trigTiny, trigSmall, 0.5, asinDirect, 1, atanLarge, trigLarge, trigHuge,
			atanHuge, math.MaxFloat64, math.Inf(1), math.NaN()} {
			for _, x := range []float64{limit, math.Nextafter(limit, 0),
				math.Nextafter(limit, 2*limit)} {
				for _, x := range []float64{x, -x} {
					compareModes(t, name, f, correct, x, fp.NearestEven)
					compareModes(t, name, f, correct, x, directions...)
				}
			}
		}
	}
}

// nearMultiples returns float64 near multiples of π/2, at all distances down to
// the least: for each exponent e, the denominators below 2^53 of the
// convergents of 2^e·2/π, as m in m·2^e (Kahan's search, Muller2016, chapter
// 11).
func nearMultiples() []float64 {
	var all []float64
	unit := tables.TwoOverPi()
	limit := new(big.Int).Lsh(big.NewInt(1), 53)
	for e := -52; e <= 971; e++ {
		num, den := new(big.Int).Set(unit.Num()), new(big.Int).Set(unit.Denom())
		if e >= 0 {
			num.Lsh(num, uint(e))
			num.Mod(num, den)
		} else {
			den.Lsh(den, uint(-e))
		}
		// 150 bits of the fraction distinguish convergents with denominators of
		// 53.
		if n := den.BitLen() - 150; n > 0 {
			num.Rsh(num, uint(n))
			den.Rsh(den, uint(n))
		}
		q0, q1 := big.NewInt(1), big.NewInt(0) // denominators
		for num.Sign() != 0 {
			a, rest := new(big.Int).QuoRem(den, num, new(big.Int))
			den, num = num, rest
			q0, q1 = new(big.Int).Add(new(big.Int).Mul(a, q0), q1), q0
			if q0.Cmp(limit) >= 0 {
				break
			}
			m, _ := new(big.Float).SetInt(q0).Float64()
			all = append(all, math.Ldexp(m, e))
		}
	}
	return all
}

// TestNearMultiples tests next to zeros and poles.
func TestNearMultiples(t *testing.T) {
	t.Parallel()
	all := nearMultiples()
	if len(all) < 20_000 {
		t.Fatalf("only %d arguments", len(all))
	}
	least := 1.0
	for name, f := range map[string]directedFunction{"sin": Sin, "cos": Cos, "tan": Tan} {
		correct := oracle.Rounded(t, name)
		for i, x := range all {
			if i%2 == 1 {
				x = -x
			}
			compareModes(t, name, f, correct, x, fp.NearestEven, directions[i%len(directions)])
			least = min(least, math.Abs(f(x, fp.NearestEven)))
		}
	}
	if least > 0x1p-60 {
		t.Errorf("the argument next to a multiple of π/2 is %g away", least)
	}
}

// TestTrigKernels compares the kernels, at several precisions, with MPFR and
// with the longest.
func TestTrigKernels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	all := nearMultiples()
	for name, eval := range map[string]func(z *wide.Float, x float64, n int){
		"sin": func(z *wide.Float, x float64,
			n int) {
			var c wide.Float
			wide.SetSinCos(z, &c, x, n)
		},
		"cos": func(z *wide.Float, x float64,
			n int) {
			var s wide.Float
			wide.SetSinCos(&s, z, x, n)
		},
		"tan": func(z *wide.Float, x float64, n int) {
			var c wide.Float
			wide.SetSinCos(z, &c, x, n)
			z.Div(z, &c, n+1)
		},
	} {
		correct := oracle.Unary(t, name)
		for i := range 2000 {
			x := all[rng.IntN(len(all))]
			if i%2 == 0 {
				x = trigKinds[i/2%len(trigKinds)](rng)
			}
			if x == 0 || x-x != 0 || math.Abs(x) < 0x1p-900 {
				continue
			}
			want := correct(x)
			for _, n := range []int{2, 3, 5, wide.Last} {
				var z wide.Float
				eval(&z, x, n)
				// 1, or x, to more bits than that
				if got, ok := z.Float64(n); !args.Identical(got, want) &&
					(ok || math.Abs(x) > 0x1p-70) {
					t.Fatalf("%s(%x) to %d words: %x, %v, not %x", name, x, n, got, ok, want)
				}
			}
			var y, z wide.Float
			eval(&y, x, wide.First)
			eval(&z, x, wide.Last)
			if e := widetest.RelativeError(widetest.Big(&y, wide.First+1),
				widetest.Big(&z, wide.Words)); e > -64*wide.First-40 {
				t.Fatalf("%s(%x): relative error 2^%d", name, x, e)
			}
		}
	}
}

// TestTrigPolynomials recomputes the errors of the polynomials, with their
// rounded coefficients, and compares them with the allowances in the bounds.
func TestTrigPolynomials(t *testing.T) {
	check(t, "sin",
		tables.Bound(tables.SinSeries(40)[3:], []float64{sinC3, 0, sinC5, 0, sinC7},
			tables.TrigReduced), 0x1p-53)
	check(t, "cos",
		tables.Bound(tables.CosSeries(40)[2:], []float64{cosC2, 0, cosC4, 0, cosC6},
			tables.TrigReduced), 0x1p-56)
	check(t, "tan",
		tables.Bound(tables.TanSeries(60)[3:], []float64{tanC3, 0, tanC5, 0, tanC7},
			tables.TanReduced), 1.6*0x1p-53/3)
}

// TestReduced compares the reduced arguments of the fast paths with the
// kernel's, within the bounds that the rounding test goes by.
func TestReduced(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := nearMultiples()
	for i := range 100_000 {
		x := all[rng.IntN(len(all))]
		switch i % 4 {
		case 0:
			x = args.Between(-trigLarge, trigLarge)(rng)
		case 1:
			x = args.Magnitudes(12, 1024)(rng)
		case 2:
			x = args.Magnitudes(12, 30)(rng)
		}
		k, rh, rl, bound := reduce(x, magnitude(x))
		if math.Abs(x) >= trigHuge {
			k, rh, rl = reduceLarge(x)
			bound = reduceLargeErr
		}
		if math.Abs(rh) > tables.TrigReduced || math.Abs(rl) > 0x1p-53*math.Abs(rh)+bound {
			t.Fatalf("%x: %x + %x", x, rh, rl)
		}
		// The kernel has quarters of a turn: of the steps in between, 128 make
		// one.
		const n = 4
		var z, y wide.Float
		q := z.SetReducedTurn(x, n)
		j := int64(k<<55-q<<62) >> 55 // z's excess, in steps
		y.SetInt(j, n)
		y.Mul(&y, &wide.Pi, n)
		y.Exp -= trigBits - 1
		z.Sub(&z, &y, n)
		y.SetFloat64(rh, n)
		z.Sub(&z, &y, n)
		y.SetFloat64(rl, n)
		z.Sub(&z, &y, n)
		if got := math.Abs(z.Approx()); got > bound {
			t.Fatalf("%x: reduced to %x + %x, which is off by %g > %g", x, rh, rl, got, bound)
		}
	}
}

// TestTrigBounds compares the errors of the fast paths with their bounds.
func TestTrigBounds(t *testing.T) {
	rng := args.Generator("trigBounds")
	var sin, cos, tan, small float64
	for i := range 30_000 {
		var s, c, v wide.Float
		x := args.Between(-10, 10)(rng)
		switch i % 3 {
		case 1:
			x = args.Between(-0.05, 0.05)(rng)
		case 2:
			x = args.Between(-trigLarge, trigLarge)(rng)
		}
		wide.SetSinCos(&s, &c, x, wide.First)
		v.Div(&s, &c, wide.First+1)
		k, rh, rl := reduceSmall(x)
		red := math.Abs(x)*reduceSmallErr + sinErrLeast
		hi, lo, e := sinReduced(k, rh, rl)
		sin = max(sin, within(t, "sinReduced", x, hi, lo, e+red, &s))
		hi, lo, e = sinReduced(k+trigSteps/4, rh, rl)
		cos = max(cos, within(t, "sinReduced for cosines", x, hi, lo, e+red, &c))
		r1, x1, x2, cosine, part := sinCosParts(rh, rl)
		sr, cr := &sinTable[k%trigSteps], &sinTable[(k+trigSteps/4)%trigSteps]
		hi, lo = turned(sr.hi, sr.lo, cr.hi, cr.lo, r1, x1, x2, cosine)
		within(t, "sine of Sincos", x, hi, lo, (math.Abs(sr.hi)+math.Abs(r1))*part+red, &s)
		hi, lo = turned(cr.hi, cr.lo, -sr.hi, -sr.lo, r1, x1, x2, cosine)
		within(t, "cosine of Sincos", x, hi, lo, (math.Abs(cr.hi)+math.Abs(r1))*part+red, &c)
		hi, lo, e = tanReduced(k, rh, rl, red-sinErrLeast)
		tan = max(tan, within(t, "tanReduced", x, hi, lo, e, &v))

		x = args.Magnitudes(-30, -12)(rng)
		wide.SetSinCos(&s, &c, x, wide.First)
		v.Div(&s, &c, wide.First+1)
		hi, lo, e = oddSmall(x, -1.0/6, 1.0/120)
		within(t, "oddSmall for sines", x, hi, lo, e, &s)
		hi, lo, e = cosSmall(x)
		within(t, "cosSmall", x, hi, lo, e, &c)
		hi, lo, e = oddSmall(x, 1.0/3, 2.0/15)
		small = max(small, within(t, "oddSmall for tangents", x, hi, lo, e, &v))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %.2f", sin, cos, tan, small)
	atLeast(t, "sinReduced", sin, 0.2)
	atLeast(t, "sinReduced for cosines", cos, 0.2)
	atLeast(t, "tanReduced", tan, 0.1)
	atLeast(t, "oddSmall", small, 0.1)
}

func TestGoldenTrig(t *testing.T) {
	golden(t, "Sin", nearest(Sin), 0x83685d810b4ee547, trigKinds...)
	golden(t, "Cos", nearest(Cos), 0xa5a6e9eeb2d02b06, trigKinds...)
	golden(t, "Tan", nearest(Tan), 0xf696c844a3640ba1, trigKinds...)
	goldenModes(t, "Sin", Sin, 0x29777951516c3b5a, append(trigKinds, hardOnes(t, "sin"))...)
	goldenModes(t, "Cos", Cos, 0xa24b6f62fb19902d, append(trigKinds, hardOnes(t, "cos"))...)
	goldenModes(t, "Tan", Tan, 0x80e568d46e20bcf7, append(trigKinds, hardOnes(t, "tan"))...)
}

func TestTrigAllocatesNothing(t *testing.T) {
	for _, f := range []func(float64) float64{nearest(Sin), nearest(Cos), nearest(Tan),
		accuratePath(wide.Sin), accuratePath(wide.Cos), accuratePath(wide.Tan)} {
		allocatesNothing(t, f, 0.3, -7, -1e-3, 300, 1e300)
	}
}

// TestSincosSlice computes both results, elsewhere and in the place of the
// arguments.
func TestSincosSlice(t *testing.T) {
	x := drawn(args.Generator("sincos"), 1000, trigKinds)
	for i := range 3 {
		both := [2][]float64{make([]float64, len(x)), make([]float64, len(x))}
		argument := slices.Clone(x)
		if i < 2 {
			both[i] = argument
		}
		SincosSlice(both[0], both[1], argument)
		vectortest.Same(t, "sine", both[0], x, nearest(Sin))
		vectortest.Same(t, "cosine", both[1], x, nearest(Cos))
	}
	SincosSlice(nil, nil, nil)
	for want, f := range map[string]func(){
		"crmath.SincosSlice: cos has 3 elements and x has 4": func() {
			SincosSlice(x[:4], x[10:13], x[20:24])
		},
		"crmath.SincosSlice: sin overlaps x": func() { SincosSlice(x[1:5], x[10:14], x[:4]) },
		"crmath.SincosSlice: sin overlaps cos: pass another array": func() {
			SincosSlice(x[:4], x[:4], x[20:24])
		},
		"crmath.SincosSlice: sin overlaps cos": func() { SincosSlice(x[:4], x[3:7], x[20:24]) },
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, want) {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			f()
			t.Errorf("no panic, want %q", want)
		}()
	}
}
