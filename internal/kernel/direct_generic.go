//go:build purego || !amd64

package kernel

// HasDirect reports whether the functions of this file are worth calling: here
// the dispatch table leads to faster ones.
const HasDirect = false

// AddMultipleFloat64 is AddMultiple of float64.
func AddMultipleFloat64(n int, alpha float64, x, y *float64) { shortAxpyGeneric(n, alpha, x, y) }

// AddMultipleFloat32 is AddMultiple of float32.
func AddMultipleFloat32(n int, alpha float32, x, y *float32) { shortAxpyGeneric(n, alpha, x, y) }

// MultiplyFloat64 is Multiply of float64.
func MultiplyFloat64(n int, alpha float64, x *float64) { shortScaleGeneric(n, alpha, x) }

// MultiplyFloat32 is Multiply of float32.
func MultiplyFloat32(n int, alpha float32, x *float32) { shortScaleGeneric(n, alpha, x) }
