//go:build !purego

package kernel

import "github.com/lastbit/lastbit/internal/cpu"

// HasDirect reports whether the functions of this file run here. They do what
// the methods of Chain do, without the dispatch table, whose call takes longer
// than a few elements do.
var HasDirect = cpu.AVX2

// AddMultipleFloat64 is AddMultiple of float64.
func AddMultipleFloat64(n int, alpha float64, x, y *float64) {
	shortAxpyFloat64AVX2(n, alpha, x, y)
}

// AddMultipleFloat32 is AddMultiple of float32.
func AddMultipleFloat32(n int, alpha float32, x, y *float32) {
	shortAxpyFloat32AVX2(n, alpha, x, y)
}

// MultiplyFloat64 is Multiply of float64.
func MultiplyFloat64(n int, alpha float64, x *float64) { shortScaleFloat64AVX2(n, alpha, x) }

// MultiplyFloat32 is Multiply of float32.
func MultiplyFloat32(n int, alpha float32, x *float32) { shortScaleFloat32AVX2(n, alpha, x) }
