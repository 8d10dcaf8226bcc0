//go:build !static

package libm

import (
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/require"
)

// TestCountsAgainstMPFR counts wrong results of Go and C once more, by what MPFR says.
func TestCountsAgainstMPFR(t *testing.T) {
	oracle, err := mpfr.Open()
	if err != nil {
		require.Missing(t, "MPFR ("+err.Error()+")")
	}
	counts(t, oracle, Go[float64](), (*mpfr.Unary).Float64, (*mpfr.Binary).Float64)
	counts(t, oracle, Go[float32](), (*mpfr.Unary).Float32, (*mpfr.Binary).Float32)
	counts(t, oracle, c[float64](t), (*mpfr.Unary).Float64, (*mpfr.Binary).Float64)
	counts(t, oracle, c[float32](t), (*mpfr.Unary).Float32, (*mpfr.Binary).Float32)
}

func counts[T Float](t *testing.T, oracle *mpfr.Library, l Library[T], one func(*mpfr.Unary, T) T, two func(*mpfr.Binary, T, T) T) {
	t.Helper()
	for _, f := range Functions[T]() {
		if f.Results == 2 {
			continue // of sin and cos, which come alone
		}
		x, y := f.Fixed()
		x = x[:1024]
		var value func(i int) T
		if f.Binary {
			y = y[:1024]
			g, err := oracle.Binary(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			value = func(i int) T { return two(g, x[i], y[i]) }
		} else {
			g, err := oracle.Unary(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			value = func(i int) T { return one(g, x[i]) }
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
		wrong := 0
		for i, v := range out {
			if !same(v, value(i)) {
				wrong++
			}
		}
		if wrong != p.Wrong {
			t.Errorf("%s %s %s: %d are wrong, and %d were counted", l.Name, f.Name, p.DType, wrong, p.Wrong)
		}
	}
}
