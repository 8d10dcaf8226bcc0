package parquet

import (
	"encoding/binary"
	"math"
	"testing"
)

func le32(v uint32) []byte  { return binary.LittleEndian.AppendUint32(nil, v) }
func le64(v uint64) []byte  { return binary.LittleEndian.AppendUint64(nil, v) }
func f64(v float64) []byte  { return le64(math.Float64bits(v)) }
func word(v float64) uint64 { return math.Float64bits(v) }

// TestBounds compares statistics with values: statistics that some writer may
// write for them are accepted, and statistics that no writer can are an error.
func TestBounds(t *testing.T) {
	minus := func(v int64) uint64 { return uint64(-v) }
	signedColumn := &Column{Physical: Int64, columnOrder: typeOrder}
	short := &Column{Physical: Int32, columnOrder: typeOrder}
	unsignedColumn := &Column{Physical: Int64, Logical: Logical{Meaning: Unsigned},
		columnOrder: typeOrder}
	double := &Column{Physical: Double, columnOrder: typeOrder}
	float := &Column{Physical: Float, columnOrder: typeOrder}
	flag := &Column{Physical: Boolean, columnOrder: typeOrder}
	noOrder := &Column{Physical: Int64}
	nan := math.NaN()
	for _, c := range []struct {
		about string
		c     *Column
		s     statistics
		words []uint64
		ok    bool
	}{
		{"hold", signedColumn, statistics{min: le64(minus(5)), max: le64(7)},
			[]uint64{minus(5), 7}, true},
		{"wider", signedColumn, statistics{min: le64(minus(9)), max: le64(9)},
			[]uint64{minus(5), 7}, true},
		{"below", signedColumn, statistics{min: le64(minus(5))}, []uint64{minus(6)}, false},
		{"above", signedColumn, statistics{max: le64(7)}, []uint64{8}, false},
		{"not reached", signedColumn, statistics{max: le64(7), maxExact: true}, []uint64{6},
			false},
		{"no minimum", signedColumn, statistics{min: le64(1), minExact: true}, []uint64{6}, false},
		{"reached", signedColumn, statistics{max: le64(7), maxExact: true}, []uint64{6, 7}, true},
		{"old ones", signedColumn, statistics{oldMin: le64(1), oldMax: le64(2)}, []uint64{3},
			false},
		{"of another length", signedColumn, statistics{max: le32(7)}, []uint64{8}, true},
		{"none", signedColumn, statistics{}, []uint64{8}, true},
		{"no order", noOrder, statistics{max: le64(7)}, []uint64{8}, true},
		{"short", short, statistics{min: le32(1 << 31), max: le32(0)},
			[]uint64{uint64(uint32(1 << 31)), 0}, true},
		{"short, below", short, statistics{min: le32(0)}, []uint64{uint64(^uint32(0))}, false},
		{"unsigned", unsignedColumn, statistics{max: le64(math.MaxUint64)},
			[]uint64{math.MaxUint64, 1}, true},
		{"unsigned, above", unsignedColumn, statistics{max: le64(1)}, []uint64{1 << 63}, false},
		{"unsigned, old", unsignedColumn, statistics{oldMax: le64(1)}, []uint64{1 << 63}, true},
		{"zeros", double, statistics{min: f64(0), max: f64(math.Copysign(0, -1)), minExact: true,
			maxExact: true}, []uint64{word(math.Copysign(0, -1)), 0}, true},
		{"NaN among them", double, statistics{min: f64(1), max: f64(2), minExact: true,
			maxExact: true}, []uint64{word(1), word(nan), word(2)}, true},
		{"NaN alone", double, statistics{min: f64(1), max: f64(2), maxExact: true},
			[]uint64{word(nan)}, true},
		{"a minimum of NaN", double, statistics{min: f64(nan), max: f64(nan)},
			[]uint64{word(1)}, true},
		{"infinite", double, statistics{max: f64(2)}, []uint64{word(math.Inf(1))}, false},
		{"old, with NaN", double, statistics{oldMin: f64(3), oldMax: f64(3)},
			[]uint64{word(nan), word(1)}, true},
		{"old, without", double, statistics{oldMin: f64(3), oldMax: f64(3)},
			[]uint64{word(1)}, false},
		{"float", float, statistics{max: le32(math.Float32bits(0.1))},
			[]uint64{uint64(math.Float32bits(0.1))}, true},
		{"float, above", float, statistics{max: le32(math.Float32bits(0.1))},
			[]uint64{uint64(math.Float32bits(0.2))}, false},
		{"boolean", flag, statistics{min: []byte{0}, max: []byte{1}, maxExact: true},
			[]uint64{0, 1}, true},
		{"boolean, above", flag, statistics{max: []byte{0}}, []uint64{1}, false},
		{"boolean, odd", flag, statistics{min: []byte{0xff}}, []uint64{0}, true},
	} {
		b := c.c.newBounds(&c.s)
		b.words(c.c, c.words)
		if err := b.end(c.c); (err == nil) != c.ok {
			t.Errorf("%s: the error is %v", c.about, err)
		}
	}
}

func TestBoundsOfBytes(t *testing.T) {
	money := &Column{Physical: FixedByteArray, Length: 2, Logical: Logical{Meaning: Decimal},
		columnOrder: typeOrder}
	wide := &Column{Physical: ByteArray, Logical: Logical{Meaning: Decimal},
		columnOrder: typeOrder}
	text := &Column{Physical: ByteArray, Logical: Logical{Meaning: Text}, columnOrder: typeOrder}
	half := &Column{Physical: FixedByteArray, Length: 2, Logical: Logical{Meaning: Half},
		columnOrder: typeOrder}
	old := &Column{Physical: Int96, columnOrder: typeOrder}
	for _, c := range []struct {
		c             *Column
		min, max, val string
		ok            bool
	}{
		{money, "\xff\xff", "\x00\x01", "\x00\x00", true},
		{money, "\x00\x00", "\x00\x01", "\xff\xff", false},
		{money, "\xff\xff", "\x00\x01", "\x00\x02", false},
		{wide, "\x80", "\x00\x80", "\xff\x80", true},
		{wide, "\x80", "\x00\x80", "\xff\x7f", false},
		{wide, "\x80", "\x00\x80", "\x00\x00\x81", false},
		{text, "a", "b", "abc", true},
		{text, "a", "b", "bcd", true}, // a maximum that was cut off
		{text, "a", "b", "c", false},
		{text, "b", "c", "a", false},
		{half, "\x00\xbc", "\x00\x3c", "\x00\x00", true},
		{half, "\x00\xbc", "\x00\x3c", "\x01\xbc", false},
		{half, "\x00\xbc", "\x00\x3c", "\x01\x3c", false},
		{half, "\x00\xbc", "\x00\x3c", "\x00\x7e", true}, // NaN
		{half, "\x00\x80", "\x00\x80", "\x00\x00", true}, // zeros
		{half, "\x00\x7e", "\x00\x7e", "\x00\x3c", true},
		{old, "aaaaaaaaaaaa", "aaaaaaaaaaaa", "zzzzzzzzzzzz", true},
	} {
		s := statistics{min: []byte(c.min), max: []byte(c.max), nulls: -1}
		if err := c.c.newBounds(&s).bytes([]byte(c.val)); (err == nil) != c.ok {
			t.Errorf("%q in %q to %q: the error is %v", c.val, c.min, c.max, err)
		}
	}
}
