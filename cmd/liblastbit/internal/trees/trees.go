// Package trees computes matrix products, sums of rows, and what is made of
// them, in somebody else's memory, by the published trees of packages blas and
// ordered.
//
// Every function keeps the promise ordered: an element of a product depends on
// its row of the left factor and its column of the right one, and a result of a
// row on the row. Strides, the number of rows and the number of goroutines
// change no bit. The formulas are in docs/use/pytorch.md; each operation in
// them is rounded by itself.
package trees

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/f32"
	"github.com/lastbit/lastbit/internal/crew"
	"github.com/lastbit/lastbit/internal/kernel"
)

// ErrUnknown is the error of an operation or format that there is none of.
var ErrUnknown = errors.New("no such operation, or not for this format")

// number is an element.
type number interface{ float32 | float64 }

// minShare is the least work for one goroutine: products, or elements.
const minShare = 1 << 17

// workers returns the number of goroutines for some parts of some work.
func workers(parts, work int) int {
	return max(1, min(runtime.GOMAXPROCS(0), parts, work/minShare))
}

// share calls do for each of some parts on n goroutines, with the number of the
// goroutine.
func share(n, parts int, do func(worker, part int)) {
	if n < 2 {
		for i := range parts {
			do(0, i)
		}
		return
	}
	var p crew.Parts
	p.Reset(parts, n)
	crew.Run(n, func(worker int) {
		p.Each(worker, func(part int) { do(worker, part) })
	})
}

// elements returns n elements of a format. A nil pointer has none.
func elements[T number](at unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(at), n) }

// functions are functions of slices.
type functions[T number] struct {
	exp, log, tanh, erfc func(dst, x []T)
	rsqrt                func(x T) T
	kernels              kernel.Chain[T]
}

// functionsOf returns the correctly rounded functions of a format.
func functionsOf[T number]() (f functions[T]) {
	switch f := any(&f).(type) {
	case *functions[float32]:
		*f = functions[float32]{f32.ExpSlice, f32.LogSlice, f32.TanhSlice, f32.ErfcSlice,
			f32.Rsqrt, kernel.NewChain[float32](kernel.Best())}
	case *functions[float64]:
		*f = functions[float64]{crmath.ExpSlice, crmath.LogSlice, crmath.TanhSlice,
			crmath.ErfcSlice, crmath.Rsqrt, kernel.NewChain[float64](kernel.Best())}
	}
	return f
}
