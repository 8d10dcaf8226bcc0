package exact

import (
	"math"
	"math/bits"
)

// Float is the type of summands: IEEE 754 binary32 or binary64.
type Float interface {
	float32 | float64
}

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

// rounded returns the T that format.round rounds to.
func rounded[T Float](negative bool, m uint64, e int, sticky bool) T {
	switch any(T(0)).(type) {
	case float32:
		return T(math.Float32frombits(uint32(binary32.round(negative, m, e, sticky))))
	default:
		return T(math.Float64frombits(binary64.round(negative, m, e, sticky)))
	}
}
