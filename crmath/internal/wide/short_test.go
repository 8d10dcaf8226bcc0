package wide

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
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
// with the bound that rounded needs.
func TestShortKernels(t *testing.T) {
	rng := args.Generator("short")
	angles := []args.Kind{args.Between(-10, 10), args.Magnitudes(-60, 1000),
		args.Between(-0.8, 0.8), args.Multiples(math.Pi/2, 1000), args.Multiples(1.0/128, 200)}
	inside := func(x float64) bool { return math.Abs(x) < 1 }
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
	} {
		worst, n, refused := math.Inf(-1), 0, 0
		for i := range 20_000 {
			x := c.kinds[i%len(c.kinds)](rng)
			if x == 0 || c.domain != nil && !c.domain(x) {
				continue
			}
			guess := 0.0
			if c.guess != nil {
				guess = c.guess(x)
			}
			z, ok := c.f.setShort(x, guess)
			if n++; !ok {
				refused++
				continue
			}
			var want Float
			c.f.Set(&want, x, guess, 4)
			e := offBy(z, &want)
			if worst = max(worst, e); e > -117 {
				t.Fatalf("%s(%x) is off by 2^%.1f", c.name, x, e)
			}
		}
		t.Logf("%s: 2^%.2f, refused %d of %d", c.name, worst, refused, n)
		if refused > n/100 {
			t.Errorf("%s: %d of %d have no value", c.name, refused, n)
		}
	}
}
