package exact

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// The bytes of a state begin with these, then follow the counts as signed varints
// and the sum: see appendFixed.
const (
	magic   = "lbx"
	kindSum = 'a'
	version = 1
)

// MarshalBinary returns the state in canonical bytes: accumulators that hold the same
// sum, of as many summands, give the same ones, on every machine. There are 9 to 560
// of them. The error is nil.
func (a *Accumulator) MarshalBinary() ([]byte, error) { return a.AppendBinary(nil) }

// AppendBinary appends to b what MarshalBinary returns.
func (a *Accumulator) AppendBinary(b []byte) ([]byte, error) {
	c := a.carried()
	b = append(b, magic...)
	b = append(b, kindSum, version)
	for _, n := range c.count.values() {
		b = binary.AppendVarint(b, n)
	}
	return appendFixed(b, &c.sum), nil
}

// UnmarshalBinary sets a to the state that b holds. Bytes that MarshalBinary does not
// write are an error, and leave a as it is: of no state there are two forms.
func (a *Accumulator) UnmarshalBinary(b []byte) error {
	var c Accumulator
	d := decoder{b: b}
	d.header(kindSum)
	c.count.set(d.counts())
	d.fixed(&c.sum)
	if err := d.end(); err != nil {
		return err
	}
	*a = c
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes. The same multiset of summands
// has the same digest, whoever adds it up, in whatever order; it is one of a sum and
// a count, so other multisets may have it too.
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

// appendFixed appends a number whose carries were run: its sign, how many of the
// lowest 32-bit digits are 0, how many follow, and these, each with its lowest byte
// first. Neither the first nor the last of them is 0.
func appendFixed(b []byte, x *fixed) []byte {
	m, sign := *x, byte(positive)
	if x.negative() {
		m.negate()
		m.carry()
		sign = negative
	}
	first, last := 0, limbs
	for last > 0 && m[last-1] == 0 {
		last--
	}
	if last == 0 {
		return append(b, zero)
	}
	for m[first] == 0 {
		first++
	}
	b = append(b, sign)
	b = binary.AppendUvarint(b, uint64(first))
	b = binary.AppendUvarint(b, uint64(last-first))
	for _, d := range m[first:last] {
		b = binary.LittleEndian.AppendUint32(b, uint32(d))
	}
	return b
}

// A decoder reads the bytes of a state. After its first error it reads nothing.
type decoder struct {
	b   []byte
	err error
}

// fail notes what is wrong.
func (d *decoder) fail(cause string) {
	if d.err == nil {
		d.err = errors.New("exact: these bytes are no state: " + cause)
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
		d.fail(fmt.Sprintf("their version is %d, and this program knows version %d", h[len(magic)+1], version))
	}
}

// uvarint reads a number that is written in as few bytes as it needs.
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
		v := d.uvarint()
		c[i] = int64(v>>1) ^ -int64(v&1)
	}
	return c
}

// fixed reads what appendFixed wrote.
func (d *decoder) fixed(x *fixed) {
	*x = fixed{}
	sign := d.take(1)[0]
	if d.err != nil || sign == zero {
		return
	}
	first, n := d.uvarint(), d.uvarint()
	if sign > negative || first >= limbs || n == 0 || n > limbs-first {
		d.fail("a number is out of range")
		return
	}
	digits := d.take(int(4 * n))
	for i := range n {
		v := int64(binary.LittleEndian.Uint32(digits[4*i:]))
		if v == 0 && (i == 0 || i == n-1) {
			d.fail("a number is not in its shortest form")
		}
		x[first+i] = v
	}
	if x[limbs-1] >= mostLast {
		d.fail("a number is out of range")
	}
	if sign == negative {
		x.negate()
		x.carry()
	}
}

// end returns the first error, or that something follows.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		d.fail("something follows them")
	}
	return d.err
}
