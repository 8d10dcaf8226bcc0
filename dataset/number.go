package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lastbit/lastbit/fp"
)

// class is the meaning of the bits of a number.
type class uint8

const (
	float class = iota
	signed
	unsigned
	boolean
	bytesText // of a key: bytes up to the zeros at the end
	ucs4Text  // of a key: characters of four bytes
)

// encoding describes the bytes of a number.
type encoding struct {
	class class
	bytes int
	order binary.ByteOrder
	brain bool // bfloat16
}

// dtypes are the names of encodings, as in fp, and for integers as in Rust.
var dtypes = []string{"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16",
	"u8"}

// DTypes returns the names that Options.DType takes.
func DTypes() []string { return slices.Clone(dtypes) }

// namedEncoding returns the encoding of one of DTypes.
func namedEncoding(name string, big bool) (encoding, error) {
	e := encoding{order: binary.LittleEndian}
	if big {
		e.order = binary.BigEndian
	}
	if !slices.Contains(dtypes, name) {
		return e, &Error{
			Cause: fmt.Sprintf("there is no type %q of raw values", name),
			Cure:  "use " + strings.Join(dtypes, ", "),
		}
	}
	if name == "bf16" {
		return encoding{class: float, bytes: 2, order: e.order, brain: true}, nil
	}
	e.class = map[byte]class{'f': float, 'i': signed, 'u': unsigned}[name[0]]
	bits, err := strconv.Atoi(name[1:])
	e.bytes = bits / 8
	return e, err
}

// brainType is the type of bfloat16 in the files that NumPy writes for package
// ml_dtypes: opaque values of two bytes.
const brainType = "V2"

// numpyTypes are the types of NumPy that can be read, without the byte order.
var numpyTypes = []string{"f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"}

// numpyEncoding returns the encoding of a NumPy type string such as "<f4". Its
// bytes are 0 if it has no encoding here.
func numpyEncoding(s string) (encoding, error) {
	var e encoding
	if s == "<"+brainType || s == "|"+brainType {
		return encoding{class: float, bytes: 2, order: binary.LittleEndian, brain: true}, nil
	}
	classes := map[byte]class{'f': float, 'i': signed, 'u': unsigned, 'b': boolean}
	if len(s) == 3 && slices.Contains(numpyTypes, s[1:]) {
		e = encoding{class: classes[s[1]], bytes: int(s[2] - '0')}
	}
	if e.bytes == 0 {
		return e, unknownType(s)
	}
	switch {
	case s[0] == '<' || s[0] == '|' && e.bytes == 1:
		e.order = binary.LittleEndian
	case s[0] == '>':
		e.order = binary.BigEndian
	default:
		return e, &Error{
			Cause: fmt.Sprintf("the type %q does not name the byte order", s),
			Cure:  "write it with numpy.save",
		}
	}
	return e, nil
}

// textEncoding returns the encoding of a text of a NumPy type such as "<U5", of
// class float for another type.
func textEncoding(s string) encoding {
	e := encoding{order: binary.LittleEndian}
	if len(s) < 2 {
		return e
	}
	if s[0] == '>' {
		e.order = binary.BigEndian
	}
	switch s[1] {
	case 'S', 'a':
		e.class = bytesText
	case 'U':
		e.class = ucs4Text
	}
	return e
}

// isText reports whether the encoding is of a text.
func (e encoding) isText() bool { return e.class == bytesText || e.class == ucs4Text }

// text appends a text to b.
func (e encoding) text(b, src []byte) []byte {
	if e.class == bytesText {
		return append(b, bytes.TrimRight(src[:e.bytes], "\x00")...)
	}
	const width = 4
	n := e.bytes
	for n > 0 && e.order.Uint32(src[n-width:]) == 0 {
		n -= width
	}
	for i := 0; i < n; i += width {
		b = utf8.AppendRune(b, rune(min(e.order.Uint32(src[i:]), utf8.MaxRune+1)))
	}
	return b
}

// format returns the format of floats.
func (e encoding) format() fp.Format {
	if e.brain {
		return fp.BFloat16
	}
	switch e.bytes {
	case 2:
		return fp.Binary16
	case 4:
		return fp.Binary32
	}
	return fp.Binary64
}

// floats returns the format of floats, and 0 for other numbers.
func (e encoding) floats() fp.Format {
	if e.class != float {
		return 0
	}
	return e.format()
}

// precision returns the size of the floats for strconv.FormatFloat.
func (e encoding) precision() int {
	if e.class == float && e.bytes < 8 {
		return 32
	}
	return 64
}

// decode sets values at, at+1, … of c to the numbers in src, which are stride
// bytes apart. It returns the index of a number that is invalid, or −1.
func (e encoding) decode(c *Column, at int, src []byte, stride int) int {
	n := (len(src) - e.bytes + stride) / stride
	out := c.Values[at : at+n]
	little := e.order == binary.LittleEndian
	switch {
	case e.class == float && e.bytes == 8 && little && stride == 8:
		decodeFloat64(out, src)
	case e.class == float && e.bytes == 4 && little && stride == 4:
		decodeFloat32(out, src)
	case e.class == float && e.bytes == 8:
		for i := range out {
			out[i] = math.Float64frombits(e.order.Uint64(src[i*stride:]))
		}
	case e.class == float && e.bytes == 4:
		for i := range out {
			out[i] = float64(math.Float32frombits(e.order.Uint32(src[i*stride:])))
		}
	case e.class == float:
		for i := range out {
			out[i] = e.format().FromBits(uint64(e.order.Uint16(src[i*stride:])))
		}
	default:
		return e.decodeInts(c, at, n, src, stride)
	}
	return -1
}

func decodeFloat64(out []float64, src []byte) {
	for len(out) >= 4 && len(src) >= 32 {
		out[0] = math.Float64frombits(binary.LittleEndian.Uint64(src))
		out[1] = math.Float64frombits(binary.LittleEndian.Uint64(src[8:]))
		out[2] = math.Float64frombits(binary.LittleEndian.Uint64(src[16:]))
		out[3] = math.Float64frombits(binary.LittleEndian.Uint64(src[24:]))
		out, src = out[4:], src[32:]
	}
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
	}
}

func decodeFloat32(out []float64, src []byte) {
	for len(out) >= 4 && len(src) >= 16 {
		out[0] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src)))
		out[1] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4:])))
		out[2] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[8:])))
		out[3] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[12:])))
		out, src = out[4:], src[16:]
	}
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
	}
}

func (e encoding) decodeInts(c *Column, at, n int, src []byte, stride int) int {
	for i := range n {
		v := e.integer(src[i*stride:])
		switch {
		case e.class == boolean && v > 1:
			return i
		case e.class == signed && int64(v) < 0:
			c.setInt(at+i, true, -v)
		default:
			c.setInt(at+i, false, v)
		}
	}
	return -1
}

// integer reads an integer, with its sign extended to 64 bits.
func (e encoding) integer(b []byte) uint64 {
	var v uint64
	switch e.bytes {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(e.order.Uint16(b))
	case 4:
		v = uint64(e.order.Uint32(b))
	default:
		v = e.order.Uint64(b)
	}
	if shift := 64 - 8*e.bytes; e.class == signed {
		v = uint64(int64(v<<shift) >> shift)
	}
	return v
}
