//go:build cgo && linux

package main

// #include "liblastbit.h"
import "C"

import (
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/cmd/liblastbit/internal/trees"
)

//export goFlat
func goFlat(name *C.char, format C.int32_t, n C.int64_t, x, y, out unsafe.Pointer,
) (status C.int) {
	defer report(&status)
	size, step := []int64{int64(n)}, []int64{int64(array.Format(format).Size())}
	of := func(at unsafe.Pointer) *array.Array {
		if at == nil {
			return nil
		}
		return &array.Array{At: at, Format: array.Format(format), Shape: size, Strides: step}
	}
	return statusOf(array.Map(C.GoString(name), of(x), of(y), of(out)))
}

//export goMultiply
func goMultiply(p *C.lastbit_products) (status C.int) {
	defer report(&status)
	products := trees.Product{
		Format: array.Format(p.format), Batch: int(p.batch), M: int(p.m), N: int(p.n), K: int(p.k),
		A: matricesOf(&p.a), B: matricesOf(&p.b), C: p.c,
	}
	return statusOf(products.Run())
}

//export goSumRows
func goSumRows(op, format C.int32_t, rows, n C.int64_t, x, y, out unsafe.Pointer,
) (status C.int) {
	defer report(&status)
	r := trees.Rows{
		Op: trees.Op(op), Format: array.Format(format), Rows: int(rows), N: int(n),
		X: x, Y: y, Out: out,
	}
	return statusOf(r.Run())
}

// matricesOf returns a factor of products.
func matricesOf(m *C.lastbit_matrices) trees.Matrix {
	return trees.Matrix{At: m.at, Batch: int(m.batch), Row: int(m.row), Col: int(m.col)}
}
