package clib

import (
	"fmt"
	"unsafe"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
)

// signature returns the C declaration of the function of a key.
func signature(k probe.Key, name string) string {
	t := map[fp.Format]string{fp.Binary64: "double", fp.Binary32: "float"}[k.DType]
	if t == "" {
		t = "uint16_t"
	}
	if k.Op == probe.Dot {
		return fmt.Sprintf("%s %s(const %s *x, const %s *y, size_t n)", t, name, t, t)
	}
	return fmt.Sprintf("%s %s(const %s *x, size_t n)", t, name, t)
}

// maxChecked is the number of calls whose operands are compared afterwards. A
// function that writes to them does so early, and each call gets new copies.
const maxChecked = 100

// newFunction returns a computer that calls a C function of that signature.
func newFunction(lib *dl.Library, symbol string, k probe.Key) (*computer, error) {
	size := k.DType.Bytes()
	c := &computer{x: vector(k.N, 1, size, k.Align), out: vector(1, 1, size, k.Align),
		unchecked: maxChecked}
	if k.Op == probe.Dot {
		c.y = vector(k.N, 1, size, k.Align)
	}
	var err error
	switch k.DType {
	case fp.Binary64:
		c.run, err = bindFunction(lib, symbol, c, k.N, c.out.setFloat64)
	case fp.Binary32:
		c.run, err = bindFunction(lib, symbol, c, k.N, c.out.setFloat32)
	default:
		c.run, err = bindFunction(lib, symbol, c, k.N, c.out.setUint16)
	}
	return c, err
}

// bindFunction returns the call of a C function that returns a T, and hands the
// T to set.
func bindFunction[T float64 | dl.Float32 | uint16](lib *dl.Library, symbol string, c *computer,
	n int, set func(T)) (func(), error) {
	if c.y == nil {
		var sum func(x unsafe.Pointer, n uintptr) T
		return func() { set(sum(c.x.ptr(), uintptr(n))) }, lib.Func(symbol, &sum)
	}
	var dot func(x, y unsafe.Pointer, n uintptr) T
	return func() { set(dot(c.x.ptr(), c.y.ptr(), uintptr(n))) }, lib.Func(symbol, &dot)
}
