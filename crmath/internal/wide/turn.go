package wide

import "math"

// SetSinCosPi sets s and c to sin πx and cos πx at precision n, for finite x. x
// is k/2 + r, exactly, with |r| ≤ 1/4; π·r has one error more than the reduced
// argument of SetSinCos.
func SetSinCosPi(s, c *Float, x float64, n int) {
	w := n + 1
	x = math.Mod(x, 2)
	k := math.RoundToEven(2 * x)
	var r Float
	r.SetFloat64(x-float64(0.5*k), w)
	r.Mul(&r, &Pi, w)
	setSinCosReduced(s, c, &r, n)
	r.SetUint(1, w)
	c.Add(&r, c, w)
	s.quarterTurns(c, uint64(int64(k))) //lastbit:ignore floatconv reduced arguments are in range
}

// quarterTurns turns the point (c, s) by k quarters.
func (s *Float) quarterTurns(c *Float, k uint64) {
	if k&1 != 0 {
		*s, *c = *c, *s
		c.Neg = !c.Neg
	}
	if k&2 != 0 {
		s.Neg, c.Neg = !s.Neg, !c.Neg
	}
}

// SetHalfTurns sets z to the angle of SetAtan2 over π, near a guess of that.
func (z *Float) SetHalfTurns(y, x *Float, guess float64, n int) {
	z.SetAtan2(y, x, guess*math.Pi, n)
	z.Div(z, &Pi, n+1)
}
