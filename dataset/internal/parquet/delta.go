package parquet

import (
	"encoding/binary"
	"errors"
)

var errDelta = errors.New("a page has differences in an impossible form")

// A delta decodes integers from their differences: encoding
// DELTA_BINARY_PACKED. Differences wrap around, in 64 bits for integers of 32
// bits too: DuckDB writes such ones.
type delta struct {
	b       []byte
	perPack int // values of a miniblock
	packs   int // miniblocks of a block
	left    int // values
	value   uint64
	first   bool
	min     uint64
	widths  []byte
	pack    []byte
	bit     int
	inPack  int // values left in the miniblock
}

// newDelta reads the head of a sequence of most values at the most.
func newDelta(b []byte, most int) (d delta, err error) {
	var head [3]uint64
	for i := range head {
		n := 0
		if head[i], n = binary.Uvarint(b); n <= 0 {
			return d, errPage
		}
		b = b[n:]
	}
	first, n := binary.Varint(b)
	if n <= 0 {
		return d, errPage
	}
	const maxBlock = 1 << 20
	block, packs, count := head[0], head[1], head[2]
	if block == 0 || block > maxBlock || packs == 0 || packs > block || block%packs != 0 ||
		block/packs%8 != 0 {
		return d, errDelta
	}
	if count > uint64(most) {
		return d, errTrailer
	}
	return delta{b: b[n:], perPack: int(block / packs), packs: int(packs), left: int(count),
		value: uint64(first), first: true}, nil
}

// next decodes len(out) integers.
func (d *delta) next(out []uint64) error {
	if len(out) > d.left {
		return errPage
	}
	d.left -= len(out)
	if d.first && len(out) > 0 {
		out[0] = d.value
		d.first = false
		out = out[1:]
	}
	for len(out) > 0 {
		if d.inPack == 0 {
			if err := d.miniblock(len(out) + d.left); err != nil {
				return err
			}
		}
		n := min(d.inPack, len(out))
		d.unpack(out[:n])
		d.inPack -= n
		out = out[n:]
	}
	return nil
}

func (d *delta) unpack(out []uint64) {
	width := int(d.widths[0])
	for i := range out {
		v := load(d.pack, d.bit)
		if width > 56 {
			v = load(d.pack, d.bit)&(1<<32-1) | load(d.pack, d.bit+32)<<32
		}
		if width < 64 {
			v &= 1<<width - 1
		}
		d.bit += width
		d.value += d.min + v
		out[i] = d.value
	}
}

// miniblock begins the next one, which may end with the last value.
func (d *delta) miniblock(left int) error {
	if len(d.widths) > 0 {
		d.widths = d.widths[1:]
	}
	if len(d.widths) == 0 {
		least, n := binary.Varint(d.b)
		if n <= 0 || len(d.b)-n < d.packs {
			return errPage
		}
		d.min = uint64(least)
		d.widths = d.b[n : n+d.packs]
		d.b = d.b[n+d.packs:]
	}
	width := int(d.widths[0])
	if width > 64 {
		return errDelta
	}
	full, need := d.perPack*width/8, (min(left, d.perPack)*width+7)/8
	if need > len(d.b) {
		return errPage
	}
	full = min(full, len(d.b))
	d.pack, d.b, d.bit, d.inPack = d.b[:full], d.b[full:], 0, d.perPack
	return nil
}

// rest returns the bytes after the sequence, all of whose values have been
// decoded. Miniblocks without a value take no bytes.
func (d *delta) rest() []byte { return d.b }

// end returns an error if values follow.
func (d *delta) end() error {
	if d.left > 0 {
		return errTrailer
	}
	return nil
}
