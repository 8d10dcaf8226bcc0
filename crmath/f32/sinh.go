package f32

import "math"

// sinhcosh returns the even part of e^r, less 1, and the odd part, for
// |r| < ln 2/256. The next terms are below 2^-60.
func sinhcosh(r float64) (c, s float64) {
	r2 := float64(r * r)
	return float64(r2 * (0.5 + float64(r2*(1.0/24)))),
		r + float64(float64(r*r2)*(1.0/6+float64(r2*(1.0/120))))
}

// Sinh returns sinh x = (e^x - e^-x)/2, correctly rounded.
//
// Special cases:
//
//	Sinh(±0) = ±0
//	Sinh(±Inf) = ±Inf
//	Sinh(NaN) = NaN
//
// Above 89.41 in magnitude the result is ±Inf.
//
// The error: below 1/4 the polynomial's 2^-60.3, u for the last sum and less
// than u/32 before it. Elsewhere, with p and q the halves of 2^(±k/128), each
// within u,
//
//	sinh x = (p - q) + ((p - q)·(cosh r - 1) + (p + q)·sinh r),
//
// and p + q is at most 4.1 times the result: 4.1·u for p and q, u each for p -
// q and the last sum, less than u for all else: 2^-50.1 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Sinh(x float32) float32 { return fastSinh(x) }

// sinh is Sinh without fused operations.
func sinh(x float32) float32 {
	a := math.Abs(widenMost(x))
	if a < 0.25 {
		return sinhSmall(x)
	}
	if !(a < 128) {
		return x * float32(math.Inf(1))
	}
	shifted := float64(a*expStepInverse) + expShift
	k := math.Float64bits(shifted)
	kd := shifted - expShift
	c, s := sinhcosh((a - float64(kd*expStepHi)) - float64(kd*expStepLo))
	p, q := float64(0.5*pow2(k)), float64(0.5*pow2(-k))
	y := math.Copysign((p-q)+(float64((p-q)*c)+float64((p+q)*s)), float64(x))
	if unsure(y) {
		return exceptOdd(sinhExceptions, x, y)
	}
	return float32(y)
}

// sinhSmall is Sinh for |x| < 1/4.
func sinhSmall(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		return x
	}
	u := float64(v * v)
	u2 := float64(u * u)
	y := v + float64(float64(v*u)*((sinhC3+float64(u*sinhC5))+
		float64(u2*((sinhC7+float64(u*sinhC9))+float64(u2*sinhC11)))))
	if unsure(y) {
		return exceptOdd(sinhExceptions, x, y)
	}
	return float32(y)
}

// Cosh returns cosh x = (e^x + e^-x)/2, correctly rounded.
//
// Special cases:
//
//	Cosh(±0) = 1
//	Cosh(±Inf) = +Inf
//	Cosh(NaN) = NaN
//
// Above 89.41 in magnitude the result is +Inf.
//
// The error: as for Sinh, with p + q and p - q exchanged: u for p and q, 2·u
// for sums, less than u for all else: 2^-51 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Cosh(x float32) float32 { return fastCosh(x) }

// cosh is Cosh without fused operations.
func cosh(x float32) float32 {
	a := math.Abs(widenMost(x))
	if !(a < 128) {
		return float32(math.Abs(float64(x)) * math.Inf(1))
	}
	shifted := float64(a*expStepInverse) + expShift
	k := math.Float64bits(shifted)
	kd := shifted - expShift
	c, s := sinhcosh((a - float64(kd*expStepHi)) - float64(kd*expStepLo))
	p, q := float64(0.5*pow2(k)), float64(0.5*pow2(-k))
	y := (p + q) + (float64((p+q)*c) + float64((p-q)*s))
	if unsure(y) {
		return exceptEven(coshExceptions, x, y)
	}
	return float32(y)
}

// Tanh returns tanh x = (e^x - e^-x)/(e^x + e^-x), correctly rounded.
//
// Special cases:
//
//	Tanh(±0) = ±0
//	Tanh(±Inf) = ±1
//	Tanh(NaN) = NaN
//
// Above 9.02 in magnitude the result is ±1.
//
// The error: below 1/4 the polynomial's 2^-59.4, u for the last sum and less
// than u/16 before it. Elsewhere tanh x = 1 - 2/(e^2x + 1): 2^-51.9 of e^2x, u
// each for the sum and the quotient, together 4.2·u, times the quotient, which
// is at most 3.1 times the result; u for the difference: 2^-49.1 together.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Tanh(x float32) float32 { return fastTanh(x) }

// tanh is Tanh without fused operations.
func tanh(x float32) float32 {
	a := math.Abs(widenMost(x))
	if a < 0.25 {
		return tanhSmall(x)
	}
	if !(a < 10) {
		if x != x {
			return x
		}
		return float32(math.Copysign(1, float64(x)))
	}
	a *= 2
	shifted := float64(a*expStepInverse) + expShift
	kd := shifted - expShift
	t := pow2(math.Float64bits(shifted))
	e := t + float64(t*expPoly((a-float64(kd*expStepHi))-float64(kd*expStepLo)))
	y := math.Copysign(1-2/(e+1), float64(x))
	if unsure(y) {
		return exceptOdd(tanhExceptions, x, y)
	}
	return float32(y)
}

// tanhSmall is Tanh for |x| < 1/4.
func tanhSmall(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		return x
	}
	u := float64(v * v)
	u2 := float64(u * u)
	u4 := float64(u2 * u2)
	y := v + float64(float64(v*u)*(((tanhC3+float64(u*tanhC5))+
		float64(u2*(tanhC7+float64(u*tanhC9))))+
		float64(u4*((tanhC11+float64(u*tanhC13))+float64(u2*(tanhC15+float64(u*tanhC17)))))))
	if unsure(y) {
		return exceptOdd(tanhExceptions, x, y)
	}
	return float32(y)
}
