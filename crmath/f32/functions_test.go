package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// function is a function of one argument and what computes it.
type function struct {
	name    string                // MPFR's
	f       func(float32) float32 // the function of this package
	plain   func(float32) float32 // without fused operations
	slice   func(dst, x []float32)
	kernel  func(*vectorSet) vector.Kernel[float32]
	double  counterpart
	math    func(float64) float64 // package math's, or nil
	parity  int                   // 1: even, -1: odd, 0: neither
	typical [2]float32            // a range of arguments for measurements
	golden  [2]uint64             // hashes for 2^16 and 2^24 strata
}

// A counterpart is a function of float64: its slice function, and itself.
type counterpart struct {
	slice func(dst, x []float64)
	one   func(x float64, m fp.Mode) float64
}

// An integerRow is a function of a number and an integer.
type integerRow struct {
	name  string // MPFR's
	slice func(dst, x []float32, n int)
	one   func(x float32, n int) float32
}

// exchanged returns f of exchanged arguments.
func exchanged(f func(y, x float32) float32) func(x, y float32) float32 {
	return func(x, y float32) float32 { return f(y, x) }
}

// mathExp10 is the nearest function in package math.
func mathExp10(x float64) float64 { return math.Pow(10, x) }
