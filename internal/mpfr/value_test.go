package mpfr_test

import (
	"math"
	"math/big"
	"testing"
)

// TestValue compares with package big's roots and products, at several
// precisions.
func TestValue(t *testing.T) {
	sqrt, mul := functions(t)
	for _, precision := range []uint{53, 64, 65, 128, 1000} {
		for _, x := range []float64{2, 3.75, 5e-324, math.MaxFloat64, 0x1.23456789abcdep-30} {
			want := new(big.Float).SetPrec(precision).SetMode(big.ToZero).SetFloat64(x)
			want.Sqrt(want)
			if got := sqrt.Value(x, precision); got.Cmp(want) != 0 || got.Prec() != precision {
				t.Errorf("√%v to %d bits = %v of %d, want %v", x, precision, got, got.Prec(), want)
			}
			want = new(big.Float).SetPrec(precision).SetMode(big.ToZero)
			want.Mul(new(big.Float).SetFloat64(x), big.NewFloat(-1.1))
			if got := mul.Value(x, -1.1, precision); got.Cmp(want) != 0 || got.Prec() != precision {
				t.Errorf("%v·-1.1 to %d bits = %v of %d, want %v", x, precision, got, got.Prec(),
					want)
			}
		}
	}
	for _, c := range []struct {
		x, y float64
		want string
	}{{0, 1, "0"}, {0, -1, "-0"}, {math.Inf(1), -1, "-Inf"}, {math.Inf(1), 0, "none"}} {
		got := "none"
		if v := mul.Value(c.x, c.y, 100); v != nil {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%v·%v = %s, want %s", c.x, c.y, got, c.want)
		}
	}
}
