package array

import (
	"math/bits"
	"unsafe"
)

// int128 is a signed integer of 128 bits.
type int128 struct {
	hi int64
	lo uint64
}

func (a *int128) add(hi int64, lo uint64) {
	var c uint64
	a.lo, c = bits.Add64(a.lo, lo, 0)
	a.hi += hi + int64(c)
}

// value returns the number in 64 bits, and whether it fits the format.
func (a int128) value(f Format) (uint64, bool) {
	if f == Int64 {
		return a.lo, a.hi == int64(a.lo)>>63
	}
	return a.lo, a.hi == 0
}

// sumIntegers returns the sum of integers.
func sumIntegers(x *Array) (sum int128) {
	l := layoutOf(false, x)
	stride := l.last()[0]
	for c := l.start(); !c.done; {
		// Fewer than 2^30 integers of 32 bits have a sum of 63 bits.
		offset, n := c.take(1 << 30)
		sumRun(&sum, x.Format, unsafe.Add(x.At, offset[0]), n, stride)
	}
	return sum
}

// sumRun adds integers that are stride bytes apart.
func sumRun(sum *int128, f Format, at unsafe.Pointer, n, stride int64) {
	switch f {
	case Int8:
		addNarrow[int8](sum, at, n, stride)
	case Int16:
		addNarrow[int16](sum, at, n, stride)
	case Int32:
		addNarrow[int32](sum, at, n, stride)
	case Uint8:
		addNarrow[uint8](sum, at, n, stride)
	case Uint16:
		addNarrow[uint16](sum, at, n, stride)
	case Uint32:
		addNarrow[uint32](sum, at, n, stride)
	case Bool:
		var s uint64
		for range n {
			if *(*byte)(at) != 0 {
				s++
			}
			at = unsafe.Add(at, stride)
		}
		sum.add(0, s)
	case Int64:
		for range n {
			v := *(*int64)(at)
			sum.add(v>>63, uint64(v))
			at = unsafe.Add(at, stride)
		}
	case Uint64:
		for range n {
			sum.add(0, *(*uint64)(at))
			at = unsafe.Add(at, stride)
		}
	}
}

func addNarrow[E int8 | int16 | int32 | uint8 | uint16 | uint32](sum *int128, at unsafe.Pointer,
	n, stride int64) {
	var s int64
	for range n {
		s += int64(*(*E)(at))
		at = unsafe.Add(at, stride)
	}
	sum.add(s>>63, uint64(s))
}
