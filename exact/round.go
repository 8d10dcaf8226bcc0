package exact

import (
	"math"
	"math/bits"
)

// Float is the type of summands: IEEE 754 binary32 or binary64.
type Float interface {
	float32 | float64
}

// Result is the type of a result that a state is rounded to.
type Result interface {
	float32 | float64 | Odd
}

// Odd is a float64 rounded to odd: a real number that is not representable
// becomes the neighbour whose last bit is 1. Rounding an Odd to a format with
// at most 51 bits of precision, such as binary16, in any direction, is rounding
// the real number once.
//
//	fp.Binary16.Round(float64(exact.SumOf[exact.Odd](&a)), fp.NearestEven)
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
type Odd float64

// format is a binary interchange format.
type format struct {
	precision int // bits of a significand
	emin      int // exponent of the smallest normal number
	emax      int // exponent of the largest number
}

var (
	binary64 = format{53, -1022, 1023}
	binary32 = format{24, -126, 127}
)

// round returns the bits of the number of the format nearest to ±(m +
// s)·2^(e−63), ties to even, where m has its top bit set, and s is in (0, 1) if
// sticky, otherwise 0. A number that is too large becomes an infinity.
func (f format) round(negative bool, m uint64, e int, sticky bool) uint64 {
	drop := 64 - f.precision // bits of m that are dropped
	if e < f.emin {
		drop += f.emin - e
	}
	q, rest := m>>min(drop, 64), uint64(0)
	if drop <= 64 {
		rest = m << (64 - drop)
	}
	const half = 1 << 63
	if rest > half || rest == half && (sticky || q&1 != 0) {
		q++ // a carry goes into the exponent, as it should
	}
	p := f.precision - 1 // stored bits of a significand
	switch {
	case e > f.emax:
		q = uint64(2*f.emax+1) << p
	case e >= f.emin:
		q += uint64(e-f.emin) << p
	}
	if negative {
		q |= 1 << (p + bits.Len(uint(2*f.emax)))
	}
	return q
}

// roundToOdd is round with rounding to odd. A number that is too large becomes
// the largest number.
func (f format) roundToOdd(negative bool, m uint64, e int, sticky bool) uint64 {
	drop := 64 - f.precision
	if e < f.emin {
		drop += f.emin - e
	}
	p := f.precision - 1
	q := m >> min(drop, 64)
	if drop > 64 || m<<(64-drop) != 0 || sticky {
		q |= 1
	}
	switch {
	case e > f.emax:
		q = uint64(2*f.emax+1)<<p - 1
	case e >= f.emin:
		q += uint64(e-f.emin) << p
	}
	if negative {
		q |= 1 << (p + bits.Len(uint(2*f.emax)))
	}
	return q
}

// rounded returns the T that format.round rounds to.
func rounded[T Result](negative bool, m uint64, e int, sticky bool) T {
	switch any(T(0)).(type) {
	case float32:
		return T(math.Float32frombits(uint32(binary32.round(negative, m, e, sticky))))
	case Odd:
		return T(math.Float64frombits(binary64.roundToOdd(negative, m, e, sticky)))
	default:
		return T(math.Float64frombits(binary64.round(negative, m, e, sticky)))
	}
}
