package clib

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"unsafe"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
)

// computer holds the operands of a call where C reads them, and makes the call.
type computer struct {
	x, y, out *array // y is nil for sums
	column    int    // of out, that the lanes are
	places    bool   // the function gets the address of out
	run       func()
	unchecked int // calls left whose operands are compared afterwards
}

// call computes out from dense x and y, one element a row.
func (c *computer) call(x, y, out []byte) error {
	c.compute(x, y)
	c.out.getColumn(out, c.column)
	if c.unchecked == 0 {
		return nil
	}
	c.unchecked--
	return c.checkOperands(x, y)
}

// checkOperands refuses a function that has written to vectors x or y.
func (c *computer) checkOperands(x, y []byte) error {
	for _, o := range []struct {
		name string
		used *array
		as   []byte
	}{{"x", c.x, x}, {"y", c.y, y}} {
		if o.used != nil && !bytes.Equal(o.used.mem, o.as) {
			return &refusal{functionChanges, "it writes to its operand " + o.name}
		}
	}
	return nil
}

// reach returns how far the operands can be moved. The result of a function
// that returns it has no place.
func (c *computer) reach() probe.Placement {
	far := probe.Placement{X: reach}
	if c.y != nil {
		far.Y = reach
	}
	if c.places {
		far.Out = reach
	}
	return far
}

// move places the operands of the next calls.
func (c *computer) move(at probe.Placement) {
	c.x.move(at.X)
	if c.y != nil {
		c.y.move(at.Y)
	}
	c.out.move(at.Out)
}

// cells computes the whole matrix of results.
func (c *computer) cells(x, y, all []byte) error {
	c.compute(x, y)
	c.out.get(all)
	return nil
}

func (c *computer) compute(x, y []byte) {
	c.x.put(x)
	if c.y != nil {
		c.y.putColumns(y)
	}
	c.out.zero()
	c.run()
}

// setFloat32 and the like store the result of a function that returns one.
func (a *array) setFloat32(f dl.Float32) { binary.NativeEndian.PutUint32(a.mem, f.Bits()) }
func (a *array) setFloat64(f float64) {
	binary.NativeEndian.PutUint64(a.mem,
		math.Float64bits(f)) //lastbit:ignore nankey bits pass unchanged
}
func (a *array) setUint16(f uint16) { binary.NativeEndian.PutUint16(a.mem, f) }

// The constants of cblas.h.
const (
	rowMajor = 101
	colMajor = 102
	noTrans  = 111
	trans    = 112
)

// affixed returns the name that the library gives a function, or the plain one
// if it has no such function. Builds with 64-bit integers have a suffix, and
// NumPy's and SciPy's builds have a prefix.
func affixed(lib *dl.Library, name string) string {
	wide := unsafe.Sizeof(blasInt(0)) == 8
	for _, prefix := range []string{"", "scipy_"} {
		for _, suffix := range []string{"", "64_", "_64"} {
			if symbol := prefix + name + suffix; (wide || suffix == "") && lib.Has(symbol) {
				return symbol
			}
		}
	}
	return name
}

// cblasName returns the standard's name of the function for an operation.
func cblasName(op probe.Op, f fp.Format) string {
	if f == fp.Binary32 {
		return "cblas_s" + string(op)
	}
	return "cblas_d" + string(op)
}

// newCBLAS returns a computer that calls a CBLAS for a key.
func newCBLAS(lib *dl.Library, k probe.Key) (*computer, error) {
	symbol := affixed(lib, cblasName(k.Op, k.DType))
	switch {
	case k.Op == probe.Dot:
		return newDot(lib, symbol, k)
	case k.Op == probe.Gemv && k.DType == fp.Binary32:
		return newGemv[float32](lib, symbol, k)
	case k.Op == probe.Gemv:
		return newGemv[float64](lib, symbol, k)
	case k.DType == fp.Binary32:
		return newGemm[float32](lib, symbol, k)
	}
	return newGemm[float64](lib, symbol, k)
}

func newDot(lib *dl.Library, symbol string, k probe.Key) (*computer, error) {
	size, stride := k.DType.Bytes(), max(k.Stride, 1)
	c := &computer{
		x:   vector(k.N, stride, size, k.Align),
		y:   vector(k.N, stride, size, k.Align),
		out: vector(1, 1, size, k.Align),
	}
	n, inc := blasInt(k.N), blasInt(stride)
	if k.DType == fp.Binary32 {
		var dot func(n blasInt, x unsafe.Pointer, incx blasInt, y unsafe.Pointer,
			incy blasInt) dl.Float32
		c.run = func() { c.out.setFloat32(dot(n, c.x.ptr(), inc, c.y.ptr(), inc)) }
		return c, lib.Func(symbol, &dot)
	}
	var dot func(n blasInt, x unsafe.Pointer, incx blasInt, y unsafe.Pointer, incy blasInt) float64
	c.run = func() { c.out.setFloat64(dot(n, c.x.ptr(), inc, c.y.ptr(), inc)) }
	return c, lib.Func(symbol, &dot)
}

// order returns the constants of cblas.h for a key, and whether the columns of
// the arguments A, B and C are contiguous in memory.
func order(k probe.Key) (layout, transA, transB int32, colsA, colsB, colsC bool) {
	layout, transA, transB = rowMajor, noTrans, noTrans
	colsC = k.Order == "F"
	colsA, colsB = colsC, colsC
	if colsC {
		layout = colMajor
	}
	if strings.Contains(k.Trans, "a") {
		transA, colsA = trans, !colsA
	}
	if strings.Contains(k.Trans, "b") {
		transB, colsB = trans, !colsB
	}
	return
}

func newGemv[T float32 | float64](lib *dl.Library, symbol string, k probe.Key) (*computer, error) {
	var gemv func(layout, transA int32, m, n blasInt, alpha T, a unsafe.Pointer, lda blasInt,
		x unsafe.Pointer, incx blasInt, beta T, y unsafe.Pointer, incy blasInt)
	size, stride := k.DType.Bytes(), max(k.Stride, 1)
	layout, transA, _, colsA, _, _ := order(k)
	c := &computer{
		x:   matrix(k.M, k.N, colsA, size, k.Align),
		y:   vector(k.N, stride, size, k.Align),
		out: vector(k.M, stride, size, k.Align), places: true,
	}
	m, n, lda, inc := blasInt(k.M), blasInt(k.N), blasInt(c.x.ld()), blasInt(stride)
	if transA == trans { // m and n describe the matrix in memory
		m, n = n, m
	}
	c.run = func() {
		gemv(layout, transA, m, n, 1, c.x.ptr(), lda, c.y.ptr(), inc, 0, c.out.ptr(),
			inc)
	}
	return c, lib.Func(symbol, &gemv)
}

func newGemm[T float32 | float64](lib *dl.Library, symbol string, k probe.Key) (*computer, error) {
	var gemm func(layout, transA, transB int32, m, n, k blasInt, alpha T, a unsafe.Pointer,
		lda blasInt, b unsafe.Pointer, ldb blasInt, beta T, c unsafe.Pointer, ldc blasInt)
	size := k.DType.Bytes()
	layout, transA, transB, colsA, colsB, colsC := order(k)
	c := &computer{
		x:      matrix(k.M, k.N, colsA, size, k.Align),
		y:      matrix(k.N, k.Cols, colsB, size, k.Align),
		out:    matrix(k.M, k.Cols, colsC, size, k.Align),
		column: k.OutIndex[1],
		places: true,
	}
	lda, ldb, ldc := blasInt(c.x.ld()), blasInt(c.y.ld()), blasInt(c.out.ld())
	m, cols, n := blasInt(k.M), blasInt(k.Cols), blasInt(k.N)
	c.run = func() {
		gemm(layout, transA, transB, m, cols, n, 1, c.x.ptr(), lda, c.y.ptr(), ldb, 0, c.out.ptr(),
			ldc)
	}
	return c, lib.Func(symbol, &gemm)
}
