package blocks

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// Format is a format of blocks.
type Format uint8

// The formats.
const (
	MXFP8E4M3 Format = iota
	MXFP8E5M2
	MXFP6E3M2
	MXFP6E2M3
	MXFP4
	NVFP4
)

type layout struct {
	name           string
	element, scale fp.Format
	size           int
}

var layouts = [...]layout{
	MXFP8E4M3: {"mxfp8e4m3", fp.E4M3FN, fp.E8M0, 32},
	MXFP8E5M2: {"mxfp8e5m2", fp.E5M2, fp.E8M0, 32},
	MXFP6E3M2: {"mxfp6e3m2", fp.E3M2, fp.E8M0, 32},
	MXFP6E2M3: {"mxfp6e2m3", fp.E2M3, fp.E8M0, 32},
	MXFP4:     {"mxfp4", fp.E2M1, fp.E8M0, 32},
	NVFP4:     {"nvfp4", fp.E2M1, fp.E4M3FN, 16},
}

// Formats returns all formats.
func Formats() []Format {
	all := make([]Format, len(layouts))
	for i := range all {
		all[i] = Format(i)
	}
	return all
}

// String returns the name in lower case: mxfp8e4m3.
func (f Format) String() string {
	if int(f) >= len(layouts) {
		return "none"
	}
	return layouts[f].name
}

// Element returns the format of the elements.
func (f Format) Element() fp.Format { return layouts[f].element }

// Scale returns the format of the scale.
func (f Format) Scale() fp.Format { return layouts[f].scale }

// Size returns the number of elements of a block.
func (f Format) Size() int { return layouts[f].size }

// ScaleValue returns the number that an encoded scale stands for, or NaN. The
// sign of NVFP4's scales is ignored.
func (f Format) ScaleValue(scale uint8) float64 {
	return math.Abs(layouts[f].scale.FromBits(uint64(scale)))
}

// Decode stores in dst the values of the codes, one code a byte. tensor is the
// scale of the tensor, 1 where there is none. The products are exact.
func (f Format) Decode(dst []float64, scale uint8, codes []uint8, tensor float32) {
	factor := float64(f.ScaleValue(scale) * float64(tensor))
	element := f.Element()
	for i, c := range codes {
		dst[i] = float64(element.FromBits(uint64(c)) * factor)
	}
}

// Options choose how to encode. The zero Options round to nearest even, do not
// saturate, and have no scale of the tensor.
type Options struct {
	Mode     fp.Mode // of the elements
	Saturate bool    // elements too large become ±Max
	Tensor   float32 // scale of the tensor; 0 is 1
}

func (o Options) tensor() float64 {
	if o.Tensor == 0 {
		return 1
	}
	return float64(o.Tensor)
}

// TensorScale returns the scale of a tensor for NVFP4: the largest finite
// magnitude divided by 6·448, rounded to float32, and 1 for zeros.
func TensorScale(x []float64) float32 {
	largest := fp.E2M1.Max() * fp.E4M3FN.Max()
	if s := float32(odd(magnitude(x), largest)); s > 0 {
		return s
	}
	return 1
}

// Encode stores in codes the encodings of the values x, one a byte, and returns
// the encoding of their scale. A block may be shorter than Size.
func (f Format) Encode(codes []uint8, x []float64, o Options) (scale uint8) {
	element := f.Element()
	if f.spoiled(x, o) {
		clear(codes[:len(x)])
		return uint8(f.Scale().Bits(math.NaN()))
	}
	scale = f.chooseScale(magnitude(x), o)
	divisor := float64(f.ScaleValue(scale) * o.tensor())
	for i, v := range x {
		q := v
		switch {
		case v-v == 0 && divisor == 0:
			q = math.Copysign(0, v)
		case v-v == 0:
			q = odd(v, divisor)
		}
		if o.Saturate {
			q = element.RoundSaturated(q, o.Mode)
		} else {
			q = element.Round(q, o.Mode)
		}
		codes[i] = uint8(element.Bits(q))
	}
	return scale
}

// spoiled reports whether a value has no element that can hold it.
func (f Format) spoiled(x []float64, o Options) bool {
	if f.Element().HasNaN() {
		return false
	}
	for _, v := range x {
		if v != v || math.IsInf(v, 0) && !o.Saturate {
			return true
		}
	}
	return false
}

// magnitude returns the largest finite magnitude.
func magnitude(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		if v-v == 0 {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// chooseScale returns the encoding of the scale for values of that magnitude.
func (f Format) chooseScale(largest float64, o Options) uint8 {
	scale, element := f.Scale(), f.Element()
	if scale != fp.E8M0 {
		q := odd(odd(largest, o.tensor()), element.Max())
		return uint8(scale.Bits(scale.RoundSaturated(q, fp.NearestEven)))
	}
	e := scale.MinExp()
	if largest > 0 {
		e = min(max(math.Ilogb(largest)-element.MaxExp(), e), scale.MaxExp())
	}
	return uint8(scale.Bits(math.Ldexp(1, e)))
}

// odd returns v/d, for finite v and d > 0, rounded to odd: rounding it again,
// to a shorter format, gives what rounding the exact quotient gives.
func odd(v, d float64) float64 {
	q := float64(v / d)
	if v == 0 || math.IsInf(q, 0) {
		return math.Copysign(min(math.Abs(q), math.MaxFloat64), v)
	}
	if math.Abs(q) < 0x1p-300 { // far below every format
		return math.Copysign(0x1p-300, v)
	}
	rest := math.FMA(-q, d, v)
	if rest == 0 || math.Float64bits(q)&1 != 0 {
		return q
	}
	return math.Nextafter(q, math.Inf(int(math.Copysign(1, rest))))
}
