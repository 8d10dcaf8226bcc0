package deviation

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// value is base + rest, the value of a function, where rest has n+1 words and a
// relative error below 2^(-64n). The error may be 2^-50 where
//
//   - base is the rounded value, or
//   - rest is below 2^-54 of base:
//
// got - base is then 0, or at least twice as large as rest, so that no more
// than a bit cancels.
type value struct {
	base float64
	rest wide.Float
}

// setExact sets v to x.
func (v *value) setExact(x float64) {
	v.base = x
	v.rest.SetZero(wide.Words)
}

// deviation returns (got - v) / ulp(v) with a relative error below 2^-45, and
// true; or 0 and false if the cancellation calls for more words.
func (v *value) deviation(got float64, n int) (float64, bool) {
	if math.IsInf(v.base, 0) {
		return -v.base, true
	}
	w := n + 1
	var a, b, z wide.Float
	b.SetFloat64(v.base, w)
	if math.IsInf(got, 0) {
		a.SetUint(1, w)
		a.Neg, a.Exp = got < 0, wide.MaxExponent+1
	} else {
		a.SetFloat64(got, w)
	}
	a.Sub(&a, &b, w) // exact, or about as large as one of them
	z.Sub(&a, &v.rest, w)
	switch largest := max(a.Exp, v.rest.Exp); {
	case v.rest.IsZero() && a.IsZero():
		return 0, true
	case v.rest.IsZero(), a.IsZero():
	case z.IsZero(), z.Exp < largest-64*n+50:
		return 0, false
	}
	z.Exp -= v.ulp(n)
	return z.ExactFloat64(w), true
}

// ulp returns the exponent of ulp(v).
//
// Where base is 0, and v so close below a power of two that its error may have
// brought it there, v counts as that power: 120 bits distinguish it from any
// other value, as in the functions' worst cases. Where base is a power of two,
// and rest has the other sign and does not reach into the words of base, v is
// in the binade below.
func (v *value) ulp(n int) int {
	w := n + 1
	var b, s wide.Float
	b.SetFloat64(v.base, w)
	s.Add(&b, &v.rest, w)
	restIsLost := s.CmpAbs(&b, w) == 0 && !v.rest.IsZero()
	switch {
	case s.IsZero():
		return wide.MinExponent
	case b.IsZero():
		b.Set(&s, w)
		b.Exp -= 64*n - 4
		s.Add(&s, &b, w)
	case s.IsPowerOfTwo(w) && restIsLost && v.rest.Neg != s.Neg:
		s.Exp--
	}
	ulp := max(s.Exp-wide.Precision, wide.MinExponent)
	return min(ulp, wide.MaxExponent-wide.Precision)
}
