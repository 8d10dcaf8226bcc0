package clib

import (
	"fmt"
	"math"
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
	return declaration(k, name, t)
}

// shortSignature is signature for a function of floating-point numbers of 16
// bits.
func shortSignature(k probe.Key, name string) string {
	return declaration(k, name, shortType(k.DType))
}

// declaration returns the C declaration of a function of vectors of type t.
func declaration(k probe.Key, name, t string) string {
	if k.Op == probe.Dot {
		return fmt.Sprintf("%s %s(const %s *x, const %s *y, size_t n)", t, name, t, t)
	}
	return fmt.Sprintf("%s %s(const %s *x, size_t n)", t, name, t)
}

// shortType returns C's name of a floating-point format of 16 bits, and else
// "".
func shortType(f fp.Format) string {
	return map[fp.Format]string{fp.Binary16: "_Float16", fp.BFloat16: "__bf16"}[f]
}

// maxChecked is the number of calls whose operands are compared afterwards. A
// function that writes to them does so early, and each call gets new copies.
const maxChecked = 100

// newFunction returns a computer that calls a C function of that signature, or
// of shortSignature if float is set.
func newFunction(lib *dl.Library, symbol string, k probe.Key, float bool) (*computer, error) {
	size := k.DType.Bytes()
	c := &computer{x: vector(k.N, 1, size, k.Align), out: vector(1, 1, size, k.Align),
		unchecked: maxChecked}
	if k.Op == probe.Dot {
		c.y = vector(k.N, 1, size, k.Align)
	}
	var err error
	switch {
	case float: // in the lower end of the register of a double
		c.run, err = bindFunction(lib, symbol, c, k.N, func(v float64) {
			c.out.setUint16(lowEnd(v))
		})
	case k.DType == fp.Binary64:
		c.run, err = bindFunction(lib, symbol, c, k.N, c.out.setFloat64)
	case k.DType == fp.Binary32:
		c.run, err = bindFunction(lib, symbol, c, k.N, c.out.setFloat32)
	default:
		c.run, err = bindFunction(lib, symbol, c, k.N, c.out.setUint16)
	}
	return c, err
}

// lowEnd returns the low 16 bits of the result of a C function, or the bits of
// a NaN where that is one as a double or a float: a function of these formats
// reads beyond the end of short arrays, and its NaN may end in bits of theirs.
func lowEnd(v float64) uint16 {
	b := math.Float64bits(v)
	if f := math.Float32frombits(uint32(b)); v != v || f != f {
		return 0xffff
	}
	return uint16(b)
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
