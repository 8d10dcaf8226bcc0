package array

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/fp"
)

// float is the format of a block of elements.
type float interface{ float32 | float64 }

// load stores elements that are stride bytes apart in dst. Each fits: float64
// holds all formats except integers of 64 bits, and float32 holds numbers of 16
// bits.
func load[T float](dst []T, f Format, at unsafe.Pointer, stride int64) {
	switch f {
	case Float64:
		loadNumbers[float64](dst, at, stride)
	case Float32:
		loadNumbers[float32](dst, at, stride)
	case Float16:
		loadHalves(dst, at, stride)
	case BFloat16:
		for i := range dst {
			dst[i] = T(math.Float32frombits(uint32(*(*uint16)(at)) << 16))
			at = unsafe.Add(at, stride)
		}
	case Int8:
		loadNumbers[int8](dst, at, stride)
	case Int16:
		loadNumbers[int16](dst, at, stride)
	case Int32:
		loadNumbers[int32](dst, at, stride)
	case Int64:
		loadNumbers[int64](dst, at, stride)
	case Uint8:
		loadNumbers[uint8](dst, at, stride)
	case Uint16:
		loadNumbers[uint16](dst, at, stride)
	case Uint32:
		loadNumbers[uint32](dst, at, stride)
	case Uint64:
		loadNumbers[uint64](dst, at, stride)
	case Bool:
		for i := range dst {
			dst[i] = 0
			if *(*byte)(at) != 0 {
				dst[i] = 1
			}
			at = unsafe.Add(at, stride)
		}
	}
}

// number is an element that Go converts.
type number interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func loadNumbers[E number, T float](dst []T, at unsafe.Pointer, stride int64) {
	for i := range dst {
		dst[i] = T(*(*E)(at))
		at = unsafe.Add(at, stride)
	}
}

func loadHalves[T float](dst []T, at unsafe.Pointer, stride int64) {
	for i := range dst {
		dst[i] = T(half(*(*uint16)(at)))
		at = unsafe.Add(at, stride)
	}
}

// half returns the number that 16 bits encode in binary16. The bits of the
// exponent and the significand are the bits of a binary32 that is 2^112 times
// smaller.
func half(b uint16) float32 {
	v := math.Float32frombits(uint32(b&0x7fff)<<13) * 0x1p112
	if b&0x7c00 == 0x7c00 {
		v = math.Float32frombits(0x7f800000 | uint32(b&0x3ff)<<13)
	}
	if b>>15 != 0 {
		return -v
	}
	return v
}

// shortened returns the encoding of v, which was rounded to odd, rounded to 16
// bits.
func shortened(f Format, v float64) uint16 {
	short := fp.Binary16
	if f == BFloat16 {
		short = fp.BFloat16
	}
	return uint16(short.Bits(short.Round(v, fp.NearestEven)))
}
