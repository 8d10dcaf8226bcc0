package parquet

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

var (
	errPage    = errors.New("a page ends before its values do")
	errTrailer = errors.New("a page has more bytes than its values take")
	errRun     = errors.New("a page has a run of an impossible length")
)

// A hybrid decodes runs of equal numbers and of packed ones: the encoding of
// levels, of the indices of a dictionary, and of booleans.
type hybrid struct {
	b     []byte
	width uint // bits of a number, 32 at most
	equal int  // numbers left of a run of equal ones
	value uint32
	group int    // numbers left of a packed run
	pack  []byte // the packed run
	bit   int    // of the next number in it
}

func newHybrid(b []byte, width uint) hybrid { return hybrid{b: b, width: width} }

// next decodes len(out) numbers.
func (h *hybrid) next(out []uint32) error {
	for len(out) > 0 {
		switch {
		case h.equal > 0:
			n := min(h.equal, len(out))
			for i := range out[:n] {
				out[i] = h.value
			}
			h.equal -= n
			out = out[n:]
		case h.group > 0:
			n := min(h.group, len(out))
			h.unpack(out[:n])
			h.group -= n
			out = out[n:]
		default:
			if err := h.run(); err != nil {
				return err
			}
		}
	}
	return nil
}

// run begins the next run.
func (h *hybrid) run() error {
	head, n := binary.Uvarint(h.b)
	if n <= 0 {
		return errPage
	}
	h.b = h.b[n:]
	count := head >> 1
	if count == 0 || count > math.MaxInt32 || head&1 == 1 && count > math.MaxInt32/8 {
		return errRun
	}
	if head&1 == 0 {
		bytes := int(h.width+7) / 8
		if len(h.b) < bytes {
			return errPage
		}
		h.value = 0
		for i, b := range h.b[:bytes] {
			h.value |= uint32(b) << (8 * i)
		}
		if bits.Len32(h.value) > int(h.width) {
			return errRun
		}
		h.b, h.equal = h.b[bytes:], int(count)
		return nil
	}
	// The last run may be cut off after the bytes that hold a number.
	size := count * uint64(h.width)
	h.group = int(count * 8)
	if size > uint64(len(h.b)) {
		size = uint64(len(h.b))
		h.group = len(h.b) * 8 / int(h.width)
		if h.group == 0 {
			return errPage
		}
	}
	h.pack, h.b, h.bit = h.b[:size], h.b[size:], 0
	return nil
}

// unpack decodes numbers of a packed run.
func (h *hybrid) unpack(out []uint32) {
	mask := uint64(1)<<h.width - 1
	for i := range out {
		out[i] = uint32(load(h.pack, h.bit) & mask)
		h.bit += int(h.width)
	}
}

// load returns 57 bits or more from a bit of b on. Bits after its end are 0.
func load(b []byte, bit int) uint64 {
	at := bit >> 3
	if at+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[at:]) >> (bit & 7)
	}
	var v uint64
	for i := len(b) - 1; i >= at; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v >> (bit & 7)
}

// end returns an error if numbers follow. The format fills a packed run up to a
// multiple of 8 numbers, and DuckDB to one of 256. A page may end in zeros, and
// before them fastparquet puts a packed run of no numbers where all are null.
func (h *hybrid) end() error {
	const filled, emptyRun = 256, 1
	if h.equal > 0 || h.group >= filled {
		return errTrailer
	}
	rest := h.b
	if len(rest) > 0 && rest[0] == emptyRun {
		rest = rest[1:]
	}
	for _, b := range rest {
		if b != 0 {
			return errTrailer
		}
	}
	return nil
}
