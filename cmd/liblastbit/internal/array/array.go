// Package array reduces and maps arrays in somebody else's memory: any format,
// shape and strides, without a copy of the array.
//
// Every function keeps the promise exact: packages exact and crmath compute.
package array

import "unsafe"

// Format is the format of an element. The numbers are in liblastbit.h.
type Format int32

// The formats.
const (
	Float64 Format = iota + 1
	Float32
	Float16
	BFloat16
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Bool // a byte that is 0, or not
)

// Size returns the bytes of an element.
func (f Format) Size() int {
	switch f {
	case Float64, Int64, Uint64:
		return 8
	case Float32, Int32, Uint32:
		return 4
	case Float16, BFloat16, Int16, Uint16:
		return 2
	}
	return 1
}

// isInteger reports whether elements are integers, or bool.
func (f Format) isInteger() bool { return f >= Int8 }

// isWide reports whether elements are integers that float64 does not hold.
func (f Format) isWide() bool { return f == Int64 || f == Uint64 }

// An Array is n-dimensional: element (i, j …) is at At + i·Strides[0] +
// j·Strides[1] + …, in bytes.
type Array struct {
	At      unsafe.Pointer
	Format  Format
	Shape   []int64
	Strides []int64
}

// len returns the number of elements.
func (a *Array) len() int64 {
	n := int64(1)
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// split returns the last inner dimensions, and an array of the others.
func (a *Array) split(inner int) (outer, rest Array) {
	k := len(a.Shape) - inner
	outer = Array{a.At, a.Format, a.Shape[:k:k], a.Strides[:k:k]}
	rest = Array{a.At, a.Format, a.Shape[k:], a.Strides[k:]}
	return outer, rest
}

// offset returns the bytes from the first element to number i, in the order of
// C.
func (a *Array) offset(i int64) (bytes int64) {
	for k := len(a.Shape) - 1; k >= 0; k-- {
		bytes += i % a.Shape[k] * a.Strides[k]
		i /= a.Shape[k]
	}
	return bytes
}

// moved returns the array at another place.
func (a *Array) moved(bytes int64) Array {
	b := *a
	b.At = unsafe.Add(a.At, bytes)
	return b
}
