package kernel

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/internal/eft"
)

// FMA returns x·y + z, rounded once. The bits of a NaN are not defined.
//
// For float64 it is [math.FMA], one instruction where the processor has it. For
// float32 it takes some ten operations of float64 on every processor.
func FMA[T float32 | float64](x, y, z T) T {
	if unsafe.Sizeof(x) == 8 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	return T(fmaFloat32(float32(x), float32(y), float32(z)))
}

// AddMultiple sets y[i] to fma(factor, x[i], y[i]) for the elements of x. Its
// loop for float64 has the instruction inside: a call of FMA takes longer.
func AddMultiple[T float32 | float64](factor T, x, y []T) {
	y = y[:len(x)]
	if unsafe.Sizeof(factor) == 8 {
		for i, v := range x {
			y[i] = T(math.FMA(float64(factor), float64(v), float64(y[i])))
		}
		return
	}
	for i, v := range x {
		y[i] = FMA(factor, v, y[i])
	}
}

// fmaFloat32 returns x·y + z, rounded once to float32.
//
// The product is exact in float64. The sum is rounded twice, to float64 and to
// float32. That is one rounding unless the first result lies halfway between
// two numbers of float32: any other result lies on the same side of every such
// midpoint as the exact sum, because midpoints are numbers of float64.
func fmaFloat32(x, y, z float32) float32 {
	product := float64(x) * float64(y)
	s := product + float64(z) //lastbit:ignore fma the product is exact
	if mayRoundTwice(s) {
		s = addToOdd(product, float64(z))
	}
	return float32(s)
}

// to32 rounds to float32.
func to32(s float64) float64 { return float64(float32(s)) }

// mayRoundTwice reports whether a rounded sum may be halfway between two
// numbers of float32: it ends in a one and 28 zeros, or is tiny.
func mayRoundTwice(s float64) bool {
	bits := math.Float64bits(s)
	return bits<<35 == 1<<63 || bits<<1 < minNormal32<<1
}

// minNormal32 is the least normal number of float32, in bits of float64.
const minNormal32 = (1023 - 126) << 52

// addToOdd returns a + b, rounded to odd: a sum that float64 cannot represent
// becomes the neighbour whose last bit is 1. Rounded again, to float32, it
// gives the same as one rounding of the exact sum (Boldo2008, section III).
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
func addToOdd(a, b float64) float64 {
	s, e := eft.TwoSum(a, b)
	bits := math.Float64bits(s)
	if e == 0 || e != e || bits&1 != 0 {
		return s
	}
	if (e > 0) == (s > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}
