// Package trees computes matrix products and sums of rows in somebody else's
// memory, by the published trees of packages blas and ordered.
//
// Every function keeps the promise ordered: an element of a product depends on
// its row of the left factor and its column of the right one, and a sum on its
// row. Strides, the number of rows and the number of goroutines change no bit.
package trees

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/internal/crew"
)

// ErrUnknown is the error of an operation or format that there is none of.
var ErrUnknown = errors.New("no such operation, or not for this format")

// minShare is the least work for one goroutine: products, or summands.
const minShare = 1 << 17

// share calls do for each of count parts, on as many goroutines as work pays.
func share(count, work int, do func(i int)) {
	n := min(runtime.GOMAXPROCS(0), count, work/minShare)
	if n < 2 {
		for i := range count {
			do(i)
		}
		return
	}
	var parts crew.Parts
	parts.Reset(count, n)
	crew.Run(n, func(worker int) { parts.Each(worker, do) })
}

// elements returns n elements of a format.
func elements[T float32 | float64](at unsafe.Pointer, n int) []T {
	return unsafe.Slice((*T)(at), n)
}

// isReal reports whether there are products and sums of a format.
func isReal(f array.Format) bool { return f == array.Float32 || f == array.Float64 }
