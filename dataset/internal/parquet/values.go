package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// A decoder decodes the values of a page in order: words of values of up to 64
// bits, or bytes of others.
type decoder interface {
	// words decodes len(out) values.
	words(out []uint64) error
	// bytes returns the next value, which stays until the next call.
	bytes() ([]byte, error)
	// end returns an error if more values or bytes follow.
	end() error
}

// width returns the bytes of a value, 0 if they differ. A boolean has 1.
func (c *Column) width() int {
	switch c.Physical {
	case Boolean:
		return 1
	case Int32, Float:
		return 4
	case Int64, Double:
		return 8
	case Int96:
		return 12
	case FixedByteArray:
		return c.Length
	}
	return 0
}

// IsWords reports whether the values of a column are words: integers, floats
// and booleans of up to 64 bits, without their sign extended.
func (c *Column) IsWords() bool {
	switch c.Physical {
	case Int96, ByteArray, FixedByteArray:
		return false
	}
	return true
}

// newDecoder returns the decoder of a page of at most some number of values.
func (c *Column) newDecoder(e encoding, b []byte, most int, dict *dictionary) (decoder, error) {
	isInt := c.Physical == Int32 || c.Physical == Int64
	isBytes := c.Physical == ByteArray || c.Physical == FixedByteArray
	switch {
	case len(b) == 0:
		return empty{}, nil // every row is null
	case e == plain && c.Physical == Boolean:
		return &plainBooleans{b: b}, nil
	case e == plain && c.Physical == ByteArray:
		return &plainTexts{b: b}, nil
	case e == plain:
		return &plainFixed{b: b, width: c.width()}, nil
	case e == plainDictionary || e == rleDictionary:
		if dict == nil {
			return nil, fmt.Errorf("a page needs a dictionary, and there is none")
		}
		return newIndexed(b, dict)
	case e == rle && c.Physical == Boolean:
		return newRunBooleans(b)
	case e == deltaBinaryPacked && isInt:
		d, err := newDelta(b, most)
		return &deltaWords{d, c.width()}, err
	case e == deltaLengthByteArray && c.Physical == ByteArray:
		return newDeltaLength(b, most)
	case e == deltaByteArray && isBytes:
		return newDeltaBytes(b, most, c.width())
	case e == byteStreamSplit && c.Physical != Boolean && c.width() > 0:
		return newSplit(b, c.width())
	}
	return nil, fmt.Errorf("a page has encoding %d, which its type does not have", e)
}

// none has neither words nor bytes.
type none struct{}

func (none) words([]uint64) error   { return errPage }
func (none) bytes() ([]byte, error) { return nil, errPage }

// empty has no values.
type empty struct{ none }

func (empty) words(out []uint64) error {
	if len(out) > 0 {
		return errPage
	}
	return nil
}

func (empty) end() error { return nil }

// plainFixed has values of one width, one after the other.
type plainFixed struct {
	b     []byte
	width int
}

func (d *plainFixed) words(out []uint64) error {
	if len(out) > len(d.b)/d.width {
		return errPage
	}
	if d.width == 4 {
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint32(d.b[4*i:]))
		}
	} else {
		for i := range out {
			out[i] = binary.LittleEndian.Uint64(d.b[8*i:])
		}
	}
	d.b = d.b[len(out)*d.width:]
	return nil
}

func (d *plainFixed) bytes() ([]byte, error) {
	if len(d.b) < d.width {
		return nil, errPage
	}
	v := d.b[:d.width]
	d.b = d.b[d.width:]
	return v, nil
}

func (d *plainFixed) end() error { return nothing(d.b) }

// nothing returns an error if bytes follow the last value. fastparquet writes 8
// zeros there.
func nothing(b []byte) error {
	const filled = 8
	if len(b) > filled {
		return errTrailer
	}
	for _, v := range b {
		if v != 0 {
			return errTrailer
		}
	}
	return nil
}

// plainBooleans has a bit for each value.
type plainBooleans struct {
	none
	b   []byte
	bit int
}

func (d *plainBooleans) words(out []uint64) error {
	if len(out) > 8*len(d.b)-d.bit {
		return errPage
	}
	for i := range out {
		out[i] = uint64(d.b[d.bit>>3] >> (d.bit & 7) & 1)
		d.bit++
	}
	return nil
}

func (d *plainBooleans) end() error { return nothing(d.b[(d.bit+7)/8:]) }

// plainTexts has a length before each value.
type plainTexts struct {
	none
	b []byte
}

func (d *plainTexts) bytes() ([]byte, error) {
	if len(d.b) < 4 {
		return nil, errPage
	}
	n := int64(binary.LittleEndian.Uint32(d.b))
	if n > int64(len(d.b)-4) {
		return nil, errPage
	}
	v := d.b[4 : 4+n]
	d.b = d.b[4+n:]
	return v, nil
}

func (d *plainTexts) end() error { return nothing(d.b) }

// runBooleans has booleans as a hybrid behind its length.
type runBooleans struct {
	none
	h   hybrid
	buf []uint32
}

func newRunBooleans(b []byte) (*runBooleans, error) {
	body, rest, err := prefixed(b)
	if err == nil {
		err = nothing(rest)
	}
	return &runBooleans{h: newHybrid(body, 1)}, err
}

// prefixed cuts bytes after their length.
func prefixed(b []byte) (body, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errPage
	}
	n := int64(binary.LittleEndian.Uint32(b))
	if n > int64(len(b)-4) {
		return nil, nil, errPage
	}
	return b[4 : 4+n], b[4+n:], nil
}

func (d *runBooleans) words(out []uint64) error {
	d.buf = sized(d.buf, len(out))
	if err := d.h.next(d.buf); err != nil {
		return err
	}
	for i, v := range d.buf {
		out[i] = uint64(v)
	}
	return nil
}

func (d *runBooleans) end() error { return d.h.end() }

// deltaWords has integers as a delta.
type deltaWords struct {
	delta
	width int
}

func (d *deltaWords) words(out []uint64) error {
	if err := d.next(out); err != nil {
		return err
	}
	if d.width == 4 {
		for i, v := range out {
			out[i] = uint64(uint32(v))
		}
	}
	return nil
}

func (d *deltaWords) bytes() ([]byte, error) { return nil, errPage }

// A lengths decodes a sequence of lengths, one by one.
type lengths struct {
	d   delta
	buf [1]uint64
}

// newLengths returns a sequence, its number of lengths, their sum, and the
// bytes after it.
func newLengths(b []byte, most int) (l *lengths, n int, sum uint64, rest []byte, err error) {
	d, err := newDelta(b, most)
	if err != nil {
		return nil, 0, 0, nil, err
	}
	l, n = &lengths{d: d}, d.left
	var buf [256]uint64
	for d.left > 0 {
		part := buf[:min(d.left, len(buf))]
		if err := d.next(part); err != nil {
			return nil, 0, 0, nil, err
		}
		for _, v := range part {
			if v > uint64(len(b)) {
				return nil, 0, 0, nil, errDelta
			}
			sum += v
		}
	}
	return l, n, sum, d.rest(), nil
}

func (l *lengths) next() (int, error) {
	err := l.d.next(l.buf[:])
	if err == nil && l.buf[0] > math.MaxInt32 {
		err = errDelta
	}
	return int(l.buf[0]), err
}

// deltaLength has the lengths of all values, and then the values.
type deltaLength struct {
	none
	lengths *lengths
	b       []byte
}

func newDeltaLength(b []byte, most int) (*deltaLength, error) {
	l, _, sum, rest, err := newLengths(b, most)
	if err == nil && sum != uint64(len(rest)) {
		err = errTrailer
		if sum > uint64(len(rest)) {
			err = errPage
		}
	}
	return &deltaLength{lengths: l, b: rest}, err
}

func (d *deltaLength) bytes() ([]byte, error) {
	n, err := d.lengths.next()
	if err != nil {
		return nil, err
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v, nil
}

func (d *deltaLength) end() error { return d.lengths.d.end() }

// deltaBytes has of each value the length of the part that it shares with the
// one before, and the rest.
type deltaBytes struct {
	none
	prefixes *lengths
	suffixes *deltaLength
	width    int // of each value; 0 for any
	value    []byte
}

func newDeltaBytes(b []byte, most, width int) (*deltaBytes, error) {
	// The prefixes are longer than their own bytes.
	p, n, rest, err := newPrefixes(b, most)
	if err != nil {
		return nil, err
	}
	s, err := newDeltaLength(rest, most)
	if err == nil && s.lengths.d.left != n {
		err = errDelta
	}
	return &deltaBytes{prefixes: p, suffixes: s, width: width}, err
}

// newPrefixes is newLengths for lengths of bytes elsewhere.
func newPrefixes(b []byte, most int) (l *lengths, n int, rest []byte, err error) {
	d, err := newDelta(b, most)
	if err != nil {
		return nil, 0, nil, err
	}
	l, n = &lengths{d: d}, d.left
	var buf [256]uint64
	for d.left > 0 {
		if err := d.next(buf[:min(d.left, len(buf))]); err != nil {
			return nil, 0, nil, err
		}
	}
	return l, n, d.rest(), nil
}

func (d *deltaBytes) bytes() ([]byte, error) {
	p, err := d.prefixes.next()
	if err != nil {
		return nil, err
	}
	s, err := d.suffixes.bytes()
	if err != nil {
		return nil, err
	}
	if p > len(d.value) {
		return nil, errDelta
	}
	d.value = append(d.value[:p], s...)
	if d.width > 0 && len(d.value) != d.width {
		return nil, errDelta
	}
	return d.value, nil
}

func (d *deltaBytes) end() error { return d.prefixes.d.end() }

// split has the first bytes of all values, then the second, and so on.
type split struct {
	b            []byte
	width, n, at int
	value        []byte
}

func newSplit(b []byte, width int) (*split, error) {
	if len(b)%width != 0 {
		return nil, errPage
	}
	return &split{b: b, width: width, n: len(b) / width, value: make([]byte, width)}, nil
}

func (d *split) words(out []uint64) error {
	if len(out) > d.n-d.at {
		return errPage
	}
	clear(out)
	const part = 1024 // values, whose words stay in the cache
	for part := range slices.Chunk(out, part) {
		for k := 0; k < d.width; k += 4 {
			d.merge(part, k)
		}
		d.at += len(part)
	}
	return nil
}

// merge adds four bytes of the next values, from byte k on.
func (d *split) merge(out []uint64, k int) {
	n := len(out)
	a, b := d.b[k*d.n+d.at:][:n], d.b[(k+1)*d.n+d.at:][:n]
	c, e := d.b[(k+2)*d.n+d.at:][:n], d.b[(k+3)*d.n+d.at:][:n]
	for i := range out {
		v := uint32(a[i]) | uint32(b[i])<<8 | uint32(c[i])<<16 | uint32(e[i])<<24
		out[i] |= uint64(v) << (8 * k)
	}
}

func (d *split) bytes() ([]byte, error) {
	if d.at == d.n {
		return nil, errPage
	}
	for k := range d.value {
		d.value[k] = d.b[k*d.n+d.at]
	}
	d.at++
	return d.value, nil
}

func (d *split) end() error {
	if d.at < d.n {
		return errTrailer
	}
	return nil
}
