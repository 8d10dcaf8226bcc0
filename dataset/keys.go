package dataset

import (
	"math"
	"strconv"
)

// keys numbers the keys of rows in the order of their first appearance. All
// keys of a column are texts, or all are numbers.
type keys struct {
	texts   texts
	numbers words
	new     []string
}

func newKeys() *keys { return new(keys) }

// text returns the number of a key. It allocates if the key is new.
func (k *keys) text(b []byte) int {
	id, isNew := k.texts.number(b)
	if isNew {
		k.new = append(k.new, string(b))
	}
	return id
}

// word returns the number of the key with some bits, which no other key has.
// text returns its text.
func (k *keys) word(bits [2]uint64, text func() string) int {
	id, isNew := k.numbers.number(bits)
	if isNew {
		k.new = append(k.new, text())
	}
	return id
}

// number returns the number of the key that equals value i of a column. Every
// NaN is one key.
func (k *keys) number(c *Column, i int, precision int) int {
	bits := c.number(i)
	if c.Values[i] != c.Values[i] {
		bits = [2]uint64{math.Float64bits(math.NaN())}
	}
	return k.word(bits, func() string {
		return floatText(c.Values[i], math.Float64frombits(bits[1]), precision)
	})
}

// floatText returns the text of the number high + low.
func floatText(high, low float64, precision int) string {
	if high == math.Trunc(high) && math.Abs(high) < 1<<64 {
		return wholeText(high, low)
	}
	return strconv.FormatFloat(high, 'g', -1, precision)
}

// wholeText returns the digits of the integer high + low, of up to 64 bits.
func wholeText(high, low float64) string {
	//lastbit:ignore floatconv below 2^64
	s := strconv.FormatUint(uint64(math.Abs(high))+uint64(math.Abs(low)), 10)
	if math.Signbit(high) {
		s = "-" + s
	}
	return s
}

// fresh returns the keys that are new since the last call.
func (k *keys) fresh() []string {
	new := k.new
	k.new = nil
	return new
}
