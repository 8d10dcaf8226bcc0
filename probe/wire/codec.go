package wire

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/lastbit/lastbit/fp"
)

// Encode writes x to dst as an array of format f in the machine's byte order;
// dst holds len(x)·f.Bytes() bytes. Values that f does not hold are rounded to
// nearest even; a NaN becomes the quiet NaN of its sign.
func Encode(f fp.Format, dst []byte, x []float64) {
	switch f {
	case fp.Binary64:
		dst = dst[:8*len(x)]
		for i, v := range x {
			//lastbit:ignore nankey bits pass unchanged
			binary.NativeEndian.PutUint64(dst[8*i:8*i+8], math.Float64bits(v))
		}
	case fp.Binary32:
		dst = dst[:4*len(x)]
		for i, v := range x {
			//lastbit:ignore nankey NaN stays NaN, whatever its payload
			binary.NativeEndian.PutUint32(dst[4*i:4*i+4], math.Float32bits(float32(v)))
		}
	case fp.Binary16:
		dst = dst[:2*len(x)]
		for i, v := range x {
			binary.NativeEndian.PutUint16(dst[2*i:2*i+2], binary16(v))
		}
	case fp.BFloat16:
		dst = dst[:2*len(x)]
		for i, v := range x {
			binary.NativeEndian.PutUint16(dst[2*i:2*i+2], bfloat16(v))
		}
	}
}

// manyValues is the number of values that one goroutine encodes.
const manyValues = 1 << 17

// encodeMany is Encode, by several goroutines where there are many values.
func encodeMany(f fp.Format, dst []byte, x []float64) {
	if len(x) <= manyValues {
		Encode(f, dst, x)
		return
	}
	var running sync.WaitGroup
	size := f.Bytes()
	for from := 0; from < len(x); from += manyValues {
		to := min(from+manyValues, len(x))
		running.Go(func() { Encode(f, dst[from*size:to*size], x[from:to]) })
	}
	running.Wait()
}

// encodeAt is Encode of the elements x[i] with an index i in at. The others of
// dst stay as they are.
func encodeAt(f fp.Format, dst []byte, x []float64, at []int) {
	switch f {
	case fp.Binary64:
		for _, i := range at {
			//lastbit:ignore nankey bits pass unchanged
			binary.NativeEndian.PutUint64(dst[8*i:8*i+8], math.Float64bits(x[i]))
		}
	case fp.Binary32:
		for _, i := range at {
			//lastbit:ignore nankey NaN stays NaN, whatever its payload
			binary.NativeEndian.PutUint32(dst[4*i:4*i+4], math.Float32bits(float32(x[i])))
		}
	case fp.Binary16:
		for _, i := range at {
			binary.NativeEndian.PutUint16(dst[2*i:2*i+2], binary16(x[i]))
		}
	case fp.BFloat16:
		for _, i := range at {
			binary.NativeEndian.PutUint16(dst[2*i:2*i+2], bfloat16(x[i]))
		}
	}
}

// Decode reads len(x) values of format f, in the machine's byte order, from
// src, which holds len(x)·f.Bytes() bytes.
func Decode(f fp.Format, x []float64, src []byte) {
	switch f {
	case fp.Binary64:
		src = src[:8*len(x)]
		for i := range x {
			x[i] = math.Float64frombits(binary.NativeEndian.Uint64(src[8*i : 8*i+8]))
		}
	case fp.Binary32:
		src = src[:4*len(x)]
		for i := range x {
			x[i] = float64(math.Float32frombits(binary.NativeEndian.Uint32(src[4*i : 4*i+4])))
		}
	case fp.Binary16:
		src = src[:2*len(x)]
		for i := range x {
			x[i] = fromBinary16(binary.NativeEndian.Uint16(src[2*i : 2*i+2]))
		}
	case fp.BFloat16:
		src = src[:2*len(x)]
		for i := range x {
			high := uint32(binary.NativeEndian.Uint16(src[2*i : 2*i+2]))
			x[i] = float64(math.Float32frombits(high << 16))
		}
	}
}

// Between binary32 and binary16 the exponent's bias differs by 127−15, and the
// significand by 23−10 bits.
const (
	bias16  = (127 - 15) << 23
	shift16 = 23 - 10
)

// binary16 encodes x. Normal values and zeros, the most frequent ones, take a
// shortcut.
func binary16(x float64) uint16 {
	y := float32(x)
	b := math.Float32bits(y)
	mag := b &^ (1 << 31)
	const least, most = bias16 + 1<<23, bias16 + 31<<23
	if float64(y) == x && mag&(1<<shift16-1) == 0 {
		if mag >= least && mag < most {
			return uint16(b>>16)&0x8000 | uint16((mag-bias16)>>shift16)
		}
		if mag == 0 {
			return uint16(b >> 16)
		}
	}
	return uint16(fp.Binary16.Bits(x))
}

// fromBinary16 decodes h.
func fromBinary16(h uint16) float64 {
	mag := uint32(h &^ 0x8000)
	if mag == 0 || mag >= 1<<10 && mag < 31<<10 {
		b := uint32(h&0x8000) << 16
		if mag != 0 {
			b |= mag<<shift16 + bias16
		}
		return float64(math.Float32frombits(b))
	}
	return fp.Binary16.FromBits(uint64(h))
}

// bfloat16 encodes x.
func bfloat16(x float64) uint16 {
	y := float32(x)
	if b := math.Float32bits(y); float64(y) == x && b&0xffff == 0 {
		return uint16(b >> 16)
	}
	return uint16(fp.BFloat16.Bits(x))
}
