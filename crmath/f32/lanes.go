package f32

import "math"

// The vector kernels are compiled from the functions themselves, operation by
// operation. Where a function calls an accurate path, looks up an exception or
// returns a constant, a lane has no result, and the function is called.

//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -src ../../crmath/f32 -lanes Exp,Exp2,Expm1,Log,Log2,Log10,Log1p,Sin,Cos,Tan,Tanh,powLane -out ../../crmath/f32/lanes_amd64.s -stubs ../../crmath/f32/lanes_amd64.go -pkg f32"
//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -arch arm64 -src ../../crmath/f32 -lanes Exp,Exp2,Expm1,Log,Log2,Log10,Log1p,Sin,Cos,Tan,Tanh,powLane -out ../../crmath/f32/lanes_arm64.s -stubs ../../crmath/f32/lanes_arm64.go -pkg f32"

// powLane is Pow for positive x and normal results, where ok is true.
func powLane(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	hi, lo := log2(a)
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
	return float32(v), 0 < a && a <= math.MaxFloat32 &&
		math.Abs(z) < 160 && v >= 0x1p-126 && !unsure(v)
}
