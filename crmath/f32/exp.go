package f32

import "math"

// expShift rounds to an integer: y + expShift holds the integer next to y in
// its lowest bits, for |y| < 2^51.
const expShift = 0x1.8p52

// pow2 returns 2^(k/128), rounded, where only the low 18 bits of k count, as a
// two's complement.
func pow2(k uint64) float64 {
	return math.Float64frombits(math.Float64bits(expTable[k%expSteps]) + k>>expBits<<52)
}

// expPoly returns e^r - 1 for |r| < ln 2/256, with an error below 2^-60.
func expPoly(r float64) float64 {
	r2 := float64(r * r)
	return r + float64(r2*((expC2+float64(r*expC3))+float64(r2*(expC4+float64(r*expC5)))))
}

// Exp returns e^x, correctly rounded.
//
// Special cases:
//
//	Exp(+Inf) = +Inf
//	Exp(-Inf) = 0
//	Exp(NaN) = NaN
//	Exp(±0) = 1
//
// Above 88.72 the result is +Inf. Below -87.33 it is subnormal, and rounded
// once; below -103.97 it is 0.
//
// The error: x - k·ln2/128 is off by less than 2^-61, as the first product is
// exact, and so is expPoly. The table has u, the product with it 2^-8·u, the
// sum u: 2^-51.9 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Exp(x float32) float32 { return fastExp(x) }

// exp is Exp without fused operations.
func exp(x float32) float32 {
	v := widenMost(x)
	if !(math.Abs(v) < 128) {
		return expRare(x)
	}
	shifted := float64(v*expStepInverse) + expShift
	kd := shifted - expShift
	t := pow2(math.Float64bits(shifted))
	y := t + float64(t*expPoly((v-float64(kd*expStepHi))-float64(kd*expStepLo)))
	if unsure(y) {
		return except(expExceptions, x, y)
	}
	return float32(y)
}

// expRare returns b^x for b > 2 where |x| ≥ 128, or x is NaN.
func expRare(x float32) float32 {
	switch {
	case x > 0:
		return float32(math.Inf(1))
	case x < 0:
		return 0
	}
	return x
}

// Exp2 returns 2^x, correctly rounded.
//
// Special cases:
//
//	Exp2(+Inf) = +Inf
//	Exp2(-Inf) = 0
//	Exp2(NaN) = NaN
//	Exp2(±0) = 1
//
// From 128 on the result is +Inf. Below -126 it is subnormal, and rounded once;
// from -150 down it is 0.
//
// The error: x - k/128 is exact; the rest is as for Exp.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Exp2(x float32) float32 { return fastExp2(x) }

// exp2 is Exp2 without fused operations.
func exp2(x float32) float32 {
	v := widenMost(x)
	if !(math.Abs(v) < 256) {
		return expRare(x)
	}
	shifted := float64(v*expSteps) + expShift
	r := v - float64((shifted-expShift)*(1.0/expSteps))
	r2 := float64(r * r)
	p := float64(r*exp2C1) +
		float64(r2*((exp2C2+float64(r*exp2C3))+float64(r2*(exp2C4+float64(r*exp2C5)))))
	t := pow2(math.Float64bits(shifted))
	y := t + float64(t*p)
	if unsure(y) {
		return except(exp2Exceptions, x, y)
	}
	return float32(y)
}

// Exp10 returns 10^x, correctly rounded.
//
// Special cases:
//
//	Exp10(+Inf) = +Inf
//	Exp10(-Inf) = 0
//	Exp10(NaN) = NaN
//	Exp10(±0) = 1
//
// Above 38.53 the result is +Inf. Below -37.92 it is subnormal, and rounded
// once; below -45.15 it is 0.
//
// The error: as for Exp.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Exp10(x float32) float32 { return fastExp10(x) }

// exp10 is Exp10 without fused operations.
func exp10(x float32) float32 {
	v := widenMost(x)
	if !(math.Abs(v) < 128) {
		return expRare(x)
	}
	shifted := float64(v*exp10StepInverse) + expShift
	kd := shifted - expShift
	r := (v - float64(kd*exp10StepHi)) - float64(kd*exp10StepLo)
	r2 := float64(r * r)
	p := float64(r*exp10C1) +
		float64(r2*((exp10C2+float64(r*exp10C3))+float64(r2*(exp10C4+float64(r*exp10C5)))))
	t := pow2(math.Float64bits(shifted))
	y := t + float64(t*p)
	if unsure(y) {
		return except(exp10Exceptions, x, y)
	}
	return float32(y)
}

// Expm1 returns e^x - 1, correctly rounded.
//
// Special cases:
//
//	Expm1(+Inf) = +Inf
//	Expm1(-Inf) = -1
//	Expm1(NaN) = NaN
//	Expm1(±0) = ±0
//
// Above 88.72 the result is +Inf, below -17.33 it is -1.
//
// The error: below 1/8 in magnitude, the polynomial's 2^-55.6, u for the last
// sum and u/4 before it. Elsewhere the error of Exp, without that of its last
// sum, is below 1.1·u·e^x, and e^x is at most 9.4 times |e^x - 1|; one more u:
// 2^-49.4 together.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Expm1(x float32) float32 { return fastExpm1(x) }

// expm1 is Expm1 without fused operations.
func expm1(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0.125 {
		return expm1Small(x)
	}
	if !(math.Abs(v) < 128) {
		return expRare(x) - 1
	}
	shifted := float64(v*expStepInverse) + expShift
	kd := shifted - expShift
	t := pow2(math.Float64bits(shifted))
	y := (t - 1) + float64(t*expPoly((v-float64(kd*expStepHi))-float64(kd*expStepLo)))
	if unsure(y) {
		return except(expm1Exceptions, x, y)
	}
	return float32(y)
}

// expm1Small is Expm1 for |x| < 1/8.
func expm1Small(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		return x
	}
	v2 := float64(v * v)
	v4 := float64(v2 * v2)
	y := v + float64(v2*(((expm1C2+float64(v*expm1C3))+float64(v2*(expm1C4+float64(v*expm1C5))))+
		float64(v4*((expm1C6+float64(v*expm1C7))+float64(v2*(expm1C8+float64(v*expm1C9)))))))
	if unsure(y) {
		return except(expm1Exceptions, x, y)
	}
	return float32(y)
}
