package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// order is how the values of a column are compared with the minimum and the
// maximum in its statistics.
type order uint8

const (
	noOrder order = iota
	signed
	unsigned
	floats
	halves
	decimals // bytes of a signed integer, the most significant first
	texts    // bytes
)

// order returns the order of a column's values.
func (c *Column) order() order {
	switch {
	case c.Meaning == Unknown || c.Physical == Int96:
		return noOrder
	case c.Meaning == Unsigned || c.Physical == Boolean:
		return unsigned
	case c.Physical == Int32 || c.Physical == Int64:
		return signed
	case c.Physical == Float || c.Physical == Double:
		return floats
	case c.Meaning == Half:
		return halves
	case c.Meaning == Decimal:
		return decimals
	}
	return texts
}

// A bounds compares the values of a chunk with its statistics.
//
// A value below the minimum, or above the maximum, is an error; and where the
// statistics call themselves exact, so is a minimum or a maximum that no value
// has. Two zeros are one, since writers put −0 for a minimum and +0 for a
// maximum of zero. Statistics are ignored where their order is not known:
//
//   - a minimum or a maximum that is NaN, or of another length than a value;
//   - both of a column without an order, such as INT96, or of an unknown one;
//   - the deprecated fields of values that are not compared with a sign, of
//     floats among which is NaN, and of a file of fastparquet.
type bounds struct {
	order              order
	min, max           []byte
	minExact, maxExact bool
	isOld              bool

	any, nan bool
	ints     [2]int64 // the smallest and the largest value
	uints    [2]uint64
	floats   [2]float64
}

// newBounds returns the bounds of a chunk.
func (c *Column) newBounds(s *statistics) *bounds {
	b := &bounds{order: c.order()}
	switch {
	case b.order == noOrder:
	case s.min != nil || s.max != nil:
		if c.columnOrder == typeOrder || c.columnOrder == totalOrder && c.IsWords() {
			b.min, b.max, b.minExact, b.maxExact = s.min, s.max, s.minExact, s.maxExact
		}
	case b.order == signed || b.order == floats:
		b.min, b.max, b.isOld = s.oldMin, s.oldMax, true
	}
	if w := c.width(); w > 0 && b.order != texts {
		b.min, b.max = ofLength(b.min, w), ofLength(b.max, w)
	}
	if c.Physical == Boolean && (hasBits(b.min, 0xfe) || hasBits(b.max, 0xfe)) {
		b.min, b.max = nil, nil
	}
	return b
}

func ofLength(b []byte, n int) []byte {
	if len(b) != n {
		return nil
	}
	return b
}

func hasBits(b []byte, mask byte) bool { return len(b) > 0 && b[0]&mask != 0 }

// words adds values of up to 64 bits.
func (b *bounds) words(c *Column, w []uint64) {
	if b.min == nil && b.max == nil || len(w) == 0 {
		return
	}
	switch {
	case b.order == floats && c.Physical == Float:
		b.start()
		for _, v := range w {
			b.float(float64(math.Float32frombits(uint32(v))))
		}
	case b.order == floats:
		b.start()
		for _, v := range w {
			b.float(math.Float64frombits(v))
		}
	case b.order == unsigned:
		b.start()
		for _, v := range w {
			b.uints[0], b.uints[1] = min(b.uints[0], v), max(b.uints[1], v)
		}
	case c.Physical == Int32:
		b.start()
		for _, v := range w {
			i := int64(int32(v))
			b.ints[0], b.ints[1] = min(b.ints[0], i), max(b.ints[1], i)
		}
	default:
		b.start()
		for _, v := range w {
			b.ints[0], b.ints[1] = min(b.ints[0], int64(v)), max(b.ints[1], int64(v))
		}
	}
}

func (b *bounds) start() {
	if !b.any {
		b.any = true
		b.ints = [2]int64{math.MaxInt64, math.MinInt64}
		b.uints = [2]uint64{math.MaxUint64, 0}
		b.floats = [2]float64{math.Inf(1), math.Inf(-1)}
	}
}

func (b *bounds) float(v float64) {
	switch {
	case v < b.floats[0]:
		b.floats[0] = v
		b.floats[1] = max(b.floats[1], v)
	case v > b.floats[1]:
		b.floats[1] = v
	case v != v:
		b.nan = true
	}
}

// bytes returns an error if a value is out of bounds.
func (b *bounds) bytes(v []byte) error {
	var compare func(a, b []byte) int
	switch b.order {
	case texts:
		compare = bytes.Compare
	case decimals:
		compare = compareSigned
	case halves:
		if isHalfNaN(v) || isHalfNaN(b.min) || isHalfNaN(b.max) {
			return nil
		}
		compare = compareHalves
	default:
		return nil
	}
	switch {
	case b.min != nil && compare(v, b.min) < 0:
		return errMin
	case b.max != nil && compare(v, b.max) > 0 && !b.isCut(v):
		return errMax
	}
	return nil
}

// isCut reports whether the maximum of texts is the start of one: a writer that
// shortens it has to make it larger, and some do not.
func (b *bounds) isCut(v []byte) bool {
	return b.order == texts && !b.maxExact && bytes.HasPrefix(v, b.max)
}

var (
	errMin = errors.New("a value is below the minimum in the column's statistics")
	errMax = errors.New("a value is above the maximum in the column's statistics")
)

// compareSigned compares signed integers with the most significant byte first.
func compareSigned(x, y []byte) int {
	n := max(len(x), len(y))
	for i := n; i > 0; i-- {
		a, b := signedByte(x, i), signedByte(y, i)
		if i == n { // the sign
			a, b = a^0x80, b^0x80
		}
		if a != b {
			return int(a) - int(b)
		}
	}
	return 0
}

// signedByte returns the byte that is i bytes from the end.
func signedByte(x []byte, i int) byte {
	switch {
	case i <= len(x):
		return x[len(x)-i]
	case len(x) > 0 && x[0]&0x80 != 0:
		return 0xff
	}
	return 0
}

func half(b []byte) int {
	v := binary.LittleEndian.Uint16(b)
	if v&0x8000 != 0 {
		return -int(v & 0x7fff)
	}
	return int(v)
}

func isHalfNaN(b []byte) bool {
	const inf = 0x7c00
	return len(b) == 2 && binary.LittleEndian.Uint16(b)&0x7fff > inf
}

func compareHalves(a, b []byte) int { return half(a) - half(b) }

// end returns an error if the statistics of words do not hold.
func (b *bounds) end(c *Column) error {
	if !b.any {
		return nil
	}
	switch b.order {
	case signed:
		return check(b, b.ints, func(x []byte) (int64, bool) {
			if c.Physical == Int32 {
				return int64(int32(binary.LittleEndian.Uint32(x))), true
			}
			return int64(binary.LittleEndian.Uint64(x)), true
		})
	case unsigned:
		return check(b, b.uints, func(x []byte) (uint64, bool) {
			var full [8]byte
			copy(full[:], x)
			return binary.LittleEndian.Uint64(full[:]), true
		})
	case floats:
		if b.isOld && b.nan || b.floats[0] > b.floats[1] {
			return nil // every value is NaN
		}
		return check(b, b.floats, func(x []byte) (float64, bool) {
			v := math.Float64frombits(0)
			if c.Physical == Float {
				v = float64(math.Float32frombits(binary.LittleEndian.Uint32(x)))
			} else {
				v = math.Float64frombits(binary.LittleEndian.Uint64(x))
			}
			return v, v == v
		})
	}
	return nil
}

// check compares the smallest and the largest value with the statistics.
func check[T int64 | uint64 | float64](b *bounds, seen [2]T, decode func([]byte) (T, bool)) error {
	if b.min != nil {
		switch v, ok := decode(b.min); {
		case !ok:
		case seen[0] < v:
			return errMin
		case b.minExact && seen[0] > v:
			return fmt.Errorf("no value is the minimum in the column's statistics, %v", v)
		}
	}
	if b.max != nil {
		switch v, ok := decode(b.max); {
		case !ok:
		case seen[1] > v:
			return errMax
		case b.maxExact && seen[1] < v:
			return fmt.Errorf("no value is the maximum in the column's statistics, %v", v)
		}
	}
	return nil
}
