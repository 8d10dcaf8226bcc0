package f32

//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -calls -src ../../crmath/f32 -lanes exp,exp2,exp10,expm1,log,log2,log10,log1p,sin,cos,tan,asin,acos,atan,sinh,cosh,tanh,asinh,acosh,atanh,cbrt,powLane,atan2Lane,hypot,exp2m1,exp10m1,log2p1,log10p1,sinpi,cospi,tanpi,asinpi,acospi,atanpi,rsqrt,erf,erfc,gamma,lgamma -out ../../crmath/f32/calls_amd64.s -stubs ../../crmath/f32/calls_amd64.go -pkg f32"
