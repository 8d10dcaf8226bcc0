//go:build !static

package crmath

import (
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/require"
)

// openMPFR loads the oracle, or ends the test.
func openMPFR(t testing.TB) *mpfr.Library {
	t.Helper()
	l, err := mpfr.Open()
	if err != nil {
		require.Missing(t, "MPFR ("+err.Error()+")")
	}
	return l
}

func unaryMPFR(t testing.TB, name string) *mpfr.Unary {
	t.Helper()
	u, err := openMPFR(t).Unary(name)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func binaryMPFR(t testing.TB, name string) *mpfr.Binary {
	t.Helper()
	b, err := openMPFR(t).Binary(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// oracle, oracleF32, oracle2 and oracle2F32 return MPFR's function of that name, correctly
// rounded. A function that they return is for one goroutine.
func oracle(t testing.TB, name string) func(float64) float64    { return unaryMPFR(t, name).Float64 }
func oracleF32(t testing.TB, name string) func(float32) float32 { return unaryMPFR(t, name).Float32 }
func oracle2(t testing.TB, name string) func(x, y float64) float64 {
	return binaryMPFR(t, name).Float64
}
func oracle2F32(t testing.TB, name string) func(x, y float32) float32 {
	return binaryMPFR(t, name).Float32
}
