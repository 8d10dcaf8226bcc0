package f32

// The functions for single calls, fastExp and so on, are compiled for amd64
// from the functions without fused operations, and from lanes. A product that
// feeds one sum is fused with it: one rounding less, so that the error bounds
// hold. Where y is undecided, the function itself takes over.
//
// The exported functions do not check whether the stack has room (go:nosplit),
// which takes 2 % of a call: the assembly has no frame, and the function itself
// does check.

//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -calls -src ../../crmath/f32 -lanes exp,exp2,exp10,expm1,log,log2,log10,log1p,sin,cos,tan,asin,acos,atan,sinh,cosh,tanh,asinh,acosh,atanh,cbrt,powLane,atan2Call,hypot,exp2m1,exp10m1,log2p1,log10p1,sinpi,cospi,tanpi,asinpi,acospi,atanpi,rsqrt,erf,erfc,gamma,lgamma -out ../../crmath/f32/calls_amd64.s -stubs ../../crmath/f32/calls_amd64.go -pkg f32"
