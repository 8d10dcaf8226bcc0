package f32

// The vector kernels are compiled from the functions themselves, such as exp,
// or from lanes, such as atanLane, operation by operation. Where a function
// calls an accurate path or returns a constant, a lane has no result, and the
// function is called.
//
// The functions for single calls, fastExp and so on, are compiled for amd64
// from the functions without fused operations, and from lanes. A product that
// feeds one sum is fused with it: one rounding less, so that the error bounds
// hold. Where y is undecided, the function itself takes over.
//
// The exported functions do not check whether the stack has room (go:nosplit),
// which takes 2 % of a call: the assembly has no frame, and the function itself
// does check.

//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -src ../../crmath/f32 -last pair,point -out ../../crmath/f32/lanes_amd64.s -stubs ../../crmath/f32/lanes_amd64.go -pkg f32"
//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -arch arm64 -src ../../crmath/f32 -last pair,point -out ../../crmath/f32/lanes_arm64.s -stubs ../../crmath/f32/lanes_arm64.go -pkg f32"
//go:generate sh -c "cd ../../internal/_asm && go run ./lanes -calls -src ../../crmath/f32 -out ../../crmath/f32/calls_amd64.s -stubs ../../crmath/f32/calls_amd64.go -pkg f32"
