package exact

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// The bytes of a state begin with the magic, a kind and the version. The counts
// follow as signed varints, then the sums: see appendDigits.
const (
	magic   = "lbx"
	kindSum = 'a'
	version = 1
)

// MarshalBinary returns the state in 11 to 590 canonical bytes: accumulators
// that hold the same sum of as many summands have the same bytes on every
// machine. The error is nil.
func (a *Accumulator) MarshalBinary() ([]byte, error) { return a.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b.
func (a *Accumulator) AppendBinary(b []byte) ([]byte, error) {
	c := a.carried()
	v := c.count.values()
	return appendNumbers(b, kindSum, v[:], []number{{c.sum[:], 0}}), nil
}

// UnmarshalBinary sets a to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave a unchanged: each state has one form.
func (a *Accumulator) UnmarshalBinary(b []byte) error {
	var l long
	d := decoder{b: b}
	d.header(kindSum)
	l.count.set(d.counts())
	d.digits(l.sum[:], 0)
	if err := d.end(); err != nil {
		return err
	}
	a.Reset()
	a.set(&l)
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes. The same multiset of
// summands has the same digest, in any order. Other multisets with the same sum
// and the same counts have it too.
func (a *Accumulator) Digest() [sha256.Size]byte {
	b, _ := a.AppendBinary(nil)
	return sha256.Sum256(b)
}

func (c *counts) values() [5]int64 {
	return [5]int64{c.all, c.negZero, c.nan, c.posInf, c.negInf}
}

func (c *counts) set(v [5]int64) {
	*c = counts{all: v[0], negZero: v[1], nan: v[2], posInf: v[3], negInf: v[4]}
}

// Signs of a number in bytes.
const (
	zero = iota
	positive
	negative
)

// A decoder reads the bytes of a state. After the first error it reads nothing
// more.
type decoder struct {
	b   []byte
	err error
}

// fail records the first error.
func (d *decoder) fail(cause string) {
	if d.err == nil {
		d.err = errors.New("exact: these bytes are not a state: " + cause)
	}
	d.b = nil
}

// take returns the next n bytes, or zeros.
func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		d.fail("they end too early")
		return make([]byte, n)
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) header(kind byte) {
	switch h := d.take(len(magic) + 2); {
	case d.err != nil:
	case string(h[:len(magic)]) != magic:
		d.fail("they begin otherwise")
	case h[len(magic)] != kind:
		d.fail(fmt.Sprintf("they are of kind %q, not %q", h[len(magic)], kind))
	case h[len(magic)+1] != version:
		d.fail(fmt.Sprintf("their version is %d, and this program knows version %d",
			h[len(magic)+1], version))
	}
}

// uvarint reads a number in its shortest form.
func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || len(binary.AppendUvarint(nil, v)) != n {
		d.fail("a number is not in its shortest form")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) counts() (c [5]int64) {
	for i := range c {
		c[i] = d.varint()
	}
	return c
}

// someCounts reads n counts.
func (d *decoder) someCounts(n int) []int64 {
	c := make([]int64, n)
	for i := range c {
		c[i] = d.varint()
	}
	return c
}

// end returns the first error, or one about bytes that follow.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		d.fail("something follows them")
	}
	return d.err
}
