package dataset

import (
	"math"
	"strconv"
)

// keys numbers the keys of rows in the order of their first appearance.
type keys struct {
	texts   map[string]int
	numbers map[[2]uint64]int
	new     []string
}

func newKeys() *keys {
	return &keys{texts: map[string]int{}, numbers: map[[2]uint64]int{}}
}

// text returns the number of a key. It allocates if the key is new.
func (k *keys) text(b []byte) int {
	id, ok := k.texts[string(b)]
	if !ok {
		id = len(k.texts)
		s := string(b)
		k.texts[s] = id
		k.new = append(k.new, s)
	}
	return id
}

// number returns the number of the key that equals value i of a column.
func (k *keys) number(c *Column, i int, precision int) int {
	bits := c.number(i)
	id, ok := k.numbers[bits]
	if !ok {
		id = k.text([]byte(floatText(c.Values[i], math.Float64frombits(bits[1]), precision)))
		k.numbers[bits] = id
	}
	return id
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
