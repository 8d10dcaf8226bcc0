package dataset

import (
	"math"
	"slices"
)

// blockValues is the number of values in a block: 256 KiB, which stay in a
// processor's cache from the one who reads them to the one who adds them.
const blockValues = 1 << 15

// minRows bounds the rows of a block that has many columns.
const minRows = 1 << 10

// A Block holds some rows of a file. The zero value is ready for Reader.Next.
type Block struct {
	Columns []Column
	// Keys are the numbers of the rows' keys, counted from 0 in the order of
	// their first appearance in the file, if a key was asked for; −1 for a row
	// without a key, which is empty in every column.
	Keys []int
	// Fresh are the keys that appear here for the first time, in that order.
	Fresh []string
}

// A Column holds the values of some rows.
type Column struct {
	// Values are the numbers.
	Values []float64
	// Rest is nil, or the part of each number that Values cannot hold: number i
	// is Values[i] + Rest[i] exactly, and both have its sign. It is set for
	// integers beyond 2^53.
	Rest []float64
	// Units and Scale describe decimals: number i is Σ Units[k][i] · 10^−Scale
	// exactly, and Values has the float64 nearest to it. Units is nil for other
	// numbers. Its parts are integers: one, or more for integers beyond 2^53.
	// The first part of a number that is not 0 is not 0, and none is −0.
	Units [][]float64
	Scale int
	// Empty are the rows without a value, in ascending order. Values are 0
	// there.
	Empty []int

	rest  []float64   // memory for Rest
	units [][]float64 // memory for Units
}

// Rows returns the number of rows.
func (b *Block) Rows() int {
	if len(b.Columns) == 0 {
		return 0
	}
	return len(b.Columns[0].Values)
}

// prepare makes room for rows.
func (b *Block) prepare(columns int, keys bool) {
	rows := max(blockValues/max(columns, 1), minRows)
	if len(b.Columns) != columns {
		b.Columns = make([]Column, columns)
	}
	for i := range b.Columns {
		c := &b.Columns[i]
		c.Values = sized(c.Values, rows)
		c.Rest, c.Units, c.Scale, c.Empty = nil, nil, 0, c.Empty[:0]
	}
	b.Keys, b.Fresh = b.Keys[:0], nil
	if keys {
		b.Keys = sized(b.Keys, rows)
	}
}

// sized returns n elements of any value, in the memory of x if they fit.
func sized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// cut keeps the first n rows.
func (b *Block) cut(n int) {
	for i := range b.Columns {
		c := &b.Columns[i]
		c.Values = c.Values[:n]
		if c.Rest != nil {
			c.Rest = c.Rest[:n]
		}
		for k := range c.Units {
			c.Units[k] = c.Units[k][:n]
		}
	}
	if len(b.Keys) > 0 {
		b.Keys = b.Keys[:n]
	}
}

// setRest records the part of number i that Values[i] cannot hold.
func (c *Column) setRest(i int, rest float64) {
	if c.Rest == nil {
		c.rest = sized(c.rest, len(c.Values))
		clear(c.rest)
		c.Rest = c.rest
	}
	c.Rest[i] = rest
}

// setEmpty records that row i has no value.
func (c *Column) setEmpty(i int) {
	c.Values[i] = 0
	if c.Rest != nil {
		c.Rest[i] = 0
	}
	for _, part := range c.Units {
		part[i] = 0
	}
	if n := len(c.Empty); n == 0 || c.Empty[n-1] != i {
		c.Empty = append(c.Empty, i)
	}
}

// skipNaN makes the rows empty whose number is NaN.
func (c *Column) skipNaN() {
	n := len(c.Empty)
	for i, v := range c.Values {
		if v != v {
			c.Values[i] = 0
			c.Empty = append(c.Empty, i)
		}
	}
	if n > 0 && n < len(c.Empty) {
		slices.Sort(c.Empty)
	}
}

// setInt sets number i to ±m.
func (c *Column) setInt(i int, negative bool, m uint64) {
	high, low := float64(m), 0.0
	if m > 1<<53 {
		high, low = float64(m&^0x7ff), float64(m&0x7ff)
	}
	if negative {
		high, low = -high, -low
	}
	c.Values[i] = high
	if low != 0 {
		c.setRest(i, low)
	}
}

// number returns the bits of number i, which no other number has.
func (c *Column) number(i int) (bits [2]uint64) {
	bits[0] = math.Float64bits(c.Values[i])
	if c.Rest != nil {
		bits[1] = math.Float64bits(c.Rest[i])
	}
	return bits
}
