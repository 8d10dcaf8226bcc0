package exact

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// Extrema holds n, min x and max x of float64 numbers. The zero value holds no
// numbers, and is ready to use.
//
// Its state depends on the multiset of the numbers and on nothing else: it
// keeps the promise exact. −0 is below +0, and infinities are ordinary numbers.
// A NaN makes both extrema NaN, as in Go's min and max and in NumPy; the
// extrema of no numbers are NaN too. The states form a monoid and not a group:
// Extrema has no Sub, because the smallest number does not determine the next
// one.
//
// Extrema hold up to 2^63 numbers. Several goroutines must not use them at once
// while one of them adds.
type Extrema struct {
	numbers, nan int64
	min, max     int64 // in the order of ordered; undefined without numbers
}

// order maps the bits of a number to an integer in the order of the numbers,
// with −0 below +0 and NaN at both ends. It is its own inverse.
func order(b int64) int64 { return b ^ int64(uint64(b>>63)>>1) }

// ordered returns the integer of x.
func ordered(x float64) int64 { return order(int64(math.Float64bits(x))) }

// unordered is the inverse of ordered.
func unordered(v int64) float64 { return math.Float64frombits(uint64(order(v))) }

// The integers of the infinities; the integers of NaN are beyond them.
const (
	maxOrdered = 0x7ff << 52
	minOrdered = -maxOrdered - 1
)

// Reset makes e hold no numbers.
func (e *Extrema) Reset() { *e = Extrema{} }

// Count returns n, the number of numbers added, NaN included.
func (e *Extrema) Count() int64 { return e.numbers + e.nan }

// Add adds x.
func (e *Extrema) Add(x float64) {
	if x != x {
		e.nan++
		return
	}
	v := ordered(x)
	e.merge(1, v, v)
}

// AddSlice adds every element of x.
func (e *Extrema) AddSlice(x []float64) { addExtrema(e, x) }

// AddSlice32 adds every element of x.
func (e *Extrema) AddSlice32(x []float32) { addExtrema(e, x) }

func addExtrema[T Float](e *Extrema, x []T) {
	if len(x) == 0 {
		return
	}
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range x {
		o := ordered(float64(v))
		least, most = min(least, o), max(most, o)
	}
	if least >= minOrdered && most <= maxOrdered {
		e.merge(int64(len(x)), least, most)
		return
	}
	for _, v := range x { // there is a NaN
		e.Add(float64(v))
	}
}

// merge adds n numbers, n > 0, from least to most.
func (e *Extrema) merge(n, least, most int64) {
	if e.numbers == 0 {
		e.min, e.max = least, most
	}
	e.min, e.max = min(e.min, least), max(e.max, most)
	e.numbers += n
}

// Merge adds every number of b. It does not change b.
func (e *Extrema) Merge(b *Extrema) {
	e.nan += b.nan
	if b.numbers > 0 {
		e.merge(b.numbers, b.min, b.max)
	}
}

// Min returns the smallest number.
func (e *Extrema) Min() float64 { return e.read(e.min) }

// Max returns the largest number.
func (e *Extrema) Max() float64 { return e.read(e.max) }

func (e *Extrema) read(v int64) float64 {
	if e.nan > 0 || e.numbers == 0 {
		return math.NaN()
	}
	return unordered(v)
}

const kindExtrema = 'e'

// MarshalBinary returns the state in canonical bytes: Extrema of as many
// numbers with the same ends have the same bytes on every machine. The error is
// nil.
func (e *Extrema) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b.
func (e *Extrema) AppendBinary(b []byte) ([]byte, error) {
	b = appendNumbers(b, kindExtrema, []int64{e.numbers, e.nan}, nil)
	if e.numbers > 0 {
		for _, v := range []int64{e.min, e.max} {
			//lastbit:ignore nankey no extremum is NaN
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(unordered(v)))
		}
	}
	return b, nil
}

// UnmarshalBinary sets e to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave e unchanged.
func (e *Extrema) UnmarshalBinary(b []byte) error {
	d := decoder{b: b}
	d.header(kindExtrema)
	c := Extrema{numbers: d.varint(), nan: d.varint()}
	if c.numbers < 0 || c.nan < 0 || c.numbers+c.nan < 0 {
		d.fail("a count is out of range")
	}
	if d.err == nil && c.numbers > 0 {
		c.min = order(int64(binary.LittleEndian.Uint64(d.take(8))))
		c.max = order(int64(binary.LittleEndian.Uint64(d.take(8))))
		if c.min < minOrdered || c.max > maxOrdered || c.min > c.max ||
			c.numbers == 1 && c.min != c.max {
			d.fail("these are not two ends")
		}
	}
	if err := d.end(); err != nil {
		return err
	}
	*e = c
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes. The same multiset of
// numbers has the same digest.
func (e *Extrema) Digest() [sha256.Size]byte {
	b, _ := e.AppendBinary(nil)
	return sha256.Sum256(b)
}
