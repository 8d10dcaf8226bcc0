package f32

import "math"

//lint:file-ignore U1000 internal/_asm/lanes compiles these functions to assembly

// The vector kernels are compiled from the functions themselves, operation by
// operation. Where a function calls an accurate path or returns a constant, a
// lane has no result, and the function is called.

//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -src ../../crmath/f32 -lanes exp,exp2,exp10,expm1,log,log2,log10,log1p,sin,cos,tan,asin,acos,atanLane,sinh,cosh,tanh,asinh,acosh,atanh,cbrt,exp2m1,exp10m1,log2p1,log10p1,sinpi,cospi,tanpi,asinpi,acospi,atanpiLane,rsqrt,erf,erfc,gammaLane,lgammaLane,powLane,atan2Lane,hypot -out ../../crmath/f32/lanes_amd64.s -stubs ../../crmath/f32/lanes_amd64.go -pkg f32"
//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -arch arm64 -src ../../crmath/f32 -lanes exp,exp2,exp10,expm1,log,log2,log10,log1p,sin,cos,tan,asin,acos,atanLane,sinh,cosh,tanh,asinh,acosh,atanh,cbrt,exp2m1,exp10m1,log2p1,log10p1,sinpi,cospi,tanpi,asinpi,acospi,atanpiLane,rsqrt,erf,erfc,gammaLane,lgammaLane,powLane,atan2Lane,hypot -out ../../crmath/f32/lanes_arm64.s -stubs ../../crmath/f32/lanes_arm64.go -pkg f32"

// atanLane is Atan by atan, whose bound serves all arguments.
func atanLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := math.Copysign(arctan(math.Abs(v)), v)
	return float32(y), x == x && !unsure(y)
}

// atanpiLane is Atanpi by arctan.
func atanpiLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := float64(math.Copysign(arctan(math.Abs(v)), v) * invPi)
	return float32(y), x == x && !undecided(y) && math.Abs(v) >= 0x1p-124
}

// gammaLane is Gamma for x > -1/2, without branches.
func gammaLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := gammaAbove(v)
	return float32(y), -0.5 < v && v < 35.25 && math.Abs(v) >= 0x1p-126 && !undecided(y)
}

// gammaAbove returns Γ(v) for -1/2 < v < 35.25.
func gammaAbove(v float64) float64 {
	w, below := v, 1.0
	if v < 1.5 {
		w, below = v+2, float64(v*(v+1))
	}
	return gammaFrom1(w) / below
}

// lgammaLane is Lgamma, without the sign, for x ≥ 1 other than 1 and 2.
func lgammaLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := stirling(v)
	if v < 8 {
		y = lgammaFrom1(v)
	}
	return float32(y), 1 <= v && v <= math.MaxFloat32 && y != 0 && !undecided(y)
}

// atan2Lane is Atan2(y, x) for finite numbers other than 0 and results that are
// not subnormal, where ok is true.
func atan2Lane(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	v := angle(a, math.Abs(b))
	return float32(math.Copysign(v, b)), x != 0 && y != 0 && math.Abs(a) <= math.MaxFloat32 &&
		math.Abs(b) <= math.MaxFloat32 && v >= 0x1p-126 && !unsure(v)
}

// atan2Call is atan2Lane for a call, which has branches.
func atan2Call(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	if !within(a, 0x1p-149, 0x1p128) || !within(b, 0x1p-149, 0x1p128) {
		return 0, false
	}
	q := math.Abs(b) / math.Abs(a)
	v := 0.0
	if q >= atanTabled {
		v = halfPi + atanSmall(-1/q)
	} else {
		v = atanUpTo14(q)
	}
	v = acosBase[math.Float64bits(a)>>63] + withSign(v, a)
	return float32(withSign(v, b)), v >= 0x1p-126 && !unsure(v)
}

// angle returns the angle of the point (x, y), y > 0.
func angle(x, y float64) float64 {
	r := arctan(y / math.Abs(x))
	if x < 0 {
		return pi - r
	}
	return r
}

// powLane is Pow for positive x and normal results, where ok is true.
func powLane(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	hi, lo := log2Parts(a)
	h := math.Float64frombits(math.Float64bits(hi) &^ (1<<24 - 1))
	zh, zl := float64(b*h), float64(b*((hi-h)+lo))
	z := zh + zl
	shifted := float64(z*expSteps) + expShift
	f := (zh - float64((shifted-expShift)*(1.0/expSteps))) + zl
	f2 := float64(f * f)
	p := float64(f*exp2C1) +
		float64(f2*((exp2C2+float64(f*exp2C3))+float64(f2*(exp2C4+float64(f*exp2C5)))))
	t := pow2(math.Float64bits(shifted))
	v := t + float64(t*p)
	return float32(v), math.Float64bits(a)-1 < (1023+128)<<52-1 &&
		math.Abs(z) < 160 && v >= 0x1p-126 && !unsure(v)
}
