package wide

import "math"

// shortStepBits is the logarithm of the number of rows of shortSines in 1.
const shortStepBits = 7

// sinCosShort returns sin x and cos x, for finite x, with relative errors below
// 2^-121.
//
//  1. r = x - k·π/2, by SetReducedTurn to two words: off by 2^-125 of itself.
//  2. |r| = j/128 + t, exactly, with 0 ≤ t < 2^-7.
//  3. sin t = t·(1-u) and cos t = 1-v by Taylor's series in t²·2^14 < 1. A
//     step of Horner's scheme loses less than four units of 2^-128 for its
//     product and its coefficient: u and v are off by 2^-123.4. The next terms
//     are below 2^-134 of the results. The product with t adds 2^-124.
//  4. sin |r| = S·cos t + C·sin t, cos r = C·cos t - S·sin t with the row's S
//     and C. Products and a sum lose 2^-123; in the difference C·cos t is below
//     1.5·cos r.
func sinCosShort(x float64) (s, c short) {
	var f Float
	q := f.SetReducedTurn(x, 1)
	s, c = sinCosReducedShort(short{exp: f.Exp, hi: f.M[0], lo: f.M[1]})
	s.neg = f.Neg
	return quarterTurnsShort(s, c, q)
}

// quarterTurnsShort returns s and c, the second and first coordinates of a
// point, after k quarter turns.
func quarterTurnsShort(s, c short, k uint64) (short, short) {
	if k&1 != 0 {
		s, c = c, s.negated()
	}
	if k&2 != 0 {
		s, c = s.negated(), c.negated()
	}
	return s, c
}

// halfTurnsShort is setShort for Asinpi, Acospi and Atanpi: angles over π, near
// a guess of that. Up to 2^-60, angles are x, less or more by less than 2^-120
// of it.
func (f Function) halfTurnsShort(x short, guess float64) (z short, lost int) {
	switch {
	case x.exp <= -60 && f != Acospi:
		z = x
	case f == Asinpi:
		z, lost = Asin.arcShort(x, guess*math.Pi)
	case f == Acospi:
		z, lost = Acos.arcShort(x, guess*math.Pi)
	default:
		z, lost = Atan.arcShort(x, guess*math.Pi)
	}
	return z.times(shortInversePi), lost
}

// sinCosPiShort returns sin πx and cos πx, for finite x, with relative errors
// below 2^-120: x is k/2 + r, exactly, and the product with π adds 2^-124.
func sinCosPiShort(x float64) (s, c short) {
	x = math.Mod(x, 2)
	k := math.RoundToEven(2 * x)
	r := shortFloat(x - float64(0.5*k)).times(shortPi)
	neg := r.neg
	r.neg = false
	s, c = sinCosReducedShort(r)
	s.neg = neg
	q := uint64(int64(k)) //lastbit:ignore floatconv reduced arguments are in range
	return quarterTurnsShort(s, c, q)
}

// sinCosReducedShort is sinCosShort for 0 ≤ r < 0.786.
func sinCosReducedShort(r short) (s, c short) {
	if r.exp <= -shortStepBits {
		return sinCosNear(r)
	}
	shift := 64 - shortStepBits - r.exp
	j := r.hi >> shift
	s, c = sinCosNear(fixed{r.hi - j<<shift, r.lo}.normalized(false, r.exp))
	row := &shortSines[j]
	return row.sin.times(c).plus(row.cos.times(s)), row.cos.times(c).minus(row.sin.times(s))
}

// sinCosNear returns sin t and cos t for 0 ≤ t < 2^-7. In place of 1-u it takes
// 1-u-2^-128, which has two words also where u is 0.
func sinCosNear(t short) (s, c short) {
	if t.hi == 0 {
		return t, shortOne
	}
	a := fixed{t.hi, t.lo}.shifted(-shortStepBits - t.exp)
	a = a.times(a)
	u := a.alternating(&shortSinTerms)
	v := a.alternating(&shortCosTerms)
	s = t.times(short{hi: ^u.hi, lo: ^u.lo})
	return s, short{hi: ^v.hi, lo: ^v.lo}
}

// alternating returns c0·a - c1·a² + c2·a³ - …, for coefficients that fall fast
// and have one word from the fourth on.
func (a fixed) alternating(c *[6]fixed) fixed {
	low := mulHigh(a.hi, c[5].lo)
	low = mulHigh(a.hi, c[4].lo-low)
	p := c[2].minus(a.times(fixed{0, c[3].lo - low}))
	p = c[1].minus(a.times(p))
	p = c[0].minus(a.times(p))
	return a.times(p)
}

// atan2Short returns the angle of the point (x, y) near a guess, as SetAtan2
// does, with a relative error below 2^-118; maxLost for a guess that is off by
// more than 2^-44 of itself. With t the tangent of the rest, arctan t - t is
// below 2^-130 of the angle. The numerator of t is off by 2^-119.5 of y·cos g
// or x·sin g, hence the angle by that, as in SetAtan2.
func atan2Short(y, x short, guess float64) (z short, lost int) {
	s, c := sinCosShort(guess)
	g := shortFloat(guess)
	t := y.times(c).minus(x.times(s)).over(x.times(c).plus(y.times(s)))
	if !(math.Abs(guess) > TinyAngle && (t.hi == 0 || t.exp < g.exp-45)) {
		lost = maxLost
	}
	return g.plus(t), lost
}

// cofactorShort returns √(1-x²) for |x| ≤ 1, with a relative error below
// 2^-123: the square is exact, and so is the difference, unless it is near 1.
func cofactorShort(x short) short { return shortOne.minus(x.times(x)).root() }
