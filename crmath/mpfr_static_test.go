//go:build static

package crmath

import (
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// With the build tag static no shared library is loaded, so that the other tests run
// under an emulator that has none.
func noMPFR(t testing.TB) { require.Missing(t, "MPFR (build tag static)") }

func oracle(t testing.TB, _ string) func(float64) float64          { noMPFR(t); return nil }
func oracleF32(t testing.TB, _ string) func(float32) float32       { noMPFR(t); return nil }
func oracle2(t testing.TB, _ string) func(x, y float64) float64    { noMPFR(t); return nil }
func oracle2F32(t testing.TB, _ string) func(x, y float32) float32 { noMPFR(t); return nil }
