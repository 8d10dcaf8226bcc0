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
// binary32, and E5M2 the upper half of a binary16. These five, and TF32, have
// all that IEEE 754 asks for: signed zeros, infinities and NaNs.
const (
	Binary64 Format = iota + 1
	Binary32
	Binary16
	BFloat16
	E5M2

	// TF32 is a binary32 with 10 fraction bits: the lower 13 bits of its
	// encoding count for nothing.
	TF32
	// E4M3FN has no infinities. NaN is the largest magnitude, so Max is 448
	// (MicikeviciusOFP8).
	E4M3FN
	// E4M3FNUZ and E5M2FNUZ have neither infinities nor −0, whose encoding is
	// NaN. Their exponents are one less (Noune2022).
	E4M3FNUZ
	E5M2FNUZ
	// E3M2, E2M3 and E2M1 have neither infinities nor NaN (OCPMX).
	E3M2
	E2M3
	E2M1
	// E8M0 holds the powers of two from 2^-127 to 2^127, and NaN: no zero and
	// no negative numbers. It is the scale of a block (OCPMX).
	E8M0
)

// kind is what the encodings of a format hold besides numbers.
type kind uint8

const (
	ieee         kind = iota // infinities and NaNs in the binade above the largest
	topNaN                   // NaN is the largest magnitude of each sign
	minusZeroNaN             // NaN is the encoding of −0
	numbers                  // nothing
	powers                   // NaN is the largest encoding; there are no signs and no zero
)

// layout holds the parameters of a format: precision p (bits of significand,
// the hidden one included), exponents of the smallest and the largest normal
// number, and size.
type layout struct {
	name       string
	aliases    string
	kind       kind
	prec       int
	emin, emax int
	width      int // bits that count
	bytes      int
	minNormal  float64 // 2^emin
	max        float64
}

var layouts = [...]layout{
	Binary64: {"f64", "float64 double binary64 fp64",
		ieee, 53, -1022, 1023, 64, 8, 0x1p-1022, math.MaxFloat64},
	Binary32: {"f32", "float32 float single binary32 fp32",
		ieee, 24, -126, 127, 32, 4, 0x1p-126, math.MaxFloat32},
	Binary16: {"f16", "float16 half binary16 fp16", ieee, 11, -14, 15, 16, 2, 0x1p-14, 65504},
	BFloat16: {"bf16", "bfloat16", ieee, 8, -126, 127, 16, 2, 0x1p-126, 0x1.fep127},
	E5M2:     {"f8e5m2", "e5m2 float8_e5m2", ieee, 3, -14, 15, 8, 1, 0x1p-14, 57344},
	TF32:     {"tf32", "tensorfloat32", ieee, 11, -126, 127, 19, 4, 0x1p-126, 0x1.ffcp127},
	E4M3FN: {"f8e4m3fn", "f8e4m3 e4m3 e4m3fn float8_e4m3fn",
		topNaN, 4, -6, 8, 8, 1, 0x1p-6, 448},
	E4M3FNUZ: {"f8e4m3fnuz", "e4m3fnuz float8_e4m3fnuz",
		minusZeroNaN, 4, -7, 7, 8, 1, 0x1p-7, 240},
	E5M2FNUZ: {"f8e5m2fnuz", "e5m2fnuz float8_e5m2fnuz",
		minusZeroNaN, 3, -15, 15, 8, 1, 0x1p-15, 57344},
	E3M2: {"f6e3m2", "e3m2 float6_e3m2fn", numbers, 3, -2, 4, 6, 1, 0x1p-2, 28},
	E2M3: {"f6e2m3", "e2m3 float6_e2m3fn", numbers, 4, 0, 2, 6, 1, 1, 7.5},
	E2M1: {"f4e2m1", "e2m1 float4_e2m1fn", numbers, 2, 0, 2, 4, 1, 1, 6},
	E8M0: {"f8e8m0", "e8m0 ue8m0 float8_e8m0fnu", powers, 1, -127, 127, 8, 1, 0x1p-127, 0x1p127},
}

// Formats returns all formats.
func Formats() []Format {
	all := make([]Format, 0, len(layouts)-1)
	for f := Binary64; int(f) < len(layouts); f++ {
		all = append(all, f)
	}
	return all
}

// Parse returns the format of that name: f64, f32, f16, bf16, tf32, f8e5m2,
// f8e4m3fn and others that Formats returns, or one of the longer names in use
// (float32, single, binary32, e4m3 …), in any case.
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
	var known []string
	for _, f := range Formats() {
		known = append(known, f.String())
	}
	last := len(known) - 1
	return 0, fmt.Errorf("fp: no format is called %q; there are %s and %s", name,
		strings.Join(known[:last], ", "), known[last])
}

// Valid reports whether f is one of the formats of this package.
func (f Format) Valid() bool { return f != 0 && int(f) < len(layouts) }

// String returns the short name, such as f64, bf16 or f8e4m3fn; "none" for the
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

// Bytes returns the size of an encoded value that is stored alone.
func (f Format) Bytes() int { return layouts[f].bytes }

// Width returns the number of bits of an encoding that count: 8·Bytes(), except
// for TF32 (19, the upper ones of 32), E3M2 and E2M3 (6) and E2M1 (4).
func (f Format) Width() int { return layouts[f].width }

// IsIEEE reports whether the format has what IEEE 754 asks for: signed zeros,
// infinities and NaNs.
func (f Format) IsIEEE() bool { return layouts[f].kind == ieee }

// HasNaN reports whether the format has NaNs.
func (f Format) HasNaN() bool { return layouts[f].kind != numbers }

// Max returns the largest finite value: (2 − 2^(1−p))·2^MaxExp, except for
// E4M3FN, whose NaN takes that place.
func (f Format) Max() float64 { return layouts[f].max }

// MinNormal returns the smallest positive normal value.
func (f Format) MinNormal() float64 { return layouts[f].minNormal }

// Smallest returns the smallest positive value, a subnormal.
func (f Format) Smallest() float64 { return math.Ldexp(1, layouts[f].emin-layouts[f].prec+1) }

// Contains reports whether x is a value of the format. NaN is one where HasNaN
// reports true.
func (f Format) Contains(x float64) bool {
	if x != x {
		return f.HasNaN()
	}
	return f.Round(x, NearestEven) == x
}

// unused returns the number of low bits of an encoding that count for nothing.
func (l *layout) unused() int {
	if l.bytes == 1 {
		return 0 // short encodings lie in the low bits
	}
	return 8*l.bytes - l.width
}

// Bits returns the encoding of x, rounded to nearest even where x is not a
// value of the format, in the low 8·Bytes() bits. NaN becomes the quiet NaN of
// the same sign where the format has signed NaNs. Where it has none, NaN
// becomes Max, as in NVIDIA's instruction cvt; others make −0 of it.
func (f Format) Bits(x float64) uint64 { return f.code(x) << layouts[f].unused() }

// code is Bits without the low bits that count for nothing.
func (f Format) code(x float64) uint64 {
	switch f {
	case Binary64:
		return math.Float64bits(x)
	case Binary32:
		return uint64(math.Float32bits(float32(x)))
	}
	l := &layouts[f]
	frac := l.prec - 1
	var sign uint64
	if math.Signbit(x) {
		sign = 1 << (l.width - 1)
	}
	rounded := math.Abs(f.Round(x, NearestEven))
	switch {
	case rounded != rounded:
		return l.nan(sign)
	case math.IsInf(rounded, 0):
		return sign | (1<<(l.width-1-frac)-1)<<frac
	case rounded == 0 && l.kind == minusZeroNaN:
		return 0
	case l.kind == powers:
		return uint64(math.Ilogb(rounded) - l.emin)
	case rounded < l.minNormal:
		return sign | uint64(math.Ldexp(rounded, frac-l.emin))
	}
	m, e := math.Frexp(rounded) // m·2^e, m in [1/2, 1)
	//lastbit:ignore floatconv a significand of at most 53 bits
	return sign | uint64(e-l.emin)<<frac | (uint64(math.Ldexp(m, l.prec)) &^ (1 << frac))
}

// nan returns the code of NaN, of the given sign where NaNs have signs.
func (l *layout) nan(sign uint64) uint64 {
	frac := l.prec - 1
	switch l.kind {
	case ieee:
		return sign | (1<<(l.width-1-frac)-1)<<frac | 1<<(frac-1)
	case topNaN:
		return sign | (1<<(l.width-1) - 1)
	case minusZeroNaN:
		return 1 << (l.width - 1)
	case powers:
		return 1<<l.width - 1
	}
	return 1<<(l.width-1) - 1 // Max
}

// FromBits decodes an encoding; bits above the format's width are ignored, and
// so are the lower 13 bits of a TF32.
func (f Format) FromBits(b uint64) float64 {
	switch f {
	case Binary64:
		return math.Float64frombits(b)
	case Binary32:
		return float64(math.Float32frombits(uint32(b)))
	}
	l := &layouts[f]
	b >>= l.unused()
	frac := l.prec - 1
	if l.kind == powers {
		if b &= 0xff; b == 0xff {
			return math.NaN()
		}
		return math.Ldexp(1, int(b)+l.emin)
	}
	magnitude := b & (1<<(l.width-1) - 1)
	e, m := magnitude>>frac, magnitude&(1<<frac-1)
	negative := b>>(l.width-1)&1 != 0
	var x float64
	switch {
	case l.kind == ieee && e == 1<<(l.width-1-frac)-1:
		if m != 0 {
			return math.NaN()
		}
		x = math.Inf(1)
	case l.kind == topNaN && magnitude == 1<<(l.width-1)-1,
		l.kind == minusZeroNaN && magnitude == 0 && negative:
		return math.NaN()
	case e == 0:
		x = math.Ldexp(float64(m), l.emin-frac)
	default:
		x = math.Ldexp(float64(m|1<<frac), int(e)-1+l.emin-frac)
	}
	if negative {
		x = -x
	}
	return x
}

// NextUp returns the least value of the format above x; NextUp(Max) is +Inf,
// NextUp(±0) the smallest subnormal, NextUp(NaN) NaN. It is NaN where there is
// none above: at Max in a format without infinities. x is a value of the
// format.
func (f Format) NextUp(x float64) float64 {
	l := &layouts[f]
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x == 0:
		return f.Smallest()
	case x == l.max && l.kind != ieee:
		return math.NaN()
	case l.kind == powers:
		return 2 * x
	case x > 0:
		return f.fromCode(f.code(x) + 1)
	case x == -f.Smallest():
		return f.Round(math.Copysign(0, -1), NearestEven)
	}
	return f.fromCode(f.code(x) - 1)
}

// fromCode decodes what code returns.
func (f Format) fromCode(c uint64) float64 { return f.FromBits(c << layouts[f].unused()) }

// NextDown returns −NextUp(−x), and x/2 or NaN in E8M0.
func (f Format) NextDown(x float64) float64 {
	if layouts[f].kind == powers {
		if x == f.Smallest() {
			return math.NaN()
		}
		return x / 2
	}
	return -f.NextUp(-x)
}

// ULP returns the distance between the values of the format around x: 2^(e−p+1)
// for |x| in [2^e, 2^(e+1)), and Smallest below MinNormal. It is NaN when x is
// not finite.
func (f Format) ULP(x float64) float64 {
	x = math.Abs(x)
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	l := &layouts[f]
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
	m := int64(f.code(math.Abs(x)))
	if math.Signbit(x) {
		return -m
	}
	return m
}
