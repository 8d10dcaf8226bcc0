package deviation

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// erfcGone bounds the arguments of erfc whose value counts: for a larger x,
// erfc x is less than 2^-1074 of the smallest number.
const erfcGone = 40

// setBeside sets v to f(x), for x as fold leaves it, where that is next to a
// number: 0, ±1/2, ±1, 2, 1/x of a power of two, or the logarithm of one. It
// returns false where it is not.
func (v *value) setBeside(f Unary, x float64, n int) bool {
	near := math.Abs(x) < 0x1p-56
	switch {
	case f == Exp2m1 && x <= -16, f == Exp10m1 && x <= -16:
		v.base = -1
		v.setUnary(f.kernel()-wide.Exp2m1+wide.Exp2, max(x, -2*maxExponent), n)
	case f == Erf && x >= 6:
		v.base = 1
		v.setUnary(wide.Erfc, min(x, erfcGone), n)
		v.rest.Neg = true
	case f == Erfc && x <= -6:
		v.base = 2
		v.setUnary(wide.Erfc, min(-x, erfcGone), n)
		v.rest.Neg = true
	case f == Erfc && near:
		v.base = 1
		v.setUnary(wide.Erf, -x, n)
	case f == Cospi && near:
		v.base = 1
		v.setTimesPi(x, n)
		v.rest.Sqr(&v.rest, n+1)
		v.rest.Exp--
		v.rest.Neg = !v.rest.IsZero()
	case f == Acospi && near:
		v.base = 0.5
		v.setOverPi(-x, n)
	case f == Atanpi && x >= 0x1p56:
		v.base = 0.5
		v.setTimesPi(x, n)
		v.setInverse(n)
		v.rest.Neg = true
	case (f == Asinpi || f == Atanpi) && x < 0x1p-500:
		v.base = 0
		v.setOverPi(x, n)
	case f == Log2p1 && x >= 0x1p53 && isPowerOfTwo(x):
		v.base = float64(math.Ilogb(x))
		v.rest.SetFloat64(x, n+1)
		v.rest.Mul(&v.rest, &wide.Ln2, n+1)
		v.setInverse(n)
	case f == Gamma && near && isPowerOfTwo(x):
		const euler = 0.5772156649015329 // Γ(x) = 1/x - 0.577… + O(x)
		v.base = 1 / x
		v.rest.SetFloat64(-euler, n+1)
	default:
		return false
	}
	return true
}

// setUnary sets v's rest to f(x).
func (v *value) setUnary(f wide.Function, x float64, n int) { f.Set(&v.rest, x, 0, n) }

// setTimesPi sets v's rest to πx.
func (v *value) setTimesPi(x float64, n int) {
	v.rest.SetFloat64(x, n+1)
	v.rest.Mul(&v.rest, &wide.Pi, n+1)
}

// setOverPi sets v's rest to x/π.
func (v *value) setOverPi(x float64, n int) {
	v.rest.SetFloat64(x, n+1)
	v.rest.Div(&v.rest, &wide.Pi, n+1)
}

// setInverse sets v's rest to its inverse.
func (v *value) setInverse(n int) {
	var one wide.Float
	one.SetUint(1, n+1)
	v.rest.Div(&one, &v.rest, n+1)
}

// isPowerOfTwo reports whether |x| is a power of two.
func isPowerOfTwo(x float64) bool {
	f, _ := math.Frexp(x)
	return math.Abs(f) == 0.5
}
