package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

const (
	// Γ(172) is above the largest number. Below -186, between poles at least
	// 2^-45 away, |Γ| is below 2^-1080.
	gammaLarge = 172
	gammaLeast = -186

	// Below gammaTiny, Γ(x) differs from 1/x by less than 2^-60 of it.
	gammaTiny = 0x1p-60

	// gammaExact is the last integer n with a representable (n-1)!: 22! has 51
	// significant bits, 23! has 56, and more have more. No factorial has 54.
	gammaExact = 23
)

// Gamma is directed.Gamma, and crmath.Gamma to nearest.
func Gamma(x float64, m fp.Mode) float64 {
	if !(gammaTiny <= math.Abs(x) && gammaLeast < x && x < gammaLarge) {
		return gammaRare(x, m)
	}
	return gammaAccurate(x, m)
}

// gammaRare is Gamma where |x| < gammaTiny, x ≤ gammaLeast, x ≥ gammaLarge, or
// x is NaN. Where |x| < gammaTiny, Γ(x) = 1/x - 0.577…, and nothing but that
// constant parts it from 1/x where that is representable.
func gammaRare(x float64, m fp.Mode) float64 {
	switch {
	case x != x || math.IsInf(x, -1):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	case x == 0:
		return 1 / x
	case math.Abs(x) <= 0x1p-1024:
		return overflow(x, m)
	case x >= gammaLarge:
		return overflow(1, m)
	case x <= gammaLeast && x == math.Floor(x):
		return math.NaN()
	case x <= gammaLeast:
		return underflow(float64(gammaSign(x)), m)
	}
	if f, _ := math.Frexp(x); math.Abs(f) == 0.5 {
		return beside(1/x, -1, m)
	}
	return wide.Gamma.Rounded(x, 0, m)
}

// gammaSign returns the sign of Γ(x), for x that is neither 0 nor a negative
// integer.
func gammaSign(x float64) int {
	if x < 0 && math.Mod(math.Floor(x), 2) != 0 {
		return -1
	}
	return 1
}

// gammaAccurate is Gamma for other arguments. Factorials of integers are
// representable up to gammaExact, and none is a midpoint. Halves of odd numbers
// have irrational results, multiples of √π. No other result is known to be
// representable or a midpoint, and none is expected to be: the precision grows
// until the result is decided. If digits are random, the likelihood that any
// argument needs more than the 320 bits of wide.GammaLast is below 2^-190.
func gammaAccurate(x float64, m fp.Mode) float64 {
	if x != math.Floor(x) {
		return wide.Gamma.Rounded(x, 0, m)
	}
	if x <= 0 {
		return math.NaN()
	}
	if x > gammaExact {
		return wide.Gamma.Rounded(x, 0, m)
	}
	r := 1.0
	for i := 2.0; i < x; i++ {
		r *= i
	}
	return r
}

// From lgammaLarge on, ln Γ(x) is above the largest number by half an ulp at
// least.
const lgammaLarge = 0x1.754d9278b51a8p+1014

// Lgamma is directed.Lgamma, and crmath.Lgamma to nearest.
func Lgamma(x float64, m fp.Mode) (lgamma float64, sign int) {
	switch {
	case x != x || math.IsInf(x, 0):
		return x, 1
	case x <= 0 && x == math.Floor(x):
		return math.Inf(1), 1
	case x == 1 || x == 2:
		return 0, 1
	case x >= lgammaLarge:
		return overflow(1, m), 1
	}
	return lgammaAccurate(x, m), gammaSign(x)
}

// lgammaAccurate is ln |Γ(x)| for finite x that is neither a pole nor 1 or 2,
// as gammaAccurate is Γ(x): ln |Γ(x)| of integers and of halves of odd numbers
// is the logarithm of an algebraic number other than 1, and irrational.
func lgammaAccurate(x float64, m fp.Mode) float64 { return wide.Lgamma.Rounded(x, 0, m) }
