//go:build !static

package f32

import (
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/require"
)

// openMPFR loads the oracle, or ends the test.
func openMPFR(t *testing.T) *mpfr.Library {
	t.Helper()
	l, err := mpfr.Open()
	if err != nil {
		require.Missing(t, "MPFR ("+err.Error()+")")
	}
	return l
}

func unaryMPFR(t *testing.T, name string) *mpfr.Unary {
	t.Helper()
	f, err := openMPFR(t).Unary(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// oracle and oracle2 return MPFR's function of that name, correctly rounded, for one goroutine.
func oracle(t *testing.T, name string) func(float32) float32 { return unaryMPFR(t, name).Float32 }

func oracle2(t *testing.T, name string) func(x, y float32) float32 {
	t.Helper()
	f, err := openMPFR(t).Binary(name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Float32
}
