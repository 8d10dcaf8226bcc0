package f64

//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -src ../../crmath/internal/f64 -out ../../crmath/internal/f64/lanes_amd64.s -stubs ../../crmath/internal/f64/lanes_amd64.go -pkg f64"
//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -arch arm64 -src ../../crmath/internal/f64 -out ../../crmath/internal/f64/lanes_arm64.s -stubs ../../crmath/internal/f64/lanes_arm64.go -pkg f64"
//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -calls -src ../../crmath/internal/f64 -out ../../crmath/internal/f64/calls_amd64.s -stubs ../../crmath/internal/f64/calls_amd64.go -pkg f64"

import "math"

// Lanes. The vector kernels are compiled from lane functions, such as expLane,
// operation by operation: the fast paths without rare cases. So they have the
// error bounds of the fast paths. A product that feeds only one sum is fused
// with it, which takes a rounding out of the derivation and adds none.
//
// Where ok is false, r means nothing, and the function itself has to be called.
// All lanes take a branch when one of them needs it: branches are for arguments
// that are common in some data.
//
// Calls. The functions for single calls, FastExp and so on, are compiled for
// amd64 from functions such as expCall, operation by operation. They are the
// fast paths to nearest, with fused operations, and have the error bounds of
// the fast paths. Where ok is false, r means nothing, and the function itself
// takes over.
//
// Go's math.FMA looks for the instruction in every call, and keeps values out
// of registers for the case that it is missing. Here one test at the beginning
// chooses.

// Arguments that lanes compute. A slice whose elements are others is computed
// without a kernel.

func isNumber(x float64) bool     { return x == x }
func isFinite(x float64) bool     { return math.Abs(x) <= math.MaxFloat64 }
func areFinite(x, y float64) bool { return isFinite(x) && isFinite(y) }
func inUnit(x float64) bool       { return math.Abs(x) < 1 }

// isPositiveNormal reports whether x is positive, finite and not subnormal.
func isPositiveNormal(x float64) bool { return 0x1p-1022 <= x && x <= math.MaxFloat64 }

// flushed returns x, or 0 where |x| is below tiny: products there may be
// subnormal, which takes a processor a hundred times as long, also in lanes
// whose results do not count.
func flushed(x float64) float64 {
	if math.Abs(x) < tiny {
		return 0
	}
	return x
}

// bounded returns x, or 1 where x is below least or above most, where products
// with x or its inverse may be subnormal, as for flushed. It returns NaN for
// NaN.
func bounded(x, least, most float64) float64 {
	if x < least {
		return 1
	}
	if x > most {
		return 1
	}
	return x
}

// hasProducts reports whether products of x with constants and their rests are
// normal.
func hasProducts(x float64) bool { return math.Abs(x) >= tiny }
