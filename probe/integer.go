package probe

import (
	"math"
	"slices"
	"strings"
)

// Integer is a type of integers, which a target takes or returns in place of
// numbers of a format: Spec.Integers. "" is none.
type Integer string

// The types. A target takes integers of 8 bits, and returns any.
const (
	Int8   Integer = "i8"
	Int16  Integer = "i16"
	Int32  Integer = "i32"
	Int64  Integer = "i64"
	Uint8  Integer = "u8"
	Uint16 Integer = "u16"
	Uint32 Integer = "u32"
	Uint64 Integer = "u64"
)

// integerBits holds the size of each type.
var integerBits = map[Integer]int{
	Int8: 8, Int16: 16, Int32: 32, Int64: 64, Uint8: 8, Uint16: 16, Uint32: 32, Uint64: 64,
}

// Integers returns the types that a target may take.
func Integers() []Integer { return []Integer{Int8, Uint8} }

// ParseInteger returns the type of integers of that name, i8 or int8, u8 or
// uint8, if a target may take it.
func ParseInteger(name string) (t Integer, ok bool) {
	n := strings.ToLower(name)
	n = strings.Replace(n, "int", "i", 1)
	t = Integer(strings.Replace(n, "ui", "u", 1))
	return t, slices.Contains(Integers(), t)
}

// Valid reports whether t is one of the types.
func (t Integer) Valid() bool { return integerBits[t] != 0 }

// Bits returns the size of a valid type.
func (t Integer) Bits() int { return integerBits[t] }

// Signed reports whether the type has negative integers.
func (t Integer) Signed() bool { return strings.HasPrefix(string(t), "i") }

// Range returns the least and the largest integer of a valid type. The largest
// of u64 is cut off to 2^63 − 1.
func (t Integer) Range() (least, most int64) {
	bits := t.Bits()
	switch {
	case t.Signed():
		return math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)
	case bits == 64:
		return 0, math.MaxInt64
	}
	return 0, 1<<bits - 1
}
