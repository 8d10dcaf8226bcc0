//go:build !static

package libm

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/mpfr/mpfrtest"
)

// TestCountsAgainstMPFR counts wrong results of Go and C once more, and finds
// the one with the largest error, by MPFR.
func TestCountsAgainstMPFR(t *testing.T) {
	oracle := mpfrtest.Open(t)
	counts(t, oracle, Go[float64](), (*mpfr.Unary).Float64, (*mpfr.Binary).Float64)
	counts(t, oracle, Go[float32](), (*mpfr.Unary).Float32, (*mpfr.Binary).Float32)
	counts(t, oracle, c[float64](t), (*mpfr.Unary).Float64, (*mpfr.Binary).Float64)
	counts(t, oracle, c[float32](t), (*mpfr.Unary).Float32, (*mpfr.Binary).Float32)
}

func counts[T Float](t *testing.T, oracle *mpfr.Library, l Library[T], one func(*mpfr.Unary, T) T,
	two func(*mpfr.Binary, T, T) T) {
	t.Helper()
	for _, f := range Functions[T]() {
		if loop, err := l.Find(f); err != nil || loop == nil || f.Results == 2 {
			continue // sincos has results of sin and cos, which come alone
		}
		x, y, err := f.Fixed()
		if err != nil {
			t.Fatal(err)
		}
		x = x[:1024]
		var value func(i int) T
		var long func(i int) *big.Float
		if f.Binary {
			y = y[:1024]
			g, err := oracle.Binary(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			value = func(i int) T { return two(g, x[i], y[i]) }
			long = func(i int) *big.Float {
				return g.Value(float64(x[i]), float64(y[i]),
					longPrecision)
			}
		} else {
			g, err := oracle.Unary(mpfrName(f.Name))
			if err != nil {
				t.Fatal(err)
			}
			value = func(i int) T { return one(g, x[i]) }
			long = func(i int) *big.Float { return g.Value(float64(x[i]), longPrecision) }
		}
		p, err := Examine(l, f, x, y)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			continue
		}
		loop, err := l.Find(f)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]T, len(x))
		if err := loop(out, x, y); err != nil {
			t.Fatal(err)
		}
		wrong, worst := 0, 0.0
		for i, v := range out {
			if same(v, value(i)) {
				continue
			}
			wrong++
			worst = max(worst, longULPs(v, long(i)))
		}
		// The tolerance covers the errors of deviations: 2^-45 of them, or
		// 2^-29 ULPs.
		if wrong > 0 && !(math.Abs(worst-float64(p.Worst)) <= 0x1p-28*worst) {
			t.Errorf("%s %s %s: the worst is off by %v ULPs, but reported as %v", l.Name, f.Name,
				p.DType, worst, p.Worst)
		}
		if wrong != p.Wrong {
			t.Errorf("%s %s %s: %d are wrong, and %d were counted", l.Name, f.Name, p.DType, wrong,
				p.Wrong)
		}
	}
}

// mpfrName returns MPFR's name of a function of one argument.
func mpfrName(name string) string {
	if name == "rsqrt" {
		return "rec_sqrt"
	}
	return name
}

// longPrecision is the precision of the exact values, in bits.
const longPrecision = 300

// longULPs returns the distance of a number from a value. An infinite number
// counts as the first power of two that is too large.
func longULPs[T Float](got T, value *big.Float) float64 {
	f := FormatOf[T]()
	v := float64(got)
	if math.IsInf(v, 0) == value.IsInf() && value.IsInf() {
		return 0
	}
	if value.IsInf() {
		return math.Inf(1)
	}
	g := new(big.Float).SetPrec(longPrecision)
	if g.SetFloat64(v); g.IsInf() {
		g.SetMantExp(big.NewFloat(math.Copysign(1, v)), f.MaxExp()+1)
	}
	d := g.Sub(g, value)
	if d.Sign() == 0 {
		return 0
	}
	unit := min(max(value.MantExp(nil), f.MinExp()+1), f.MaxExp()+1) - f.Precision()
	ulps, _ := d.SetMantExp(d, -unit).Float64()
	return math.Abs(ulps)
}
