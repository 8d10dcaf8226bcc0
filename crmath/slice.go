package crmath

import (
	"fmt"
	"math"
	"math/bits"

	kernels "github.com/lastbit/lastbit/internal/kernel"
)

// The slice functions store f(x[i]) in dst[i], for all i: the very bits that f gives. dst
// has x's length, and is x itself or does not overlap it; otherwise they panic. Nothing is
// allocated.
//
// On amd64 with AVX2 and FMA, or AVX-512, vector kernels compute f in every lane, with its
// own rounding test, and what is not decided, less than one element in a thousand for most
// data, goes to f. Elsewhere they are loops over f.

// ExpSlice stores e^x[i] in dst[i]: Exp of each element. dst and x have the same length, and are
// the same slice or do not overlap. It takes 1/5 to 1/8 of the time of a loop over math.Exp on
// a processor with vector instructions, see BenchmarkSlices.
func ExpSlice(dst, x []float64) { mapSlice("ExpSlice", dst, x, Exp, best.exp) }

// Exp2Slice stores 2^x[i] in dst[i]: Exp2 of each element, as ExpSlice does of Exp.
func Exp2Slice(dst, x []float64) { mapSlice("Exp2Slice", dst, x, Exp2, best.exp2) }

// Expm1Slice stores e^x[i] - 1 in dst[i]: Expm1 of each element, as ExpSlice does of Exp.
func Expm1Slice(dst, x []float64) { mapSlice("Expm1Slice", dst, x, Expm1, best.expm1) }

// LogSlice stores ln x[i] in dst[i]: Log of each element, as ExpSlice does of Exp.
func LogSlice(dst, x []float64) { mapSlice("LogSlice", dst, x, Log, best.log) }

// Log2Slice stores log2 x[i] in dst[i]: Log2 of each element, as ExpSlice does of Exp.
func Log2Slice(dst, x []float64) { mapSlice("Log2Slice", dst, x, Log2, best.log2) }

// Log10Slice stores log10 x[i] in dst[i]: Log10 of each element, as ExpSlice does of Exp.
func Log10Slice(dst, x []float64) { mapSlice("Log10Slice", dst, x, Log10, best.log10) }

// Log1pSlice stores ln(1 + x[i]) in dst[i]: Log1p of each element, as ExpSlice does of Exp.
func Log1pSlice(dst, x []float64) { mapSlice("Log1pSlice", dst, x, Log1p, best.log1p) }

// SinSlice stores sin x[i] in dst[i]: Sin of each element, as ExpSlice does of Exp.
func SinSlice(dst, x []float64) { mapSlice("SinSlice", dst, x, Sin, best.sin) }

// CosSlice stores cos x[i] in dst[i]: Cos of each element, as ExpSlice does of Exp.
func CosSlice(dst, x []float64) { mapSlice("CosSlice", dst, x, Cos, best.cos) }

// TanSlice stores tan x[i] in dst[i]: Tan of each element, as ExpSlice does of Exp.
func TanSlice(dst, x []float64) { mapSlice("TanSlice", dst, x, Tan, best.tan) }

// PowSlice stores x[i]^y[i] in dst[i]: Pow of each pair. All have the same length, and dst is x
// or y or does not overlap them.
func PowSlice(dst, x, y []float64) { powSlice(dst, x, y, best.pow) }

// A vectorSet has the kernels of an instruction set. A kernel computes 1 to 64 elements; bit i
// of fails, for each of them, says that dst[i] is as it was, because its rounding is not
// decided or the argument is a rare one. The bits above mean nothing.
type vectorSet struct {
	name string

	exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan func(dst, x *float64, n int) (fails uint64)
	pow                                                      func(dst, x, y *float64, n int) (fails uint64)
}

// most is how many elements a kernel takes, and few what is not worth a call.
const (
	most = 64
	few  = 3
)

// best has the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}

func mapSlice(name string, dst, x []float64, f func(float64) float64, lanes func(dst, x *float64, n int) uint64) {
	checkSlices(name, "x", dst, x)
	for lanes != nil && len(x) >= few {
		n := min(len(x), most)
		for fails := lanes(&dst[0], &x[0], n) &^ (math.MaxUint64 << n); fails != 0; fails &= fails - 1 {
			i := bits.TrailingZeros64(fails)
			dst[i] = f(x[i])
		}
		dst, x = dst[n:], x[n:]
	}
	for i, v := range x {
		dst[i] = f(v)
	}
}

func powSlice(dst, x, y []float64, lanes func(dst, x, y *float64, n int) uint64) {
	checkSlices("PowSlice", "x", dst, x)
	checkSlices("PowSlice", "y", dst, y)
	for lanes != nil && len(x) >= few {
		n := min(len(x), most)
		for fails := lanes(&dst[0], &x[0], &y[0], n) &^ (math.MaxUint64 << n); fails != 0; fails &= fails - 1 {
			i := bits.TrailingZeros64(fails)
			dst[i] = Pow(x[i], y[i])
		}
		dst, x, y = dst[n:], x[n:], y[n:]
	}
	for i, v := range x {
		dst[i] = Pow(v, y[i])
	}
}

// checkSlices panics where dst and x do not go together.
func checkSlices(function, name string, dst, x []float64) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("crmath: %s: dst has %d elements and %s has %d: pass dst[:len(%s)]", function, len(dst), name, len(x), name))
	}
	if kernels.Overlap(dst, x) {
		panic(fmt.Sprintf("crmath: %s: dst overlaps %s, but does not begin where it begins: pass the same slice, or another array", function, name))
	}
}
