package wide

// gammaReflect is the argument below which the kernels of gamma functions take
// the reflection formula.
const gammaReflect = -8

// gammaShort returns Γ(x), for an argument of SetGamma, with a relative error
// below 2^(lost-117).
//
// It is e^s/p with s and p of stirlingShort, and below gammaReflect
//
//	Γ(-a) = -π/(a·sin(πa)·Γ(a)).
//
// The absolute error of s is the relative one of e^s. The others are below
// 2^-118 together, and that is 2^-4 of 2^(bits-120) at most.
func gammaShort(x float64) (z short, lost int) {
	a := shortFloat(x)
	if x > gammaReflect {
		s, p, bits := stirlingShort(a)
		return expShort(s, &rateE).over(p), bits - 3
	}
	a.neg = false
	s, p, bits := stirlingShort(a)
	sine, _ := sinCosPiShort(x)
	return expShort(s.negated(), &rateE).times(shortPi).times(p).over(a.times(sine)), bits - 3
}

// lgammaShort returns z = ln |Γ(x)|, for an argument of SetLgamma, with a
// relative error below 2^(lost-117), as the logarithm of gammaShort. Another
// logarithm adds to the error of s: 2^-118 by its argument, and 2^-121 of
// itself, which is at most |z| + |s|, where |s| is below 2^bits. Together that
// is less than 2^(bits-119.7) + 2^-121·|z|.
func lgammaShort(x float64) (z short, lost int) {
	a := shortFloat(x)
	var bits int
	if x > gammaReflect {
		s, p, b := stirlingShort(a)
		p.neg = false
		z, bits = s.minus(logShort(p, false)), b
	} else {
		a.neg = false
		s, p, b := stirlingShort(a)
		sine, _ := sinCosPiShort(x)
		sine.neg = false
		z, bits = s.plus(logShort(a.times(sine).over(p.times(shortPi)), false)).negated(), b
	}
	if z.hi == 0 {
		return z, maxLost
	}
	return z, max(0, bits-z.exp-1)
}

// stirlingShort returns s and p with Γ(x) = e^s/p, for x > gammaReflect that is
// not 0 or a negative integer: p = x·(x+1)·…·(x+k-1), where y = x+k is at least
// 16, and
//
//	s = (y - 1/2)·ln y - y + ln(2π)/2 + (1/12 - 1/360·y^-2 + …)/y
//
// as in setStirling. The first product is below 2^bits, bits ≥ 6.
//
// The series is one in 2^7/y² ≤ 1/2. The terms left out are below 2^-126. The
// logarithm is off by 2^-121 of itself, its product by 2^-124, y and three sums
// by 2^-126 of that: s is off by less than 2^(bits-120.6). Each of the 24
// factors or fewer in p is off by 2^-126, and products by 2^-124: p is by less
// than 2^-119.
func stirlingShort(x short) (s, p short, bits int) {
	y, p := x.shifted16()
	t := y.minus(shortOne.scaled(-1)).times(logShort(y, false))
	inverse := shortOne.over(y)
	square := inverse.times(inverse)
	terms := fixed{square.hi, square.lo}.shifted(-shortStirlingBits-square.exp).
		alternatingSum(shortStirling[:], shortStirlingLong)
	s = t.minus(y).plus(shortStirlingHalf).plus(terms.normalized(false, 0).times(inverse))
	return s, p, t.exp
}

// shifted16 returns y = x+k ≥ 16 for the smallest even k ≥ 0 with that, and the
// product of x, x+1 … x+k-1. It has two chains of products, of even and odd
// factors.
func (x short) shifted16() (y, product short) {
	y = x
	even, odd := shortOne, shortOne
	for k := int64(0); y.neg || y.exp < 5; {
		even = even.times(y)
		odd = odd.times(x.plus(shortInt(k + 1)))
		k += 2
		y = x.plus(shortInt(k))
	}
	return y, even.times(odd)
}
