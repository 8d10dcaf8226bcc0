package stoch

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
)

// The estimate of CESTAC: of N = 3 samples with mean R and standard deviation
// σ, about
//
//	C = log10(√N·|R| / (σ·τ))
//
// digits of R are right, where τ is the quantile of Student's distribution with
// two degrees of freedom that holds with 95 % confidence (equation 1 of
// [Eberhart2015]).
const tau = 4.302652729911275

// noiseRatio is 6/τ². With S the sum of the samples, C ≤ 0 is the same as
//
//	Σ(3·Rᵢ - S)² ≥ noiseRatio·S²
const noiseRatio = 6 / (tau * tau)

// The decimal digits of a format: -log10 of its unit roundoff.
const (
	maxDigits64 = 53 * math.Ln2 / math.Ln10
	maxDigits32 = 24 * math.Ln2 / math.Ln10
)

// maxDigits returns the digits of a format.
func maxDigits[T Float]() float64 {
	if isSingle[T]() {
		return maxDigits32
	}
	return maxDigits64
}

// Mean returns the mean of the samples, the result. It is NaN if a sample is
// NaN.
func (x Number[T]) Mean() T {
	if x.r1 == x.r2 && x.r2 == x.r3 {
		return x.r1
	}
	w := x.widen()
	if m := w.r1 + ((w.r2-w.r1)+(w.r3-w.r1))/3; m-m == 0 {
		return T(m)
	}
	mean, _, scale := x.scaled() // a difference overflows, or a sample is not finite
	return T(math.Ldexp(mean, scale))
}

// Digits returns the number of significant decimal digits that the samples
// share with the exact result, with 95 % confidence: between 0 and the digits
// of the format, 15.95 or 7.22. A number whose samples are equal has all
// digits. One with infinite or NaN samples, unless all are the same, has none,
// and neither has NaN.
func (x Number[T]) Digits() float64 {
	switch {
	case x.IsNaN():
		return 0
	case x.isExact():
		return maxDigits[T]()
	case !x.isFinite():
		return 0
	}
	mean, deviation, _ := x.scaled()
	c := crmath.Log10(math.Sqrt(3) * math.Abs(mean) / (deviation * tau))
	return min(max(c, 0), maxDigits[T]())
}

// IsZero reports whether x is a computational zero, written @.0: all samples
// are 0, or no digit is right.
func (x Number[T]) IsZero() bool { return x == Number[T]{} || x.isNoise() }

// scaled returns the mean and the standard deviation of the samples, divided
// by 2^scale so that nothing overflows.
func (x Number[T]) scaled() (mean, deviation float64, scale int) {
	w := x.widen()
	largest := max(math.Abs(w.r1), math.Abs(w.r2), math.Abs(w.r3))
	if !(largest <= math.MaxFloat64) || largest == 0 {
		return (w.r1 + w.r2 + w.r3) / 3, 0, 0
	}
	_, scale = math.Frexp(largest)
	a, b, c := math.Ldexp(w.r1, -scale), math.Ldexp(w.r2, -scale), math.Ldexp(w.r3, -scale)
	u, v := b-a, c-a
	// Of the samples less a, Σd² - (Σd)²/3 = 2/3·(u² + v² - uv).
	squares := float64(u*u) + float64(v*v) - float64(u*v)
	return a + (u+v)/3, math.Sqrt(max(squares, 0) / 3), scale
}

// isNoise reports whether no digit of x is right although its samples differ.
// NaN is not noise; infinite samples beside finite ones are.
func (x Number[T]) isNoise() bool {
	return isSpread(float64(x.r1), float64(x.r2), float64(x.r3)) && x.isNoiseSlow()
}

// isSpread reports whether samples are so far apart that they may be noise. If
// they are not, Σ(3·Rᵢ - S)², which is 6·(u² + v² - uv), is at most 18/64·a²,
// also where squares underflow, and S² is at least 2.75²·a².
func isSpread(a, b, c float64) bool {
	u, v, bound := b-a, c-a, a*(1.0/8)
	return !(float64(u*u)+float64(v*v) < float64(bound*bound))
}

// areClose reports whether samples are so close that they are not noise.
// Samples near a normal a with the biased exponent E differ in bits below
// (E+1)·2^40 only: they have its sign, its exponent, and the first bit of its
// fraction, and so are at most half of a apart. Samples near a subnormal a are
// at most 2^-12·a apart. Others may be close, too.
func areClose(a, b, c float64) bool {
	v := math.Float64bits(a)
	return (v^math.Float64bits(b))|(v^math.Float64bits(c)) < v<<1>>13
}

// isNoiseSlow is isNoise for samples that are apart.
func (x Number[T]) isNoiseSlow() bool {
	if x.IsNaN() || x.isExact() {
		return false
	}
	if !x.isFinite() {
		return true
	}
	mean, deviation, _ := x.scaled()
	// Σ(3·Rᵢ - S)² = 18·σ², S = 3·R
	return 18*float64(deviation*deviation) >= noiseRatio*9*float64(mean*mean)
}

// wholeDigits returns the estimate rounded down, by the cheap logarithm: at
// most one digit below Digits, rounded down.
func (x Number[T]) wholeDigits() int {
	most := int(maxDigits[T]()) //lastbit:ignore floatconv a number of digits
	if x.IsNaN() || x.isExact() || !x.isFinite() {
		return int(x.Digits()) //lastbit:ignore floatconv a number of digits
	}
	mean, deviation, _ := x.scaled()
	if mean == 0 {
		return 0
	}
	return min(max(floorLog10(math.Sqrt(3)*math.Abs(mean)/(deviation*tau)), 0), most)
}

// floorLog10 returns the integer part of the decimal logarithm of x, positive
// and finite, or one less: ⌊e·log10(2)⌋ for x = m·2^e, 1 ≤ m < 2 (property 3.1
// of [Eberhart2015]).
func floorLog10(x float64) int {
	e := int(math.Float64bits(x)>>52&0x7ff) - 1023
	if e == -1023 { // subnormal
		_, e = math.Frexp(x)
		e--
	}
	// 20201781/2^26 is log10(2), near enough that no |e| < 1100 gives another
	// integer, as a test shows.
	return int(int64(e) * 20201781 >> 26)
}
