package f32

import "math"

// Cbrt returns the cube root of x, correctly rounded.
//
// Special cases:
//
//	Cbrt(±0) = ±0
//	Cbrt(±Inf) = ±Inf
//	Cbrt(NaN) = NaN
//
// The error: |x| = 2^(3q+j)·m and m·c = 1 + r exactly. The table's ∛(2^j/c) has
// u, its product with ∛(1+r) - 1 less than u/128, the last sum u: 2^-51.9
// together.
func Cbrt(x float32) float32 { return fastCbrt(x) }

// cbrt is Cbrt without fused operations.
func cbrt(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	a := math.Abs(v)
	if !(0 < a && a <= math.MaxFloat32) {
		return x
	}
	k, m, i := cell(a)
	const bias = 100 // k + 3·bias is not negative
	n := uint64(k + 3*bias)
	q := n / 3
	p := cbrtPoly(float64(m*logTable[i].c) - 1)
	t := math.Float64frombits(math.Float64bits(cbrtTable[i][n-3*q]) + q<<52 - bias<<52)
	y := math.Copysign(t+float64(t*p), v)
	if unsure(y) {
		return exceptOdd(cbrtExceptions, x, y)
	}
	return float32(y)
}

// cbrtPoly returns ∛(1+r) - 1 for |r| < logRadius.
func cbrtPoly(r float64) float64 {
	r2 := float64(r * r)
	return float64(r*cbrtC1) + float64(r2*((cbrtC2+float64(r*cbrtC3))+
		float64(r2*((cbrtC4+float64(r*cbrtC5))+float64(r2*cbrtC6)))))
}
