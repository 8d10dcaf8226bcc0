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
	if n == 0 {
		return C.LASTBIT_OK
	}
	f, function := array.Format(format), C.GoString(name)
	if trees.Activate(function, f, int(n), x, y, out) == nil {
		return C.LASTBIT_OK
	}
	size, step := []int64{int64(n)}, []int64{int64(f.Size())}
	of := func(at unsafe.Pointer) *array.Array {
		if at == nil {
			return nil
		}
		return &array.Array{At: at, Format: f, Shape: size, Strides: step}
	}
	return statusOf(array.Map(function, of(x), of(y), of(out)))
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

//export goEachRow
func goEachRow(r *C.lastbit_rows) (status C.int) {
	defer report(&status)
	rows := trees.Rows{
		Op: trees.Op(r.operation), Format: array.Format(r.format), Rows: int(r.rows), N: int(r.n),
		X: r.x, Y: r.y, Weight: r.weight, Bias: r.bias, Out: r.out, Means: r.means, Scale: r.scale,
		Epsilon: float64(r.epsilon),
	}
	return statusOf(rows.Run())
}

//export goAttend
func goAttend(a *C.lastbit_attention) (status C.int) {
	defer report(&status)
	attention := trees.Attention{
		Format: array.Format(a.format), Batch: int(a.batch), Heads: int(a.heads),
		Group: int(a.group), Length: int(a.length), Keys: int(a.keys), Width: int(a.width),
		ValueWidth: int(a.value_width), IsCausal: a.is_causal != 0,
		Q: headsOf(&a.q), K: headsOf(&a.k), V: headsOf(&a.v), Mask: headsOf(&a.mask),
		Out: headsOf(&a.out), Logs: a.logs,
		ScaleOfQ: float64(a.q_scale), ScaleOfKey: float64(a.k_scale),
	}
	return statusOf(attention.Run())
}

// headsOf returns an operand of attention.
func headsOf(h *C.lastbit_heads) trees.Heads {
	return trees.Heads{
		At: h.at, Batch: int(h.batch), Head: int(h.head), Row: int(h.row), Col: int(h.col),
	}
}

// matricesOf returns a factor of products.
func matricesOf(m *C.lastbit_matrices) trees.Matrix {
	return trees.Matrix{At: m.at, Batch: int(m.batch), Row: int(m.row), Col: int(m.col)}
}
