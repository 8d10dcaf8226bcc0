package f32

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/require"
)

func openMPFR(t *testing.T) *mpfr.Library {
	t.Helper()
	l, err := mpfr.Open()
	if err != nil {
		require.Missing(t, "MPFR ("+err.Error()+")")
	}
	return l
}

// open returns MPFR's function of that name.
func open(t *testing.T, name string) *mpfr.Unary {
	t.Helper()
	f, err := openMPFR(t).Unary(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// identical compares bits; a NaN is any NaN.
func identical(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func identical64(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
