package parquet

import (
	"encoding/binary"
	"errors"
	"math"
)

// A thrift reader takes a message of Thrift's compact protocol apart. After an
// error it returns zeros.
//
// Reference: Thrift compact protocol encoding,
// https://github.com/apache/thrift/tree/master/doc/specs.
type thrift struct {
	b     []byte
	at    int
	depth int
	err   error
}

// Types of fields and elements.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13
)

// maxDepth bounds the nesting of messages. Metadata is nested about six deep.
const maxDepth = 32

var (
	errShort  = errors.New("a header ends too early")
	errHeader = errors.New("a header is damaged")
)

func (t *thrift) fail(err error) {
	if t.err == nil {
		t.err = err
	}
	t.at = len(t.b)
}

func (t *thrift) byte() byte {
	if t.at >= len(t.b) {
		t.fail(errShort)
		return 0
	}
	t.at++
	return t.b[t.at-1]
}

func (t *thrift) uvarint() uint64 {
	v, n := binary.Uvarint(t.b[t.at:])
	switch {
	case n == 0:
		t.fail(errShort)
	case n < 0:
		t.fail(errHeader)
	default:
		t.at += n
		return v
	}
	return 0
}

// int64 reads an integer of any width.
func (t *thrift) int64() int64 {
	u := t.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (t *thrift) int32() int32 {
	v := t.int64()
	if v < math.MinInt32 || v > math.MaxInt32 {
		t.fail(errHeader)
		return 0
	}
	return int32(v)
}

// binary returns bytes of the message itself.
func (t *thrift) binary() []byte {
	n := t.uvarint()
	if n > uint64(len(t.b)-t.at) {
		t.fail(errShort)
		return nil
	}
	t.at += int(n)
	return t.b[t.at-int(n) : t.at : t.at]
}

// A spec lists the fields of a struct: the type of each by its number, 0 for
// one that is skipped, and which of them have to be there.
type spec struct {
	kinds    []byte
	required []int16
}

// fields calls do for every field of a struct that its spec knows. A field of
// another type, one that is there twice, and one that is missing are errors.
func (t *thrift) fields(s *spec, do func(id int16, kind byte)) {
	if t.depth++; t.depth > maxDepth {
		t.fail(errHeader)
	}
	var seen uint64
	id := int16(0)
	for t.err == nil {
		head := t.byte()
		kind := head & 15
		if kind == 0 {
			break
		}
		if delta := int16(head >> 4); delta != 0 {
			id += delta
		} else {
			id = int16(t.int64())
		}
		switch {
		case t.err != nil:
		case id < 0 || int(id) >= len(s.kinds) || s.kinds[id] == 0:
			t.skip(kind)
		case kind != s.kinds[id] && !(s.kinds[id] == thriftTrue && kind == thriftFalse) ||
			seen>>id&1 != 0:
			t.fail(errHeader)
		default:
			seen |= 1 << id
			do(id, kind)
		}
	}
	for _, id := range s.required {
		if t.err == nil && seen>>id&1 == 0 {
			t.fail(errHeader)
		}
	}
	t.depth--
}

// list calls do for every element of a list, which have to be of a kind.
func (t *thrift) list(kind byte, do func()) {
	n, got := t.listHead()
	if n > 0 && got != kind {
		t.fail(errHeader)
	}
	for range n {
		if t.err != nil {
			return
		}
		do()
	}
}

// listHead returns the number of elements, which take a byte each at least.
func (t *thrift) listHead() (n int, kind byte) {
	head := t.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = t.uvarint()
	}
	if size > uint64(len(t.b)-t.at) {
		t.fail(errShort)
		return 0, 0
	}
	return int(size), head & 15
}

// skip skips a field.
func (t *thrift) skip(kind byte) {
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.uvarint()
	case thriftDouble:
		t.advance(8)
	case thriftUUID:
		t.advance(16)
	case thriftBinary:
		t.binary()
	case thriftList, thriftSet:
		n, kind := t.listHead()
		t.elements(n, kind)
	case thriftMap:
		t.skipMap()
	case thriftStruct:
		t.fields(&spec{}, nil)
	default:
		t.fail(errHeader)
	}
}

func (t *thrift) advance(n int) {
	if n > len(t.b)-t.at {
		t.fail(errShort)
		return
	}
	t.at += n
}

// elements skips elements, whose booleans take a byte each.
func (t *thrift) elements(n int, kinds ...byte) {
	if t.depth++; t.depth > maxDepth {
		t.fail(errHeader)
	}
	for range n {
		for _, kind := range kinds {
			if t.err != nil {
				return
			}
			if kind == thriftTrue || kind == thriftFalse {
				kind = thriftByte
			}
			t.skip(kind)
		}
	}
	t.depth--
}

func (t *thrift) skipMap() {
	n := t.uvarint()
	if n == 0 {
		return
	}
	kinds := t.byte()
	if n > uint64(len(t.b)-t.at) {
		t.fail(errShort)
		return
	}
	t.elements(int(n), kinds>>4, kinds&15)
}
