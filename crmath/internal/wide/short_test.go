package wide

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/fp"
)

// big returns x.
func (x short) big() *big.Float {
	z := new(big.Float).SetPrec(256).SetUint64(x.hi)
	z.SetMantExp(z, 64).Add(z, new(big.Float).SetUint64(x.lo))
	if x.neg {
		z.Neg(z)
	}
	return z.SetMantExp(z, x.exp-128)
}

// offBy returns log2 of the relative error of z as the value of a kernel at
// precision 4.
func offBy(z short, want *Float) float64 {
	w := new(big.Float).SetPrec(400)
	for i := 4; i >= 0; i-- {
		w.Add(w, new(big.Float).SetMantExp(new(big.Float).SetUint64(want.M[i]), want.Exp-64*(i+1)))
	}
	if want.Neg {
		w.Neg(w)
	}
	d := new(big.Float).SetPrec(400).Sub(z.big(), w)
	if d.Sign() == 0 {
		return math.Inf(-1)
	}
	f, _ := d.Quo(d, w).Float64()
	return math.Log2(math.Abs(f))
}

// TestShortKernels compares the kernels in two words with those in five, and
// with the bounds that they return for rounded.
func TestShortKernels(t *testing.T) {
	rng := args.Generator("short")
	angles := []args.Kind{args.Between(-10, 10), args.Magnitudes(-60, 1000),
		args.Between(-0.8, 0.8), args.Multiples(math.Pi/2, 1000), args.Multiples(1.0/128, 200)}
	logs := []args.Kind{args.Between(0.6, 1.6), args.Near(1), args.Magnitudes(-1074, 1024),
		args.Multiples(1.0/128, 200)}
	minus := []args.Kind{args.Between(-40, 709), args.Between(-1, 1),
		args.Magnitudes(-60, 0), args.Near(0.125)}
	halves := func(x float64) bool { return 2*x != math.Trunc(2*x) }
	turns := []args.Kind{args.Between(-5, 5), args.Magnitudes(-60, 50),
		args.Multiples(0.5, 1000), args.Multiples(1.0/256, 200)}
	factorial := func(x float64) bool {
		return x > 2 || x != math.Trunc(x) && x > -1<<52
	}
	positive := func(x float64) bool { return x > 0 && x != 1 }
	plus := []args.Kind{args.Between(-1, 1), args.Magnitudes(-60, 60), args.Magnitudes(-14, -5)}
	above := func(x float64) bool { return x > -1 }
	inside := func(x float64) bool { return math.Abs(x) < 1 }
	overPi := func(f func(float64) float64) func(float64) float64 {
		return func(x float64) float64 { return f(x) / math.Pi }
	}
	for _, c := range []struct {
		f      Function
		name   string
		guess  func(float64) float64
		domain func(float64) bool
		kinds  []args.Kind
	}{
		{Sin, "sin", nil, nil, angles}, {Cos, "cos", nil, nil, angles},
		{Tan, "tan", nil, nil, angles},
		{Asin, "asin", math.Asin, inside,
			[]args.Kind{args.Between(-1, 1), args.Magnitudes(-26, 0), args.Near(0.9999)}},
		{Acos, "acos", math.Acos, inside,
			[]args.Kind{args.Between(-1, 1), args.Magnitudes(-26, 0)}},
		{Atan, "atan", math.Atan, nil,
			[]args.Kind{args.Between(-10, 10), args.Magnitudes(-26, 60)}},
		{Exp, "exp", nil, nil, []args.Kind{args.Between(-745, 709), args.Magnitudes(-60, 9),
			args.Multiples(math.Ln2/4096, 1<<12)}},
		{Exp2, "exp2", nil, nil, []args.Kind{args.Between(-1074, 1024), args.Magnitudes(-60, 10)}},
		{Exp10, "exp10", nil, nil, []args.Kind{args.Between(-323, 308), args.Magnitudes(-60, 8)}},
		{Expm1, "expm1", nil, nil, minus},
		{Exp2m1, "exp2m1", nil, nil, append(minus, args.Near(0.180336880))},
		{Exp10m1, "exp10m1", nil, nil, append(minus[1:], args.Near(0.05428681))},
		{Sinh, "sinh", nil, nil, []args.Kind{args.Between(-40, 40), args.Magnitudes(-60, 9)}},
		{Cosh, "cosh", nil, nil, []args.Kind{args.Between(-40, 40), args.Magnitudes(-60, 9)}},
		{Tanh, "tanh", nil, nil, []args.Kind{args.Between(-4, 4), args.Magnitudes(-60, 4)}},
		{Log, "log", nil, positive, logs}, {Log2, "log2", nil, positive, logs},
		{Log10, "log10", nil, positive, logs},
		{Log1p, "log1p", nil, above, plus}, {Log2p1, "log2p1", nil, above, plus},
		{Log10p1, "log10p1", nil, above, plus},
		{Asinh, "asinh", nil, nil, []args.Kind{args.Between(-2, 2), args.Magnitudes(-60, 1000)}},
		{Acosh, "acosh", nil, func(x float64) bool { return x > 1 },
			[]args.Kind{args.Between(1, 2), args.Near(1), args.Magnitudes(0, 1000)}},
		{Sinpi, "sinpi", nil, halves, turns}, {Cospi, "cospi", nil, halves, turns},
		{Tanpi, "tanpi", nil, halves, turns},
		{Asinpi, "asinpi", overPi(math.Asin), inside,
			[]args.Kind{args.Between(-1, 1), args.Magnitudes(-100, 0), args.Near(0.9999)}},
		{Acospi, "acospi", overPi(math.Acos), inside,
			[]args.Kind{args.Between(-1, 1), args.Magnitudes(-55, 0)}},
		{Atanpi, "atanpi", overPi(math.Atan), nil,
			[]args.Kind{args.Between(-10, 10), args.Magnitudes(-100, 60)}},
		{Erf, "erf", nil, nil, []args.Kind{args.Between(-6, 6), args.Magnitudes(-1000, 2)}},
		{Erfc, "erfc", nil, func(x float64) bool { return x > -6 && x < 28 },
			[]args.Kind{args.Between(-6, 6), args.Between(0.4, 28), args.Magnitudes(-60, 4)}},
		{Gamma, "gamma", nil, factorial, []args.Kind{args.Between(-180, 172),
			args.Between(-10, 18), args.Magnitudes(-100, 2), args.Multiples(1, 170)}},
		{Lgamma, "lgamma", nil, factorial, []args.Kind{args.Between(-200, 200),
			args.Between(-10, 18), args.Magnitudes(-100, 45), args.Magnitudes(40, 1000),
			args.Multiples(1, 200), args.Near(1.01), args.Near(-2.45)}},
		{Atanh, "atanh", nil, inside,
			[]args.Kind{args.Between(-1, 1), args.Magnitudes(-60, 0), args.Near(1)}},
	} {
		worst, n, refused := math.Inf(-1), 0, 0
		draws := 4_000
		if c.f >= Erf { // whose kernels in five words take long
			draws = 1_000
		}
		for i := range draws {
			x := c.kinds[i%len(c.kinds)](rng)
			if x == 0 || c.domain != nil && !c.domain(x) {
				continue
			}
			guess := 0.0
			if c.guess != nil {
				guess = c.guess(x)
			}
			z, lost := c.f.setShort(x, guess)
			if n++; lost == maxLost {
				refused++
				continue
			}
			var want Float
			c.f.Set(&want, x, guess, 4)
			e := offBy(z, &want)
			if worst = max(worst, e-float64(lost)); e-float64(lost) > -117 {
				t.Fatalf("%s(%x) is off by 2^%.1f", c.name, x, e)
			}
		}
		t.Logf("%s: 2^%.2f, refused %d of %d", c.name, worst, refused, n)
		if refused > n/100 {
			t.Errorf("%s: %d of %d have no value", c.name, refused, n)
		}
	}
}

// TestShortArithmetic compares the operations with exact ones, within the
// bounds that they promise.
func TestShortArithmetic(t *testing.T) {
	rng := args.Generator("short arithmetic")
	word := func() uint64 { // with long runs of equal bits at times
		return []uint64{0, math.MaxUint64, rng.Uint64(), rng.Uint64()}[rng.IntN(4)]
	}
	draw := func() short {
		return short{rng.IntN(2) == 0, rng.IntN(8) - 4, word() | 1<<63, word()}
	}
	exact := func() *big.Float { return new(big.Float).SetPrec(1000) }
	for range 50_000 {
		x, y := draw(), draw()
		if rng.IntN(4) == 0 { // nearly equal
			y.exp, y.hi = x.exp, x.hi
		}
		a, b, positive := x.big(), y.big(), x
		positive.neg = false
		larger := exact().Abs(a)
		if c := exact().Abs(b); c.Cmp(larger) > 0 {
			larger = c
		}
		for _, op := range []struct {
			name      string
			got       short
			want, per *big.Float
			bound     float64
		}{
			{"+", x.plus(y), exact().Add(a, b), larger, 0x1p-126},
			{"-", x.minus(y), exact().Sub(a, b), larger, 0x1p-126},
			{"*", x.times(y), exact().Mul(a, b), exact().Mul(a, b), 0x1p-124},
			{"/", x.over(y), exact().Quo(a, b), exact().Quo(a, b), 0x1p-125},
			{"√", positive.root(), exact().Sqrt(positive.big()), exact().Sqrt(positive.big()),
				0x1p-124},
		} {
			off := exact().Sub(op.got.big(), op.want)
			if e, _ := off.Quo(off, op.per).Float64(); math.Abs(e) > op.bound {
				t.Fatalf("%v %s %v is off by %g", a, op.name, b, e)
			}
		}
	}
}

// TestShortRounding compares the rounding with a Float's, in every direction,
// also beyond the range of float64.
func TestShortRounding(t *testing.T) {
	rng := args.Generator("short rounding")
	refused := 0
	for range 200_000 {
		x := short{rng.IntN(2) == 0, rng.IntN(2200) - 1100, rng.Uint64() | 1<<63, rng.Uint64()}
		switch rng.IntN(4) {
		case 0:
			x.exp = rng.IntN(60) - 1080
		case 1:
			x.exp = 1020 + rng.IntN(8)
		}
		if rng.IntN(2) == 0 { // next to a number, or to a midpoint
			keep := max(0, min(53, x.exp+1074)) + rng.IntN(2)
			pattern := -uint64(rng.IntN(2))
			x.hi, x.lo = (x.hi>>(64-keep)<<(64-keep)|pattern>>keep)|1<<63, pattern
		}
		want := Float{Neg: x.neg, Exp: x.exp, M: [Words]uint64{x.hi, x.lo, 1}}
		for m := fp.NearestEven; m <= fp.ToOdd; m++ {
			got, ok := x.rounded(m, 0)
			r, decided := want.Rounded(2, m)
			if !ok {
				refused++
			} else if !decided || !args.Identical(got, r) {
				t.Fatalf("%+v to %v: %x, want %x, %v", x, m, got, r, decided)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d results were refused", refused)
	}
}
