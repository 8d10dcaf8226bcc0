package trunc

import "math"

// A Float is a floating-point number.
type Float interface{ ~float32 | ~float64 }

// Int64 returns the integer part of x, or -2^63 where an int64 lacks it.
func Int64[F Float](x F) int64 {
	if x >= -0x1p63 && x < 0x1p63 {
		return int64(x)
	}
	return math.MinInt64
}

// Int32 returns the integer part of x, or -2^31 where an int32 lacks it.
func Int32[F Float](x F) int32 {
	if float64(x) > -0x1p31-1 && float64(x) < 0x1p31 {
		return int32(x)
	}
	return math.MinInt32
}

// Uint64 returns the integer part of x. From -2^63 to 0 it is taken modulo
// 2^64; any other number gives 2^63.
func Uint64[F Float](x F) uint64 {
	if x < 0x1p63 {
		return uint64(Int64(x))
	}
	if x < 0x1p64 {
		return uint64(int64(F(x)-0x1p63)) | 1<<63 // F, since x may be an inlined product
	}
	return 1 << 63
}

// Int returns the integer part of x, as [Int64] does.
func Int[F Float](x F) int { return int(Int64(x)) }

// Uint returns the integer part of x, as [Uint64] does.
func Uint[F Float](x F) uint { return uint(Uint64(x)) }

// Uintptr returns the integer part of x, as [Uint64] does.
func Uintptr[F Float](x F) uintptr { return uintptr(Uint64(x)) }

// Int16 returns the last 16 bits of [Int32].
func Int16[F Float](x F) int16 { return int16(Int32(x)) }

// Int8 returns the last 8 bits of [Int32].
func Int8[F Float](x F) int8 { return int8(Int32(x)) }

// Uint32 returns the last 32 bits of [Int64].
func Uint32[F Float](x F) uint32 { return uint32(Int64(x)) }

// Uint16 returns the last 16 bits of [Int32].
func Uint16[F Float](x F) uint16 { return uint16(Int32(x)) }

// Uint8 returns the last 8 bits of [Int32].
func Uint8[F Float](x F) uint8 { return uint8(Int32(x)) }
