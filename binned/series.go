package binned

import (
	"math"
	"math/bits"
)

// series adds numbers from the smallest to the largest. It rounds to nearest in
// T after every addition, and overflows at the end only. The zero value is the
// sum +0.
type series[T Float] struct {
	t      T
	scaled bool // t is to be multiplied by 2^scale
}

// scale returns an exponent that keeps the largest level in the range of T.
func (s *series[T]) scale() int {
	if formatOf[T]().p == 24 {
		return 64
	}
	return 128
}

// add adds m·2^e, a number of T except that it may be out of range.
//
// Once a summand comes near the overflow threshold, the sum is scaled. The bits
// that it loses are too small to matter next to such a summand.
func (s *series[T]) add(m int64, e int) {
	if m == 0 {
		return
	}
	if !s.scaled && e+bits.Len64(uint64(max(m, -m))) >= formatOf[T]().emax-2 {
		s.t = ldexp(s.t, -s.scale())
		s.scaled = true
	}
	if s.scaled {
		e -= s.scale()
	}
	s.t += T(math.Ldexp(float64(m), e))
}

// value returns the sum, ±Inf if it overflows.
func (s *series[T]) value() T {
	if s.scaled {
		return ldexp(s.t, s.scale())
	}
	return s.t
}
