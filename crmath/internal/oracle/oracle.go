//go:build !static

// Package oracle gives tests MPFR's elementary functions, correctly rounded. A
// test ends where MPFR is missing. A function that is returned here is for one
// goroutine.
package oracle

import (
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/mpfr/mpfrtest"
)

func unary(t testing.TB, name string) *mpfr.Unary {
	t.Helper()
	f, err := mpfrtest.Open(t).Unary(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func binary(t testing.TB, name string) *mpfr.Binary {
	t.Helper()
	f, err := mpfrtest.Open(t).Binary(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func withInt(t testing.TB, name string) *mpfr.WithInt {
	t.Helper()
	f, err := mpfrtest.Open(t).WithInt(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Unary returns a function of one float64.
func Unary(t testing.TB, name string) func(float64) float64 { return unary(t, name).Float64 }

// Rounded returns a function of one float64, rounded in any direction.
func Rounded(t testing.TB, name string) func(float64, fp.Mode) float64 {
	f := unary(t, name)
	return func(x float64, m fp.Mode) float64 { return f.Rounded(x, fp.Binary64, m) }
}

// In returns a function of one float64, rounded to a format in any direction.
func In(t testing.TB, name string, format fp.Format) func(float64, fp.Mode) float64 {
	f := unary(t, name)
	return func(x float64, m fp.Mode) float64 { return f.Rounded(x, format, m) }
}

// Rounded2 returns a function of two float64, rounded in any direction.
func Rounded2(t testing.TB, name string) func(x, y float64, m fp.Mode) float64 {
	f := binary(t, name)
	return func(x, y float64, m fp.Mode) float64 { return f.Rounded(x, y, fp.Binary64, m) }
}

// EveryDirection returns a function of one float64, rounded in all directions.
func EveryDirection(t testing.TB, name string) func(float64) [mpfr.Directions]float64 {
	f := unary(t, name)
	return func(x float64) [mpfr.Directions]float64 { return f.EveryDirection(x, fp.Binary64) }
}

// EveryDirection2 is EveryDirection for a function of two float64.
func EveryDirection2(t testing.TB, name string) func(x, y float64) [mpfr.Directions]float64 {
	f := binary(t, name)
	return func(x, y float64) [mpfr.Directions]float64 {
		return f.EveryDirection(x, y, fp.Binary64)
	}
}

// EveryDirectionInt is EveryDirection for a function of a float64 and an
// integer.
func EveryDirectionInt(t testing.TB,
	name string) func(x float64, n int) [mpfr.Directions]float64 {
	f := withInt(t, name)
	return func(x float64, n int) [mpfr.Directions]float64 {
		return f.EveryDirection(x, n, fp.Binary64)
	}
}

// RoundedInt returns a function of a float64 and an integer, rounded in any
// direction.
func RoundedInt(t testing.TB, name string) func(x float64, n int, m fp.Mode) float64 {
	f := withInt(t, name)
	return func(x float64, n int, m fp.Mode) float64 { return f.Rounded(x, n, fp.Binary64, m) }
}

// Unary32 returns a function of one float32.
func Unary32(t testing.TB, name string) func(float32) float32 { return unary(t, name).Float32 }

// Binary returns a function of two float64.
func Binary(t testing.TB, name string) func(x, y float64) float64 { return binary(t, name).Float64 }

// Binary32 returns a function of two float32.
func Binary32(t testing.TB, name string) func(x, y float32) float32 {
	return binary(t, name).Float32
}

// UnaryValue returns a function of one float64, truncated to a precision in
// bits; nil means NaN.
func UnaryValue(t testing.TB, name string) func(x float64, precision uint) *big.Float {
	return unary(t, name).Value
}

// BinaryValue is UnaryValue for a function of two float64.
func BinaryValue(t testing.TB, name string) func(x, y float64, precision uint) *big.Float {
	return binary(t, name).Value
}

// IntValue is UnaryValue for a function of a float64 and an integer.
func IntValue(t testing.TB, name string) func(x float64, n int, precision uint) *big.Float {
	return withInt(t, name).Value
}
