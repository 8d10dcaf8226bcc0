package parquet

import "testing"

// TestNullType holds the type NULL, whose values are numbers if it has any,
// against the physical types.
func TestNullType(t *testing.T) {
	for p, want := range map[Physical]Meaning{Boolean: Number, Int32: Number, Int64: Number,
		Int96: Unknown, Float: Number, Double: Number, ByteArray: Unknown,
		FixedByteArray: Unknown} {
		e := schemaElement{physical: p, length: 2, converted: -1,
			logical: &Logical{Meaning: Number, Name: "NULL"}}
		if got := e.meaning().Meaning; got != want {
			t.Errorf("NULL of physical type %d has meaning %d, want %d", p, got, want)
		}
	}
}

// TestRangesOfIntegers holds that a value beyond the range of its type is an
// error, whatever the physical type holds.
func TestRangesOfIntegers(t *testing.T) {
	for _, x := range []struct {
		physical Physical
		meaning  Meaning
		bits     int
		value    int64
		want     bool
	}{
		{Int32, Unsigned, 8, 255, true}, {Int32, Unsigned, 8, 256, false},
		{Int32, Unsigned, 8, -1, false}, {Int32, Unsigned, 16, 1 << 16, false},
		{Int32, Unsigned, 32, -1, true}, {Int64, Unsigned, 32, 1 << 32, false},
		{Int64, Unsigned, 32, 1<<32 - 1, true}, {Int64, Unsigned, 64, -1, true},
		{Int32, Number, 8, 127, true}, {Int32, Number, 8, 128, false},
		{Int32, Number, 8, -128, true}, {Int32, Number, 8, -129, false},
		{Int32, Number, 16, -1 << 15, true}, {Int64, Number, 32, 1 << 31, false},
		{Int64, Number, 32, -1 << 31, true}, {Int64, Number, 0, -1 << 63, true},
	} {
		c := &Column{Physical: x.physical,
			Logical: Logical{Meaning: x.meaning, Bits: x.bits}}
		word := uint64(x.value)
		if x.physical == Int32 {
			word = uint64(uint32(x.value))
		}
		if got := c.holds([]uint64{0, word}); got != x.want {
			t.Errorf("%d in %d bits: %t", x.value, x.bits, got)
		}
	}
}
