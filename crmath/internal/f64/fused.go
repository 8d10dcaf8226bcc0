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

// What float64(math.Ln2) and float64(math.Ln10) leave of ln 2 and ln 10.
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
