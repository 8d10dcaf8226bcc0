package tables

import (
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr/mpfrtest"
)

// TestFunctions compares the first 250 bits of the functions behind all tables
// with MPFR's.
func TestFunctions(t *testing.T) {
	l := mpfrtest.Open(t)
	sin := func(x *big.Float) *big.Float { s, _ := SinCos(x); return s }
	cos := func(x *big.Float) *big.Float { _, c := SinCos(x); return c }
	for _, c := range []struct {
		name string
		f    func(*big.Float) *big.Float
		args []float64
	}{
		{"exp", Exp, []float64{1, -0.3, 0x1p-30, 700, -700}},
		{"log", Log, []float64{10, 0.3, 1.0078125, 0x1p-1000, 2}},
		{"atan", Atan, []float64{1, 0.3, 1e-9, 1e9}},
		{"sin", sin, []float64{1, -0.3, 3, 1e-9}},
		{"cos", cos, []float64{1, -0.3, 3, 1e-9}},
	} {
		u, err := l.Unary(c.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.args {
			d, ok := u.Digits(x)
			if !ok {
				t.Fatalf("%s(%v) has no digits", c.name, x)
			}
			i := new(big.Int)
			for _, m := range d.M {
				i.Or(i.Lsh(i, 64), new(big.Int).SetUint64(m))
			}
			want := new(big.Float).SetMantExp(new(big.Float).SetInt(i), d.Exp-256)
			got := fresh().Abs(c.f(real(x)))
			if e := quo(fresh().Abs(sub(got, want)), want); e.Cmp(real(0x1p-250)) > 0 {
				t.Errorf("%s(%v) = %.70g, want %.70g", c.name, x, got, want)
			}
		}
	}
	if pi := sub(Pi(), mul(real(4), Atan(real(1)))); pi.Sign() != 0 &&
		pi.MantExp(nil) > 40-precision {
		t.Errorf("π - 4·arctan 1 = %v", pi)
	}
}

// TestBound bounds the error of a polynomial whose error is known: x² by 0 is
// off by a², and 1 + x + 0.5·x² by e^x's by about a³/6.
func TestBound(t *testing.T) {
	if got := Bound([]*big.Float{real(0), real(0), real(1)}, nil, 0.25); got < 0.0625 ||
		got > 0.0627 {
		t.Errorf("x² is below %v for |x| ≤ 1/4", got)
	}
	if got := Bound(ExpSeries(30), []float64{1, 1, 0.5}, 0x1p-10); got < 0x1p-30/6 ||
		got > 0x1.02p-30/6 {
		t.Errorf("the error is below %v", got)
	}
}
