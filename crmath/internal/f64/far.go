package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// scaleFar returns 2^i·(hi+lo), rounded once in direction m, for k = 256·i + j,
// 0 ≤ j < 256. Only the low 20 bits of k count. The result may be subnormal
// or beyond the largest number: -1080 < i ≤ 1024, 0.99 < hi < 2.01, and |lo| <
// 2^-18. e is as in ziv, and ok is false where it hides the result.
func scaleFar(hi, lo, e float64, k uint64, m fp.Mode) (r float64, ok bool) {
	i := stepPower(k)
	if i <= -1022 {
		c := math.Float64frombits(uint64(1-i) << 52) // 2^(-1022-i)
		switch {
		case hi < c*(1-0x1p-16):
			return roundSubnormal(c, hi, lo, e, m)
		case hi < c*(1+0x1p-16):
			return 0, false
		}
	}
	r, ok = ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		r, ok = toward(hi, lo, e, m)
	}
	if i <= 0 {
		return scale(r, k), ok
	}
	if r = 4 * scale(r, k-2*expSteps); r > math.MaxFloat64 {
		r = overflow(1, m)
	}
	return r, ok
}

// roundSubnormal returns (hi+lo)·2^-1022/c, rounded once in direction m, where
// c is a power of two, and hi+lo is positive and below c. |lo| is below 2^-18,
// and e and ok are as in scaleFar.
//
// An ulp of c is the unit u of the result, times the scale. So c + hi + lo has
// to be rounded to 53 bits. Its encoding less the encoding of c is the
// result's. The sum of c and hi is exact; its second part t is u/2 at most.
// Beside e, the sum t + lo and ziv are each off by 2^-53·(u/2 + 2^-18) at most.
func roundSubnormal(c, hi, lo, e float64, m fp.Mode) (r float64, ok bool) {
	s, t := fastTwoSum(c, hi)
	t += lo
	e += float64(c*0x1p-104) + 0x1p-70
	r, ok = ziv(s, t, e)
	if !ok || m != fp.NearestEven {
		r, ok = toward(s, t, e, m)
	}
	return math.Float64frombits(math.Float64bits(r) - math.Float64bits(c)), ok
}

// scaleAny returns 2^i·(hi+lo), rounded once in direction m, for positive hi
// that is not subnormal and |lo| < 2^-19·hi. e and ok are as in scaleFar.
func scaleAny(hi, lo, e float64, i int, m fp.Mode) (r float64, ok bool) {
	d := int(math.Float64bits(hi)>>52) - 1023
	unit := math.Float64frombits(uint64(1023-d) << 52)
	switch i += d; {
	case i > 1024:
		return overflow(1, m), true
	case i < -1077:
		return underflow(1, m), true
	}
	return scaleFar(float64(hi*unit), float64(lo*unit), float64(e*unit), uint64(i)<<expBits, m)
}

// stepPower returns i of k = 256·i + j, 0 ≤ j < 256, from its low 20 bits.
func stepPower(k uint64) int { return int(int64(k<<44) >> (44 + expBits)) }

// slopeAt0 returns f(x) for |x| < tiny, where f(0) is 0, and
// the slope there is 2^i·(chi + clo), irrational, as in headProduct. The
// next term of its series is below 2^-196 of the first. That has an error below
// 2^-76, and the sums in ziv lose 2^-106.
func slopeAt0(f wide.Function, x float64, i int, chi, clo float64, m fp.Mode) float64 {
	if x == 0 {
		return x
	}
	a, e := split(math.Abs(x))
	hi, lo := headProduct(a, chi, clo)
	r, ok := scaleAny(hi, lo, float64(hi*0x1p-75), e+i, mirrored(m, x))
	if !ok {
		return f.Rounded(x, x, m)
	}
	return withSign(r, x)
}
