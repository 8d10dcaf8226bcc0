package stoch

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/internal/eft"
)

// A Rounding rounds results that are not exact.
type Rounding uint8

// The roundings.
const (
	// UpOrDown is the rounding of CESTAC: R- and R+, the numbers of the format
	// below and above the exact result, are equally likely.
	UpOrDown Rounding = iota

	// Nearness is stochastic rounding: the nearer of R- and R+ is likelier, so
	// that the mean of the rounded result is the exact result.
	Nearness

	// Nearest rounds to nearest, ties to even. With a precision of fewer bits
	// it is variable-precision arithmetic. All samples are equal.
	Nearest

	// MonteCarlo adds noise to operands and results: m·2^e, 1/2 ≤ |m| < 1,
	// becomes m·2^e + ξ·2^(e-t), rounded to nearest, where ξ is uniform
	// between -1/2 and 1/2 and t is the virtual precision ([Parker1997]). A
	// number of at most t bits stays.
	MonteCarlo

	// MonteCarloOperands adds noise to operands only, which shows
	// cancellations ("precision bounding").
	MonteCarloOperands

	// MonteCarloResults adds noise to results only ("random rounding").
	MonteCarloResults

	roundings
)

// String returns the name of the rounding.
func (r Rounding) String() string {
	if r >= roundings {
		return fmt.Sprintf("Rounding(%d)", uint8(r))
	}
	return [roundings]string{"UpOrDown", "Nearness", "Nearest", "MonteCarlo",
		"MonteCarloOperands", "MonteCarloResults"}[r]
}

func (r Rounding) isMonteCarlo() bool { return r >= MonteCarlo }

// format is a binary format: |x| < 2^(maxExp+1), and subnormal below 2^minExp.
type format struct{ precision, minExp, maxExp int }

// formatOf returns the format T.
func formatOf[T Float]() format {
	if isSingle[T]() {
		return format{24, -126, 127}
	}
	return format{53, -1022, 1023}
}

// exponentBits returns the bits of the exponent's field.
func (f format) exponentBits() int { return bits.Len(uint(f.maxExp)) + 1 }

// max returns the largest number.
func (f format) max() float64 {
	return math.Ldexp(2-math.Ldexp(1, 1-f.precision), f.maxExp)
}

// settle rounds the exact result of an operation, for sample i.
func (a *Arithmetic[T]) settle(x exact, c coins, i uint) T {
	if x.hi == 0 || x.hi-x.hi != 0 {
		return T(x.hi)
	}
	if a.rounding == MonteCarlo || a.rounding == MonteCarloResults {
		x = x.withNoise(a.virtual, a.uniform(c, i, results)-0.5)
	}
	low, high, part := a.format.around(x)
	if part == 0 {
		return T(low)
	}
	switch a.rounding {
	case UpOrDown:
		if a.isDown(c, i) == (x.hi > 0) {
			return T(low)
		}
		return T(high)
	case Nearness:
		if a.uniform(c, i, results) < part {
			return T(high)
		}
		return T(low)
	}
	if part > 0.5 || part == 0.5 && isOdd(low, a.format) {
		return T(high)
	}
	return T(low)
}

// isOdd reports whether the last bit of the significand of x is 1. x is a
// number of the format, or infinite.
func isOdd(x float64, f format) bool {
	_, e := math.Frexp(x)
	return math.Mod(math.Ldexp(x, -max(e-f.precision, f.minExp-f.precision+1)), 2) != 0
}

// around returns the numbers of the format next to x: low towards 0 and high
// away from it, high infinite beyond the largest number. part is the distance
// of x from low, in units of that between them; 0 means that x is low. x is
// finite and not 0.
func (f format) around(x exact) (low, high, part float64) {
	sign := math.Copysign(1, x.hi)
	hi, lo := math.Abs(x.hi), x.lo*sign
	m, e := math.Frexp(hi)
	if m == 0.5 && lo < 0 {
		e-- // x is below the power of two
	}
	// The unit in the last place of x in the format is 2^q.
	q := max(e+x.k-f.precision, f.minExp-f.precision+1)
	whole := 0.0
	if shift := x.k - q; e+shift < -60 {
		part = 0x1p-60 // deep below the smallest number
	} else {
		t := math.Ldexp(hi, shift)
		whole = math.Floor(t)
		part = t - whole + math.Ldexp(lo, shift)
		if part < 0 {
			whole, part = whole-1, part+1
		}
		part = min(part, 1-0x1p-53)
	}
	low, high = math.Ldexp(whole, q), math.Ldexp(whole+1, q)
	if largest := f.max(); low > largest {
		low, high, part = largest, math.Inf(1), 1
	} else if high > largest {
		high = math.Inf(1)
	}
	return sign * low, sign * high, part
}

// withNoise returns x + ξ·2^(e-t) for |x| = m·2^e with m between 1/2 and 1, or
// x if that has at most t bits.
func (x exact) withNoise(t int, xi float64) exact {
	m, e := math.Frexp(x.hi)
	if scaled := math.Ldexp(m, t); x.lo == 0 && scaled == math.Trunc(scaled) {
		return x
	}
	s, f := eft.TwoSum(x.hi, math.Ldexp(xi, e-t))
	hi, lo := eft.TwoSum(s, f+x.lo)
	return exact{hi, lo, x.k}.normalized()
}

// operand returns an operand with the noise of Monte Carlo arithmetic, rounded
// to the format. which is its number.
func (a *Arithmetic[T]) operand(x Number[T], c coins, which uint) Number[T] {
	if a.rounding != MonteCarlo && a.rounding != MonteCarloOperands {
		return x
	}
	return Number[T]{
		a.perturb(x.r1, a.uniform(c, 0, which)-0.5),
		a.perturb(x.r2, a.uniform(c, 1, which)-0.5),
		a.perturb(x.r3, a.uniform(c, 2, which)-0.5),
	}
}

// perturb returns x with noise, rounded to nearest.
func (a *Arithmetic[T]) perturb(x T, xi float64) T {
	if x == 0 || x-x != 0 {
		return x
	}
	e := exact{hi: float64(x)}.normalized().withNoise(a.virtual, xi)
	if e.hi == 0 {
		return T(e.hi)
	}
	low, high, part := formatOf[T]().around(e)
	if part > 0.5 || part == 0.5 && isOdd(low, formatOf[T]()) {
		return T(high)
	}
	return T(low)
}

// results is the number of the result among the operands, 0 to 2.
const results = 3

// uniform returns a random number of sample i, at least 0 and below 1, for an
// operand or the result. The third sample mirrors the second one, unless they
// are independent.
func (a *Arithmetic[T]) uniform(c coins, i, which uint) float64 {
	flip := uint64(0)
	if i == 2 && !a.independent {
		i, flip = 1, math.MaxUint64
	}
	h := mix(uint64(c)+uint64(i+1)*golden+uint64(which)*0xd1342543de82ef95) ^ flip
	return float64(h>>11) * 0x1p-53
}
