package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
)

// A Reader reads the values of a column in the order of the rows. Several
// goroutines must not use it at once.
type Reader struct {
	f     *File
	c     *Column
	group int // the next row group

	pages  window
	d      decompressor
	dict   *dictionary
	chunk  *chunk
	left   int64 // rows of the chunk after the page
	nulls  int64 // of the chunk so far
	bounds *bounds

	isOpen    bool // a page is being read
	rows      int  // of it that are left
	defs      hybrid
	values    decoder
	pageNulls int32 // so far
	wantNulls int32 // −1 if the header has no number
	levels    []uint32
}

// Reader returns a reader of a column. The column must not be one of lists.
func (f *File) Reader(c *Column) *Reader { return &Reader{f: f, c: c} }

// Close frees the reader's memory.
func (r *Reader) Close() { r.d.close() }

// Next reads the next rows, up to len(valid) of them, and sets which of them
// have a value. All values of the rows before must have been read. The error is
// io.EOF after the last row, once all pages have been checked.
func (r *Reader) Next(valid []bool) (n int, err error) {
	for r.rows == 0 {
		if err := r.advance(); err != nil {
			return 0, err
		}
	}
	n = min(len(valid), r.rows)
	r.rows -= n
	if r.c.maxDef == 0 {
		for i := range valid[:n] {
			valid[i] = true
		}
		return n, nil
	}
	r.levels = sized(r.levels, n)
	if err := r.defs.next(r.levels); err != nil {
		return 0, err
	}
	nulls := 0
	for i, level := range r.levels {
		if int(level) > r.c.maxDef {
			return 0, errors.New("a page has a level that its schema does not have")
		}
		valid[i] = int(level) == r.c.maxDef
		if !valid[i] {
			nulls++
		}
	}
	r.pageNulls += int32(nulls)
	r.nulls += int64(nulls)
	return n, nil
}

// Count returns the number of rows that have a value.
func Count(valid []bool) int {
	n := 0
	for _, v := range valid {
		if v {
			n++
		}
	}
	return n
}

// Words reads len(out) values of up to 64 bits.
func (r *Reader) Words(out []uint64) error {
	if err := r.values.words(out); err != nil {
		return err
	}
	if !r.c.holds(out) {
		return fmt.Errorf("a value needs more than the %d bits of its type", r.c.Bits)
	}
	r.bounds.words(r.c, out)
	return nil
}

// Bytes reads a value of another type. It stays until the next call.
func (r *Reader) Bytes() ([]byte, error) {
	v, err := r.values.bytes()
	if err == nil {
		err = r.bounds.bytes(v)
	}
	return v, err
}

// advance moves on to the next page, or row group.
func (r *Reader) advance() error {
	if r.isOpen {
		if err := r.endPage(); err != nil {
			return err
		}
	}
	if r.left > 0 {
		return r.nextPage()
	}
	if r.chunk != nil {
		if err := r.endChunk(); err != nil {
			return err
		}
	}
	if r.group == len(r.f.groups) {
		return io.EOF
	}
	c, start, err := r.f.chunk(r.c, r.group)
	if err != nil {
		return err
	}
	r.group++
	r.chunk, r.left, r.nulls, r.dict = c, c.values, 0, nil
	r.d.codec = c.codec
	r.bounds = r.c.newBounds(&c.statistics)
	r.pages.reset(r.f.at, start, start+c.compressed)
	return nil
}

// endPage checks a page whose rows have been read.
func (r *Reader) endPage() error {
	r.isOpen = false
	if r.wantNulls >= 0 && r.pageNulls != r.wantNulls {
		return fmt.Errorf("a page has %d nulls, and its header %d", r.pageNulls, r.wantNulls)
	}
	if err := r.defs.end(); err != nil {
		return err
	}
	return r.values.end()
}

// endChunk checks a chunk whose pages have been read.
func (r *Reader) endChunk() error {
	want := r.chunk.statistics.nulls
	switch {
	case want >= 0 && want != r.nulls && r.chunk.values > 0:
		return fmt.Errorf("it has %d nulls in row group %d, and %d in its statistics", r.nulls,
			r.group, want)
	case r.chunk.values > 0 && r.pages.left() > 0:
		h, _, err := r.header()
		if err == nil && (h.kind == dataPage || h.kind == dataPageV2) && h.values > 0 {
			return errors.New("it has more values than rows")
		}
	}
	r.chunk = nil
	return r.bounds.end(r.c)
}

// header reads the header of a page, and returns its length.
func (r *Reader) header() (h pageHeader, n int, err error) {
	for size := 256; ; size *= 4 {
		b, err := r.pages.peek(size)
		if err != nil {
			return h, 0, err
		}
		h, n, err := parsePageHeader(b)
		if err == nil || err != errShort || len(b) < size {
			return h, n, err
		}
	}
}

// nextPage opens the next page with values.
func (r *Reader) nextPage() error {
	if r.pages.left() == 0 {
		return errors.New("it has fewer values than rows")
	}
	h, n, err := r.header()
	if err != nil {
		return err
	}
	r.pages.skip(n)
	if h.size < 0 || h.compressed < 0 || h.values < 0 || int64(h.compressed) > r.pages.left() {
		return errHeader
	}
	b, err := r.pages.peek(int(h.compressed))
	if err != nil {
		return err
	}
	r.pages.skip(len(b))
	if h.hasChecksum && crc32.ChecksumIEEE(b) != h.checksum {
		return errors.New("the checksum of a page is wrong")
	}
	switch h.kind {
	case dictionaryPage:
		return r.openDictionary(h, b)
	case dataPage, dataPageV2:
		if !h.hasValues || h.isV2 != (h.kind == dataPageV2) {
			return errHeader
		}
		if int64(h.values) > r.left {
			return errors.New("it has more values than rows")
		}
		return r.openPage(h, b)
	}
	return nil
}

func (r *Reader) openDictionary(h pageHeader, b []byte) error {
	if !h.hasDictionary {
		return errHeader
	}
	if r.dict != nil {
		return errors.New("it has two dictionaries")
	}
	b, err := r.d.page(b, int(h.size))
	if err == nil {
		r.dict, err = r.c.newDictionary(h, b)
	}
	return err
}

// openPage opens a page of values.
func (r *Reader) openPage(h pageHeader, b []byte) (err error) {
	var defs []byte
	r.wantNulls, r.pageNulls = -1, 0
	if h.isV2 {
		r.wantNulls = h.nulls
		if h.rows != h.values {
			return errHeader
		}
		defs, b, err = r.splitV2(h, b)
	} else if b, err = r.d.page(b, int(h.size)); err == nil && r.c.maxDef > 0 {
		if h.levels != rle {
			return fmt.Errorf("a page has levels of encoding %d, which is not read", h.levels)
		}
		defs, b, err = prefixed(b)
	}
	if err != nil {
		return err
	}
	r.defs = hybrid{}
	if r.c.maxDef > 0 {
		r.defs = newHybrid(defs, uint(bits.Len(uint(r.c.maxDef))))
	}
	r.values, err = r.c.newDecoder(h.encoding, b, int(h.values), r.dict)
	if err != nil {
		return err
	}
	r.isOpen, r.rows, r.left = true, int(h.values), r.left-int64(h.values)
	return nil
}

// splitV2 returns the levels and the values of a page of version 2, whose
// levels are not compressed.
func (r *Reader) splitV2(h pageHeader, b []byte) (defs, values []byte, err error) {
	n := int64(h.repLength) + int64(h.defLength)
	if h.repLength < 0 || h.defLength < 0 || n > int64(len(b)) || n > int64(h.size) {
		return nil, nil, errHeader
	}
	defs, values = b[h.repLength:n], b[n:]
	if h.isPlain {
		if len(b) != int(h.size) {
			return nil, nil, errLength
		}
		return defs, values, nil
	}
	values, err = r.d.page(values, int(int64(h.size)-n))
	return defs, values, err
}
