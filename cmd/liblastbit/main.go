//go:build cgo && linux

// Command liblastbit is a C-shared library of exact sums and correctly rounded
// functions, for arrays in the memory of other programs. liblastbit.h declares
// its functions, and the Python package calls them:
//
//	go build -buildmode=c-shared -o liblastbit.so ./cmd/liblastbit
//
// In a forked process, where the Go runtime does not work, every function
// returns LASTBIT_FORKED. A second copy of the library, loaded from another
// file, has a runtime of its own there.
package main

// #cgo CFLAGS: -std=c11 -O2 -Wall
// #cgo LDFLAGS: -lm -lpthread
// #include "liblastbit.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/exact"
)

//export goReduce
func goReduce(op C.int32_t, x, y *C.lastbit_array, inner C.int32_t, ddof C.int64_t,
	result C.int32_t, out unsafe.Pointer) (status C.int) {
	defer report(&status)
	r := array.Reduction{
		Op: array.Op(op), X: arrayOf(x), Y: arrayOf(y), Inner: int(inner), DDOF: int64(ddof),
		Result: array.Format(result), Out: out,
	}
	return statusOf(r.Run())
}

//export goMap
func goMap(name *C.char, x, y, out *C.lastbit_array) (status C.int) {
	defer report(&status)
	return statusOf(array.Map(C.GoString(name), arrayOf(x), arrayOf(y), arrayOf(out)))
}

//export goAccumulate
func goAccumulate(x, y *C.lastbit_array, limbs *C.int64_t) (status C.int) {
	defer report(&status)
	var a exact.Accumulator
	array.Accumulate(&a, arrayOf(x), arrayOf(y))
	a.AppendLimbs(vectorOf(limbs)[:0])
	return C.LASTBIT_OK
}

//export goMerge
func goMerge(to, from *C.int64_t, removes C.int32_t) (status C.int) {
	defer report(&status)
	var a, b exact.Accumulator
	if a.AddLimbs(vectorOf(to)) != nil || b.AddLimbs(vectorOf(from)) != nil {
		return C.LASTBIT_STATE
	}
	if removes != 0 {
		a.Sub(&b)
	} else {
		a.Merge(&b)
	}
	a.AppendLimbs(vectorOf(to)[:0])
	return C.LASTBIT_OK
}

//export goValue
func goValue(limbs *C.int64_t, format C.int32_t, bits *C.uint64_t) (status C.int) {
	defer report(&status)
	var a exact.Accumulator
	if a.AddLimbs(vectorOf(limbs)) != nil {
		return C.LASTBIT_STATE
	}
	v, err := array.Value(&a, array.Format(format))
	*bits = C.uint64_t(v)
	return statusOf(err)
}

//export goState
func goState(limbs *C.int64_t, state *C.uint8_t, length *C.int64_t) (status C.int) {
	defer report(&status)
	var a exact.Accumulator
	if a.AddLimbs(vectorOf(limbs)) != nil {
		return C.LASTBIT_STATE
	}
	b, err := a.AppendBinary(unsafe.Slice((*byte)(state), C.LASTBIT_MAX_STATE)[:0])
	*length = C.int64_t(len(b))
	return statusOf(err)
}

//export goFromState
func goFromState(state *C.uint8_t, length C.int64_t, limbs *C.int64_t) (status C.int) {
	defer report(&status)
	var a exact.Accumulator
	if a.UnmarshalBinary(unsafe.Slice((*byte)(state), length)) != nil {
		return C.LASTBIT_STATE
	}
	a.AppendLimbs(vectorOf(limbs)[:0])
	return C.LASTBIT_OK
}

// arrayOf returns an array, or nil.
func arrayOf(a *C.lastbit_array) *array.Array {
	if a == nil {
		return nil
	}
	return &array.Array{
		At: a.at, Format: array.Format(a.format),
		Shape:   unsafe.Slice((*int64)(a.shape), a.dimensions),
		Strides: unsafe.Slice((*int64)(a.strides), a.dimensions),
	}
}

// vectorOf returns the limbs of a state.
func vectorOf(limbs *C.int64_t) []int64 {
	return unsafe.Slice((*int64)(limbs), exact.Limbs)
}

// statusOf returns the status of an error.
func statusOf(err error) C.int {
	switch {
	case err == nil:
		return C.LASTBIT_OK
	case errors.Is(err, array.ErrOverflow):
		return C.LASTBIT_OVERFLOW
	}
	return C.LASTBIT_UNKNOWN
}

// report makes a status of a panic, which would end the program.
func report(status *C.int) {
	if p := recover(); p != nil {
		fmt.Fprintf(os.Stderr, "liblastbit: %v\n%s", p, debug.Stack())
		*status = C.LASTBIT_FAILED
	}
}

// The length that liblastbit.h states.
var _ [exact.Limbs]int64 = [C.LASTBIT_LIMBS]int64{}

func main() {}
