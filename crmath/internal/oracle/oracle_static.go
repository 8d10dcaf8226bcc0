//go:build static

// Package oracle skips tests that need MPFR: with the build tag static no
// shared library is loaded, so that the other tests run under an emulator that
// has none.
package oracle

import (
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
)

func missing(t testing.TB) { require.Missing(t, "MPFR (build tag static)") }

func Unary(t testing.TB, _ string) func(float64) float64         { missing(t); return nil }
func Unary32(t testing.TB, _ string) func(float32) float32       { missing(t); return nil }
func Binary(t testing.TB, _ string) func(x, y float64) float64   { missing(t); return nil }
func Binary32(t testing.TB, _ string) func(x, y float32) float32 { missing(t); return nil }

func Rounded(t testing.TB, _ string) func(float64, fp.Mode) float64 {
	missing(t)
	return nil
}

func In(t testing.TB, _ string, _ fp.Format) func(float64, fp.Mode) float64 {
	missing(t)
	return nil
}

func Rounded2(t testing.TB, _ string) func(x, y float64, m fp.Mode) float64 {
	missing(t)
	return nil
}

func EveryDirection(t testing.TB, _ string) func(float64) [5]float64 {
	missing(t)
	return nil
}

func EveryDirection2(t testing.TB, _ string) func(x, y float64) [5]float64 {
	missing(t)
	return nil
}

func EveryDirectionInt(t testing.TB, _ string) func(x float64, n int) [5]float64 {
	missing(t)
	return nil
}

func RoundedInt(t testing.TB, _ string) func(x float64, n int, m fp.Mode) float64 {
	missing(t)
	return nil
}

func UnaryValue(t testing.TB, _ string) func(x float64, precision uint) *big.Float {
	missing(t)
	return nil
}

func BinaryValue(t testing.TB, _ string) func(x, y float64, precision uint) *big.Float {
	missing(t)
	return nil
}

func IntValue(t testing.TB, _ string) func(x float64, n int, precision uint) *big.Float {
	missing(t)
	return nil
}
