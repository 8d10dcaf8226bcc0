package f64

import (
	"math"
	"math/bits"
)

// reduceSmallErr·|x|, reduceMediumErr·|x| and reduceLargeErr bound the errors
// of the reduced arguments.
const (
	reduceSmallErr  = 0x1p-85
	reduceMediumErr = 0x1p-101
	reduceLargeErr  = 0x1p-83
)

// reduce returns k, whose low 20 bits are valid, rh + rl ≈ x - k·π/256, and a
// bound of the error, for x with the magnitude u, trigSmall ≤ |x| < trigHuge:
// by reduceSmall, or by reduceMedium from trigLarge on.
//
// The compiler does not inline it. The call costs 1 % of the time of Sin, Cos
// and Tan, and 3 % of Sincos; beyond trigLarge it saves 5 % and more, as no
// copy in each function begins the other reduction in vain. reduceLarge is not
// here: a function that calls another needs a stack frame, which costs 3 %
// more.
func reduce(x float64, u uint64) (k uint64, rh, rl, e float64) {
	if u >= magnitude(trigLarge) {
		k, rh, rl = reduceMedium(x)
		return k, rh, rl, float64(math.Float64frombits(u) * reduceMediumErr)
	}
	k, rh, rl = reduceSmall(x)
	return k, rh, rl, float64(math.Float64frombits(u) * reduceSmallErr)
}

// reduceSmall returns k, whose low 20 bits are valid, and rh + rl = x - k·π/256
// with |rh| < 0x1.922p-8 and, up to the error, |rl| ≤ 2^-53·|rh|, for |x| <
// trigLarge: Cody and Waite's reduction (Muller2016, chapter 11).
//
// kd has 19 bits, so that its product with the step's first part is exact. So
// is the difference a, a multiple of 2^-60 (the ulp of x, or of the product)
// below 2^-7. With |kd| < 81.49·|x|, b is off by |kd|·(2^-94 + 2^-95), from the
// product and the constant. a = rh + rl + b is exact where |a| ≥ |b|, and off
// by 2^-52·|b| < |kd|·2^-93 elsewhere. Together that is below 2^-85·|x|.
func reduceSmall(x float64) (k uint64, rh, rl float64) {
	return splitSteps(x, trigStepInverse, trigStepHi, trigStepLo)
}

// reduceMedium is reduceSmall for trigLarge ≤ |x| < trigHuge, where kd has 36
// bits and |rh| < 0x1.9224p-8: kd is the nearest integer up to 2^-16.8.
//
// The products of kd with the first three parts of a step, of 17 bits, are
// exact: multiples of 2^-23, 2^-40 and 2^-57; x is a multiple of 2^-40. The
// remainders after each are below 2^12, 2^-4 and 2^-6, so that the differences
// are exact too. With |kd| < 81.49·|x| and a last part below 2^-57, b is off by
// |kd|·(2^-110 + 2^-111), from the product and the constant. The rest is off by
// 2^-52·|b| < |kd|·2^-109 where |a| < |b|. Together that is below 2^-101.8·|x|.
func reduceMedium(x float64) (k uint64, rh, rl float64) {
	shifted := float64(x*trigStepInverse) + expShift
	kd := shifted - expShift
	a := ((x - float64(kd*trigStep1)) - float64(kd*trigStep2)) - float64(kd*trigStep3)
	b := float64(kd * trigStep4)
	rh = a - b
	return math.Float64bits(shifted), rh, (a - rh) - b
}

// reduceLarge is reduceSmall for 1/2 ≤ |x| ≤ MaxFloat64, with k modulo 512, by
// the method of PayneHanek1983.
//
// With x = ±m·2^e and n = e+62 = 8·i+j, the fraction of a turn is the fraction
// of m·2^j·w, where w is 2/π from the i-th byte on, after a word of zeros:
// three words of it, to a unit of the product's 128th bit. For negative x the
// fraction is subtracted from 1, to another unit. Its first 9 bits are k, the
// others a signed fraction f of a step.
//
// f1 holds the first 26 bits of f, and f2, below 2^-26, the next 53. The first
// part of a step has 26 bits too: its product with f1, a multiple of 2^-58, is
// exact. Errors, in units of 2^-88:
//
//	6.3   the bits that f2 leaves out
//	8     f2's product, and the step in it
//	2     f1·trigStepTail, and the constant in it
//	8     the sum, below 2^-31.9
//
// The last sum is exact: the first part is a multiple of the second's last bit.
// Together that is below 25 units, less than 2^-83.
func reduceLarge(x float64) (k uint64, rh, rl float64) {
	u := math.Float64bits(x)
	n := u>>52&0x7ff - (1075 - 62)
	m := (u&(1<<52-1) | 1<<52) << (n % 8)
	w := (*[17]uint64)(twoOverPiBytes[n/8:])
	p2, _ := bits.Mul64(m, w[16])
	h1, p1 := bits.Mul64(m, w[8])
	p1, c := bits.Add64(p1, p2, 0)
	p0 := m*w[0] + h1 + c
	// The signs of arguments are hard to predict: no branch depends on them.
	minus := uint64(int64(u) >> 63)
	p0, p1 = p0^minus, p1^minus
	f := int64(p0<<trigBits | p1>>(64-trigBits))
	f1 := float64(f >> 38)
	f2 := float64(f&(1<<38-1)<<15 | int64(p1<<trigBits>>49))
	rh, rl = fastTwoSum(float64(f1*(trigStepHead*0x1p-26)),
		float64(f1*(trigStepTail*0x1p-26))+float64(f2*((trigStepHead+trigStepTail)*0x1p-79)))
	return (p0 + 1<<(63-trigBits)) >> (64 - trigBits), rh, rl
}
