package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
)

// Errors of exponents, times 2.01, as for Pow.
const (
	// Of n·ln(1+x), for |n|: powLog's 2^-80.5 and, for the sum with t/s, 2^-83.
	compoundErrFactor = 0x1.bp-80
	// The same near x = 0, relative: three operations with numbers below
	// 2^-20 of the exponent.
	compoundErrRelative = 0x1.9p-72
	// Of ln x/n: powLog's 2^-80.5, and less than that by the division.
	rootErr = 0x1.8p-79
)

// Pown is directed.Pown, and crmath.Pown to nearest.
func Pown(x float64, n int, m fp.Mode) float64 {
	nh, nl := splitInt(n)
	if nl == 0 {
		return Pow(x, nh, m)
	}
	a := math.Abs(x)
	if !(0 < a && a <= math.MaxFloat64) || a == 1 {
		return Pow(x, math.Copysign(float64(2+n&1), nh), m) // only sign and parity count
	}
	negative := 0.0
	if n&1 != 0 {
		negative = x
	}
	return withSign(pownHuge(a, n, mirrored(m, negative)), negative)
}

// splitInt returns n as the sum of a multiple of 2^11 and a rest from 0 to
// 2047, or of itself and 0 where a float64 holds it.
func splitInt(n int) (nh, nl float64) {
	if i := int64(n); i < -1<<53 || i > 1<<53 {
		return float64(i &^ (1<<11 - 1)), float64(i & (1<<11 - 1))
	}
	return float64(n), 0
}

// pownHuge is Pown for positive finite x ≠ 1 and |n| > 2^53. No such power is
// representable, or a midpoint, within the range of float64: powers of two lie
// outside.
func pownHuge(x float64, n int, m fp.Mode) float64 {
	v, k := logSplit(math.Float64bits(max(x, 0x1p-1022))) // smaller ones underflow as this one
	hi, lo := powLog(v, k)
	nh, _ := splitInt(n)
	e := expErr + float64(math.Abs(nh*hi)*powErrRelative)
	if r, ok := integerPower(hi, lo, n, e, m); ok {
		return r
	}
	if r, ok := wide.TryPown(x, n, m); ok {
		return r
	}
	for w := wide.First; ; w = wide.LongerPow(w) {
		var z wide.Float
		z.SetPown(x, n, w)
		if r, ok := z.Rounded(w, m); ok || w == wide.PowLast {
			return r
		}
	}
}

// integerPower returns e^(n·(hi+lo)), rounded in direction m, and whether that
// is decided, where |lo| is below 2^-20·|hi|, and e bounds the error of a power
// below 2.01, before it is scaled.
func integerPower(hi, lo float64, n int, e float64, m fp.Mode) (r float64, ok bool) {
	nh, nl := splitInt(n)
	p, t := twoProd(nh, hi)
	return expSum(p, t+(float64(nh*lo)+float64(nl*hi)), e, m)
}

// expSum returns e^(p+t), rounded in direction m, as the end of Pow does.
func expSum(p, t, e float64, m fp.Mode) (r float64, ok bool) {
	switch {
	case p > 710:
		return overflow(1, m), true
	case p < -746:
		return underflow(1, m), true
	}
	p, t = fastTwoSum(p, t)
	j, rh, rl := splitSteps(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo := expReduced(j, rh, rl)
	if math.Abs(p) >= 708 {
		return scaleFar(hi, lo, e, j, m)
	}
	r, ok = ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		r, ok = toward(hi, lo, e, m)
	}
	return scale(r, j), ok
}

// PownSlice is crmath.PownSlice. Its kernel is Pow's.
func PownSlice(dst, x []float64, n int) {
	var k vector.Kernel[float64]
	var y [vector.Most]float64
	if nh, nl := splitInt(n); nl == 0 && best.pow != nil {
		for i := range y {
			y[i] = nh
		}
		powers := kernel.Hide(y[:])
		k = func(dst, x *float64, n int) uint64 { return best.pow(dst, x, &powers[0], n) }
	}
	vector.MapLoop("crmath.PownSlice", dst, x, eachInt(Pown, n), k, isPositiveNormal)
}

// Compound is directed.Compound, and crmath.Compound to nearest.
func Compound(x float64, n int, m fp.Mode) float64 {
	if !(-1 < x && x <= math.MaxFloat64) || n == 0 || x == 0 {
		return compoundRare(x, n)
	}
	y := float64(n)
	if math.Abs(y*x) < 0x1p-56 { // so is |n·ln(1+x)|, or nearly so
		return beside(1, math.Copysign(y, x*y), m)
	}
	hi, lo, e := logPlus1(x)
	e = expErr + float64(math.Abs(y)*e)
	r, ok := integerPower(hi, lo, n, e, m)
	if !ok {
		return compoundAccurate(x, n, m)
	}
	return r
}

// logPlus1 returns hi + lo ≈ ln(1+x) for finite x > -1, |x| ≥ 2^-120. e bounds
// 2.01 times its error, with the errors of the three operations of
// integerPower, for each unit of n. With 1+x = s+t it is ln s + t/s - …, and
// t/s is below 2^-53.
func logPlus1(x float64) (hi, lo, e float64) {
	if math.Abs(x) < 0x1p-10 {
		hi, lo = log1pSmall(x)
		return hi, lo, float64(2.01*log1pNearErr(x)) + float64(math.Abs(hi)*compoundErrRelative)
	}
	s, t := twoSum(1, x)
	hi, lo = powLog(logSplit(math.Float64bits(s)))
	return hi, lo + t/s, compoundErrFactor
}

// compoundRare is Compound for the special cases.
func compoundRare(x float64, n int) float64 {
	switch {
	case x < -1:
		return math.NaN()
	case n == 0 || x == 0:
		return 1
	case x != x:
		return x
	case (x < 0) == (n < 0): // 0^n and Inf^n
		return math.Inf(1)
	}
	return 0
}

// compoundAccurate is Compound for finite x > -1, x ≠ 0, and n ≠ 0, where
// 2^-56 < |n·ln(1+x)| < 746. The precision grows as in Pow.
//
// 1+x = s+t is a sum that Add rounds for n = 1. For other n a result of 54 bits
// or fewer needs a sum of 27 bits, or for negative n a power of two: t is 0,
// and ExactPow finds them. From 2^100 on, (1+x)^n is so close to x^n, in the
// direction of n, that no precision might distinguish it from an exact one.
func compoundAccurate(x float64, n int, m fp.Mode) float64 {
	if n == 1 {
		return fp.Binary64.Add(1, x, m)
	}
	if r, ok := wide.TryCompound(x, n, m); ok {
		return r
	}
	s, t := twoSum(1, x)
	var z wide.Float
	switch {
	case t == 0:
		if r, ok := wide.ExactPow(s, float64(n), m); ok {
			return r
		}
	case x >= 0x1p100 && z.SetExactPow(x, float64(n)):
		return z.RoundedBeside(n > 0, m)
	}
	for w := wide.First; ; w = wide.LongerPow(w) {
		z.SetCompound(x, n, w)
		if r, ok := z.Rounded(w, m); ok || w == wide.PowLast {
			return r
		}
	}
}

// CompoundSlice is crmath.CompoundSlice.
func CompoundSlice(dst, x []float64, n int) {
	vector.MapLoop("crmath.CompoundSlice", dst, x, eachInt(Compound, n), nil, isNumber)
}

// Rootn is directed.Rootn, and crmath.Rootn to nearest.
func Rootn(x float64, n int, m fp.Mode) float64 {
	a := math.Abs(x)
	if !(0 < a && a <= math.MaxFloat64) || n == 0 || x < 0 && n&1 == 0 {
		return rootnRare(x, n)
	}
	if m == fp.NearestEven && n == 2 {
		if u := math.Float64bits(x); u < 1<<52 { // a subnormal number takes time
			return math.Sqrt(math.Float64frombits(normalBits(u))) * 0x1p-27
		}
		return math.Sqrt(x)
	}
	return withSign(rootOf(a, n, mirrored(m, x)), x)
}

// rootnRare is Rootn for the special cases.
func rootnRare(x float64, n int) float64 {
	odd := n&1 != 0
	switch {
	case n == 0 || x != x || x < 0 && !odd:
		return math.NaN()
	case (x == 0) == (n < 0):
		if odd {
			return math.Copysign(math.Inf(1), x)
		}
		return math.Inf(1)
	case odd:
		return math.Copysign(0, x)
	}
	return 0
}

// rootOf is Rootn for positive finite x and n ≠ 0.
func rootOf(x float64, n int, m fp.Mode) float64 {
	if x == 1 {
		return 1
	}
	q, t := logOver(x, n)
	if math.Abs(q) < 0x1p-57 {
		return beside(1, q, m)
	}
	r, ok := expSum(q, t, expErr+rootErr, m)
	if ok {
		return r
	}
	if r, ok = wide.TryRootn(x, n, m); ok {
		return r
	}
	if r, ok = wide.ExactRoot(x, n, m); ok {
		return r
	}
	for w := wide.First; ; w = wide.LongerPow(w) {
		var z wide.Float
		z.SetRootn(x, n, w)
		if r, ok := z.Rounded(w, m); ok || w == wide.PowLast {
			return r
		}
	}
}

// logOver returns q + t ≈ ln x/n, for positive finite x ≠ 1. 2.01 times its
// error is below rootErr: powLog's 2^-80.5, less than 2^-82.5 by the remainder
// and the division, and 2^-95 by the rounding of n beyond 2^53, where the
// quotient is below 2^-43. |t| is below 2^-20·|q|.
func logOver(x float64, n int) (q, t float64) {
	hi, lo := powLog(logNormal(x))
	y := float64(n)
	q = hi / y
	p, s := twoProd(q, y)
	return q, (((hi - p) - s) + lo) / y
}

// logNormal returns the encoding of v in [0.6875, 1.375), and k, with x =
// 2^k·v, for positive finite x.
func logNormal(x float64) (v uint64, k float64) {
	u := math.Float64bits(x)
	if u>>52 != 0 {
		return logSplit(u)
	}
	u, shift := logSubnormal(u)
	v, k = logSplit(u)
	return v, k - float64(shift)
}

// RootnSlice is crmath.RootnSlice.
func RootnSlice(dst, x []float64, n int) {
	vector.MapLoop("crmath.RootnSlice", dst, x, eachInt(Rootn, n), nil, isNumber)
}

// eachInt is vector.Each for a function of a number and an integer.
func eachInt(f func(x float64, n int, m fp.Mode) float64, n int) vector.Loop[float64] {
	return func(dst, x []float64) {
		dst = dst[:len(x)]
		for i, v := range x {
			dst[i] = f(v, n, fp.NearestEven)
		}
	}
}
