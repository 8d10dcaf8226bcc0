package wide

import "math"

// erfShort returns erf x for |x| < 28, with a relative error below 2^-119.
func erfShort(x float64) short {
	a := math.Abs(x)
	if a < erfcNear {
		return erfSmallShort(x)
	}
	z := shortOne.minus(erfcFarShort(a))
	z.neg = x < 0
	return z
}

// erfcShort returns erfc x for -6 < x < 28, with a relative error below
// 2^-119: below 1/2 as 1 - erf x, and below -1/2 as 2 - erfc -x.
func erfcShort(x float64) short {
	switch {
	case x >= erfcNear:
		return erfcFarShort(x)
	case x > -erfcNear:
		return shortOne.minus(erfSmallShort(x))
	}
	return shortOne.scaled(1).minus(erfcFarShort(-x))
}

// erfSmallShort returns erf x = 2·x/√π·(1 - x²/3 + x⁴/(2!·5) - …) for |x| ≤
// 1/2, with a relative error below 2^-122. The series in 4x² ≤ 1 loses less
// than six units of 2^-128, the next term is below 2^-132, and the two products
// lose 2^-123.
func erfSmallShort(x float64) short {
	a := shortFloat(x)
	if a.hi == 0 {
		return a
	}
	s := a.times(a)
	p := fixed{s.hi, s.lo}.shifted(-2-s.exp).alternatingSum(shortErf[:], shortErfLong)
	return a.times(shortErfSlope).times(p.normalized(false, 0))
}

// erfcFarShort returns erfc x = e^(-x²)·g(x) for 1/2 ≤ x < 28, with a
// relative error below 2^-120.
//
// g(x) = e^x²·erfc x, the Laplace transform of a positive function, has
// derivatives that alternate in sign. Rows of the table are for eighths of
// octaves [c, c+w), and approximate 2^i·g(c + w·a) in a, for the octave from
// 2^i on, or g in the first one: between 1/5 and 2/3. The n-th coefficient of
// g's Taylor series is at most 1/(√π·x^(n+1)), and w at most x/8: as
// polynomials that agree with g in Chebyshev's n nodes are off by 2·(w/4)^n
// times that at most, n = 26 makes them off by less than 2^-127 of g. The sum
// loses six units of 2^-128, and the product and the exponential 2^-124 and
// 2^-122; x² is exact.
func erfcFarShort(x float64) short {
	const rowBits = 52 - shortErfcBits
	u := math.Float64bits(x)
	row := &shortErfc[(u>>rowBits-shortErfcFirst)%uint64(len(shortErfc))]
	g := fixed{u << (64 - rowBits), 0}.alternatingSum(row[:], shortErfcLong)
	a := shortFloat(x)
	s := a.times(a)
	s.neg = true
	return expShort(s, &rateE).times(g.normalized(false, min(0, 1-a.exp)))
}

// alternatingSum returns c0 - c1·a + c2·a² - …, for coefficients that fall fast
// and have one word from the given one on.
func (a fixed) alternatingSum(c []fixed, long int) fixed {
	low := uint64(0)
	for k := len(c) - 1; k >= long; k-- {
		low = c[k].lo - mulHigh(a.hi, low)
	}
	p := fixed{0, low}
	for k := long - 1; k >= 0; k-- {
		p = c[k].minus(a.times(p))
	}
	return p
}
