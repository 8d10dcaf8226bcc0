package fp

import (
	"fmt"
	"math"
	"strings"
)

// Format is a binary floating-point format. The zero Format means none; of
// its methods only Valid, String and the text forms may be called.
type Format uint8

// The formats, by their IEEE 754 names; BFloat16 is the upper half of a
// binary32, and E5M2 the upper half of a binary16.
const (
	Binary64 Format = iota + 1
	Binary32
	Binary16
	BFloat16
	E5M2
)

// layout holds the parameters of a format: precision p (bits of significand,
// the hidden one included), exponents of the smallest and the largest normal
// number, and size.
type layout struct {
	name       string
	aliases    string
	prec       int
	emin, emax int
	bytes      int
	minNormal  float64 // 2^emin
}

var layouts = [...]layout{
	Binary64: {"f64", "float64 double binary64 fp64", 53, -1022, 1023, 8, 0x1p-1022},
	Binary32: {"f32", "float32 float single binary32 fp32", 24, -126, 127, 4, 0x1p-126},
	Binary16: {"f16", "float16 half binary16 fp16", 11, -14, 15, 2, 0x1p-14},
	BFloat16: {"bf16", "bfloat16", 8, -126, 127, 2, 0x1p-126},
	E5M2:     {"f8e5m2", "e5m2 float8_e5m2", 3, -14, 15, 1, 0x1p-14},
}

// Parse returns the format of that name: f64, f32, f16, bf16, f8e5m2, or one of
// the longer names in use (float32, single, binary32 …), in any case.
func Parse(name string) (Format, error) {
	n := strings.ToLower(name)
	for f := Binary64; int(f) < len(layouts); f++ {
		if n == layouts[f].name {
			return f, nil
		}
		for a := range strings.FieldsSeq(layouts[f].aliases) {
			if n == a {
				return f, nil
			}
		}
	}
	return 0, fmt.Errorf("fp: no format is called %q; there are f64, f32, f16, bf16 and f8e5m2",
		name)
}

// Valid reports whether f is one of the formats of this package.
func (f Format) Valid() bool { return f != 0 && int(f) < len(layouts) }

// String returns the short name: f64, f32, f16, bf16, f8e5m2; "none" for the
// zero Format.
func (f Format) String() string {
	if !f.Valid() {
		return "none"
	}
	return layouts[f].name
}

// MarshalText returns the short name, so that a Format is a string in JSON.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText is Parse, and reads "none" and "" as the zero Format.
func (f *Format) UnmarshalText(b []byte) error {
	if len(b) == 0 || string(b) == "none" {
		*f = 0
		return nil
	}
	g, err := Parse(string(b))
	if err == nil {
		*f = g
	}
	return err
}

// Precision returns p, the bits of a significand, the hidden one included.
func (f Format) Precision() int { return layouts[f].prec }

// MinExp returns the exponent of the smallest normal number, 2^MinExp.
func (f Format) MinExp() int { return layouts[f].emin }

// MaxExp returns the exponent of the largest binade: Max() < 2^(MaxExp+1).
func (f Format) MaxExp() int { return layouts[f].emax }

// Bytes returns the size of an encoded value.
func (f Format) Bytes() int { return layouts[f].bytes }

// Max returns the largest finite value, (2 − 2^(1−p))·2^MaxExp.
func (f Format) Max() float64 {
	l := layouts[f]
	return math.Ldexp(2-math.Ldexp(1, 1-l.prec), l.emax)
}

// MinNormal returns the smallest positive normal value.
func (f Format) MinNormal() float64 { return layouts[f].minNormal }

// Smallest returns the smallest positive value, a subnormal.
func (f Format) Smallest() float64 { return math.Ldexp(1, layouts[f].emin-layouts[f].prec+1) }

// Contains reports whether x is a value of the format. NaN is one of every
// format.
func (f Format) Contains(x float64) bool {
	return x != x || f.Round(x, NearestEven) == x
}

// Bits returns the encoding of x, rounded to nearest even where x is not a
// value of the format, in the low 8·Bytes() bits. NaN becomes the quiet NaN of
// the same sign.
func (f Format) Bits(x float64) uint64 {
	l := layouts[f]
	switch f {
	case Binary64:
		return math.Float64bits(x)
	case Binary32:
		return uint64(math.Float32bits(float32(x)))
	}
	width, frac := 8*l.bytes, l.prec-1
	var sign uint64
	if math.Signbit(x) {
		sign = 1 << (width - 1)
	}
	expMax := uint64(1)<<(width-1-frac) - 1
	x = math.Abs(f.Round(x, NearestEven))
	switch {
	case x != x:
		return sign | expMax<<frac | 1<<(frac-1)
	case math.IsInf(x, 0):
		return sign | expMax<<frac
	case x < f.MinNormal():
		return sign | uint64(math.Ldexp(x, l.prec-1-l.emin))
	}
	m, e := math.Frexp(x) // x = m·2^e, m in [1/2, 1)
	//lastbit:ignore floatconv a significand of at most 53 bits
	return sign | uint64(e-1+l.emax)<<frac | (uint64(math.Ldexp(m, l.prec)) &^ (1 << frac))
}

// FromBits decodes an encoding; bits above the format's width are ignored.
func (f Format) FromBits(b uint64) float64 {
	l := layouts[f]
	switch f {
	case Binary64:
		return math.Float64frombits(b)
	case Binary32:
		return float64(math.Float32frombits(uint32(b)))
	}
	width, frac := 8*l.bytes, l.prec-1
	expMax := uint64(1)<<(width-1-frac) - 1
	e, m := b>>frac&expMax, b&(1<<frac-1)
	var x float64
	switch {
	case e == expMax && m != 0:
		return math.NaN()
	case e == expMax:
		x = math.Inf(1)
	case e == 0:
		x = math.Ldexp(float64(m), l.emin-frac)
	default:
		x = math.Ldexp(float64(m|1<<frac), int(e)-l.emax-frac)
	}
	if b>>(width-1)&1 != 0 {
		x = -x
	}
	return x
}

// NextUp returns the least value of the format above x; NextUp(Max) is +Inf,
// NextUp(±0) the smallest subnormal, NextUp(NaN) NaN. x is a value of the
// format.
func (f Format) NextUp(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x == 0:
		return f.Smallest()
	case x > 0:
		return f.FromBits(f.Bits(x) + 1)
	}
	return f.FromBits(f.Bits(x) - 1)
}

// NextDown returns −NextUp(−x).
func (f Format) NextDown(x float64) float64 { return -f.NextUp(-x) }

// ULP returns the distance between the values of the format around x: 2^(e−p+1)
// for |x| in [2^e, 2^(e+1)), and Smallest below MinNormal. It is NaN when x is
// not finite.
func (f Format) ULP(x float64) float64 {
	x = math.Abs(x)
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	l := layouts[f]
	e := l.emin
	if x >= f.MinNormal() {
		e = math.Ilogb(x)
	}
	return math.Ldexp(1, e-l.prec+1)
}

// Distance returns the number of steps of NextUp from the smaller to the larger
// of a and b, both values of the format. +0 and −0 are at distance 0, and so
// are two NaNs. A NaN and a number are at distance MaxUint64.
func (f Format) Distance(a, b float64) uint64 {
	if a != a || b != b {
		if a != a && b != b {
			return 0
		}
		return math.MaxUint64
	}
	i, j := f.ordinal(a), f.ordinal(b)
	if i > j {
		i, j = j, i
	}
	return uint64(j) - uint64(i)
}

// ordinal returns the rank of x among the values of the format, 0 for ±0.
func (f Format) ordinal(x float64) int64 {
	m := int64(f.Bits(math.Abs(x)))
	if math.Signbit(x) {
		return -m
	}
	return m
}
