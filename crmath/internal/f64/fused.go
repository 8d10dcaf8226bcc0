package f64

import "math"

// Parts of fast paths with fused operations, which the functions for single
// calls are made of. An exact product needs no heads here. The sum of z and x·y
// is p = FMA(x, y, z) and the rest FMA(x, y, z - p). The rest is exact up to
// 2^-53 of itself where z - p is exact: where x·y is z/2 at most in magnitude
// (Sterbenz's lemma), or z = 0. In fusedSin, where they are 0.0062 and 0.0122
// at the step next to 0, z - p is a multiple of 2^-60 below 2^-7. The two
// columns of numbers that a table has for a product of heads serve as they are.
// So each function has fewer roundings than its namesake without "fused", and
// keeps its bound.

// fusedSplit is splitSteps. rl is off by what stepLo leaves out, and by 2^-53
// of a - rh where |a| is below kd·stepLo.
func fusedSplit(x, inverse, stepHi, stepLo float64) (k uint64, rh, rl float64) {
	shifted := math.FMA(x, inverse, expShift)
	kd := shifted - expShift
	a := math.FMA(-kd, stepHi, x)
	rh = math.FMA(-kd, stepLo, a)
	return math.Float64bits(shifted), rh, math.FMA(-kd, stepLo, a-rh)
}

// fusedProduct returns rh + rl = (r + s)·(c + rest), where c + rest is a
// constant to 106 bits, |r| < 2^-8.9, and |s| ≤ 2^-54·|r|. |rl| is below
// 2^-62.3: in expReduced, r·rl is 2.3 units of 2^-73 instead of 1.5, and the
// sum with r - r1, half a unit, is not there.
func fusedProduct(r, s, c, rest float64) (rh, rl float64) {
	rh = float64(r * c)
	return rh, math.FMA(r, c, -rh) + math.FMA(s, c, float64(r*rest))
}

// Rests of constants, which begin with those of package math.
const (
	ln2Rest  = 0x1.abc9e3b39803fp-56
	ln10Rest = -0x1.f48ad494ea3e9p-53
)

// fusedExp is expReduced.
func fusedExp(k uint64, rh, rl float64) (hi, lo float64) {
	t := &expTable[k%expSteps]
	r2 := float64(rh * rh)
	p := (0.5 + float64(rh*expC3)) + float64(r2*((expC4+float64(rh*expC5))+float64(r2*expC6)))
	hi = math.FMA(t.hi, rh, t.hi)
	return hi, math.FMA(t.hi, rh, t.hi-hi) +
		math.FMA(t.hi, math.FMA(r2, p, rl), math.FMA(t.lo, math.FMA(r2, p, rh), t.lo))
}

// fusedExpBoth is expBoth.
func fusedExpBoth(k uint64, rh, rl float64) (h1, l1, h2, l2 float64) {
	t, u := &expTable[k%expSteps], &expTable[-k%expSteps]
	r2 := float64(rh * rh)
	even := float64(r2 * (0.5 + float64(r2*(expC4+float64(r2*expC6)))))
	cube, odd := float64(rh*r2), expC3+float64(r2*expC5)
	q := math.FMA(cube, odd, even)
	h1 = math.FMA(t.hi, rh, t.hi)
	l1 = math.FMA(t.hi, rh, t.hi-h1) + math.FMA(t.hi, rl+q, math.FMA(t.lo, rh+q, t.lo))
	q = math.FMA(-cube, odd, even)
	h2 = math.FMA(-u.hi, rh, u.hi)
	l2 = math.FMA(-u.hi, rh, u.hi-h2) + math.FMA(u.hi, q-rl, math.FMA(u.lo, q-rh, u.lo))
	return h1, l1, h2, l2
}

// fusedLog is logReduced. a and b are as there.
func fusedLog(u uint64, t, base float64) (hi, lo float64) {
	e := &logTable[(u-logOffset)>>(52-logBits)%logCells]
	m1 := math.Float64frombits(u &^ (1<<29 - 1))
	a := math.FMA(m1, e.c, -1)
	return fusedLogSum(a, float64(((math.Float64frombits(u)-m1)+t)*e.c), base+e.hi, e.lo)
}

// fusedLog0 is fusedLog for t = 0.
func fusedLog0(u uint64, base float64) (hi, lo float64) {
	e := &logTable[(u-logOffset)>>(52-logBits)%logCells]
	m1 := math.Float64frombits(u &^ (1<<29 - 1))
	a := math.FMA(m1, e.c, -1)
	return fusedLogSum(a, float64((math.Float64frombits(u)-m1)*e.c), base+e.hi, e.lo)
}

// fusedLogSum is the sum of logReduced: s + rest begins it.
func fusedLogSum(a, b, s, rest float64) (hi, lo float64) {
	s += a
	half := float64(0.5 * a)
	hi = math.FMA(-half, a, s)
	r := a + b
	r2 := float64(r * r)
	p := (logC3 + float64(r*logC4)) +
		float64(r2*((logC5+float64(r*logC6))+float64(r2*(logC7+float64(r*logC8)))))
	return hi, (math.FMA(-half, a, s-hi) + rest) +
		math.FMA(float64(r*r2), p, math.FMA(-b, math.FMA(0.5, b, a), b))
}

// fusedLogProduct is logProduct. The sum of base and the product may have less
// than half of base: it takes two steps.
func fusedLogProduct(hi, lo, base, chi, clo, c float64) (rh, rl float64) {
	p := float64(hi * chi)
	rh, rl = fastTwoSum(base, p)
	return rh, rl + math.FMA(hi, clo, math.FMA(lo, c, math.FMA(hi, chi, -p)))
}

// fusedSin is sinReduced. |r| takes the place of |p|, which is not larger.
func fusedSin(k uint64, rh, rl float64) (hi, lo, e float64) {
	s, c := &sinTable[k%trigSteps], &sinTable[(k+trigSteps/4)%trigSteps]
	r2 := float64(rh * rh)
	cube, odd := float64(rh*r2), sinC3+float64(r2*(sinC5+float64(r2*sinC7)))
	cos := float64(r2 * (cosC2 + float64(r2*(cosC4+float64(r2*cosC6)))))
	hi = math.FMA(c.hi, rh, s.hi)
	lo = math.FMA(c.hi, rh, s.hi-hi) + math.FMA(s.hi+s.lo, cos,
		math.FMA(c.lo, math.FMA(cube, odd, rh), s.lo)+float64(c.hi*math.FMA(cube, odd, rl)))
	e = float64((math.Abs(s.hi) + math.Abs(rh)) * (sinErrConst + float64(r2*sinErrSquare)))
	return hi, lo, e
}

// fusedAt is at. Next to c = 2^-7 the product may have more than half of f(c):
// the sum takes two steps.
func (t *expansion) fusedAt(h, square float64) (hi, lo, e float64) {
	h2 := float64(h * h)
	c67 := float64(float64(h2*h2) * (t.c6 + float64(h*t.c7)))
	w := float64(h2 * ((t.c2 + float64(h*t.c3)) + (float64(h2*(t.c4+float64(h*t.c5))) + c67)))
	p := float64(t.slopeHi * h)
	hi, s := fastTwoSum(t.hi, p)
	lo = s + (w + (t.lo + math.FMA(t.slopeLo, h, math.FMA(t.slopeHi, h, -p))))
	return hi, lo, float64(w*square) + float64(hi*expansionErr)
}

// fusedArc is the sum of arc, for the sine a + l of a form. The sum takes two
// steps, as in fusedAt.
func fusedArc(a, l float64, form int, square float64) (hi, lo, e float64) {
	shifted := a + 0x1.8p45
	i := math.Float64bits(shifted) % (1 << asinBits)
	h, l := fastTwoSum(a-(shifted-0x1.8p45), l)
	t, v, sign := &asinTable[i], &asinAngle[form][i], asinSign[form]
	h2 := float64(h * h)
	q := float64(h2 * (((t.c2 + float64(h*t.c3)) + float64(h2*(t.c4+float64(h*t.c5)))) +
		float64(float64(h2*h2)*((t.c6+float64(h*t.c7))+float64(h2*(t.c8+float64(h*t.c9)))))))
	p := float64(t.hi * h)
	rest := math.FMA(t.lo, h, math.FMA(t.hi, h, -p)+float64(t.hi*l))
	hi, r := fastTwoSum(v.hi, float64(sign*p))
	lo = r + (v.lo + float64(sign*(rest+q)))
	return hi, lo, asinErrLeast + float64(q*square)
}

// fusedHalf returns a + l = √((1-x)/2), as arc does: z - a² is exact.
func fusedHalf(x float64) (a, l float64) {
	z := float64(0.5 * (1 - x))
	a = math.Sqrt(z)
	return a, float64(math.FMA(-a, a, z) * (0.5 / a))
}

// fusedRest is sqrtRest.
func fusedRest(r, s, t float64) float64 { return float64((math.FMA(-r, r, s) + t) * (0.5 / r)) }

// fusedLogScaled is logScaled.
func fusedLogScaled(s, t float64, shift int64) (hi, lo float64) {
	u := math.Float64bits(s)
	k := int64(u-logOffset) >> 52
	t *= math.Float64frombits(uint64(1023-k) << 52)
	kd := float64(k + shift)
	hi, lo = fusedLog(u-uint64(k)<<52, t, float64(kd*logLn2Hi))
	return hi, lo + float64(kd*logLn2Lo)
}

// fusedTanhNear1 is tanhNear1.
func fusedTanhNear1(x float64) (hi, lo, e float64) {
	k, rh, rl := fusedSplit(float64(-2*x), expStepInverse, expStepHi, expStepLo)
	h, l := fusedExp(k, rh, rl)
	p := scale(2, k)
	h = float64(h * p)
	l = float64(l * p)
	y := h + l
	c := float64(y*y) / (2 + y)
	hi, lo = fastTwoSum(1, -h)
	return hi, lo + (c - l), math.FMA(c, 0x1p-50, math.FMA(y, 0x1p-68, 0x1p-105))
}

// fusedCbrt is cbrtNear. y³ is the sum of v3 and two smaller parts, up to
// 2^-104 of it.
func fusedCbrt(m float64, j uint64) (y, c float64) {
	e := &cbrtTable[(math.Float64bits(m)-cbrtOffset)>>(52-cbrtBits)%cbrtCells]
	r := math.FMA(m, e.b, -1)
	r2 := float64(r * r)
	t := e.root[j]
	p := (cbrtC2 + float64(r*cbrtC3)) +
		float64(r2*((cbrtC4+float64(r*cbrtC5))+float64(r2*cbrtC6)))
	y = math.FMA(t, math.FMA(r, cbrtC1, float64(r2*p)), t)
	v2 := float64(y * y)
	v3 := float64(v2 * y)
	rest := math.FMA(math.FMA(y, y, -v2), y, math.FMA(v2, y, -v3))
	d := math.FMA(m, cbrtScale[j].up, -v3) - rest
	return y, float64(d*y) * float64(float64(e.b*((1-r)+r2))*cbrtScale[j].down)
}

// Between hypotLeast and hypotMost squares and their rests are normal.
const (
	hypotLeast = 0x1p-450
	hypotMost  = 0x1p500
	hypotRoom  = 0x1p-30
)

// fusedHypot is Hypot for hypotLeast ≤ b ≤ a. It takes the root h of s = a² +
// b², and the rest of h² from the rests of products (Borges2019). h² - s and
// these rests are below 2^-50.5·h². q ≤ h² ≤ 2q up to three roundings, so that
// q - p is exact: no a² is next to a power of two from below by less than an
// ulp. Three roundings, below 2^-102·h² each, make d wrong, and those of the
// product with 1/(2h), below 2^-51.9·h, make c wrong by 2^-52 of itself:
// together less than 2^-98·h. The terms after d/(2h) are below 2^-104·h.
//
// So where c is above 2^-60·h in magnitude, the factors 1 ± hypotRoom bound the
// correction, and elsewhere the result is h, and so is the sum with both.
//
// Where a² overflows, or an argument is infinite or NaN, d is NaN.
func fusedHypot(a, b float64) (r float64, ok bool) {
	b2 := float64(b * b)
	h := math.Sqrt(math.FMA(a, a, b2))
	p, q := float64(h*h), float64(a*a)
	d := math.FMA(b, b, q-p) - math.FMA(h, h, -p) + math.FMA(a, a, -q)
	c := float64(d * (0.5 / h))
	r = math.FMA(c, 1-hypotRoom, h)
	return r, r == math.FMA(c, 1+hypotRoom, h)
}
