package parquet

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// block is a block of LZ4 as PyArrow's Codec('lz4_raw') compresses
// b'abcabcabcabcabcabcabcabcabcabcabcabcabcabc…' of 120 bytes.
var block = []byte{0x3f, 'a', 'b', 'c', 3, 0, 0x5d, 0x50, 'b', 'c', 'a', 'b', 'c'}

var plainBlock = bytes.Repeat([]byte("abc"), 40)

func TestLZ4(t *testing.T) {
	dst := make([]byte, len(plainBlock))
	if n, err := decodeLZ4(dst, block); err != nil || !bytes.Equal(dst[:n], plainBlock) {
		t.Errorf("%q, %v", dst[:n], err)
	}
	for i := range block { // cut off, and changed
		if n, err := decodeLZ4(dst, block[:i]); err == nil && n == len(dst) {
			t.Errorf("the first %d bytes are %d", i, n)
		}
		for bit := range 8 {
			b := bytes.Clone(block)
			b[i] ^= 1 << bit
			decodeLZ4(dst, b) // does not panic
		}
	}
	for _, b := range []string{"", "\x00", "\x10", "\x0f", "\x01\x00\x00", "\x10a\x02\x00\x00",
		"\xf0", "\x10a\x01\x00"} {
		n, err := decodeLZ4(dst, []byte(b))
		if err == nil && n > 0 {
			t.Errorf("%q are %d bytes", b, n)
		}
	}
}

// TestHadoop decompresses what codec LZ4 may hold: frames of one block or more,
// as parquet-mr and Hadoop write, and a block without a frame.
func TestHadoop(t *testing.T) {
	number := func(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
	n := len(plainBlock)
	one := append(number(len(block)), block...)
	frame := func(blocks ...[]byte) []byte {
		return append(number(len(blocks)*n), bytes.Join(blocks, nil)...)
	}
	for name, c := range map[string]struct {
		src  []byte
		want int // blocks
	}{
		"frame":      {frame(one), 1},
		"blocks":     {frame(one, one), 2},
		"frames":     {append(frame(one), frame(one, one)...), 3},
		"no frame":   {block, 1},
		"cut off":    {frame(one, one)[:20], 0},
		"too long":   {frame(one, one), 0},
		"too short":  {frame(one), 0},
		"a bad size": {append(number(n), append(number(1<<30), block...)...), 0},
	} {
		size := max(c.want*n, 1)
		switch name {
		case "too long":
			size = n
		case "too short":
			size = 2 * n
		}
		dst := make([]byte, size)
		err := decodeHadoop(dst, c.src)
		if c.want == 0 {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if err != nil || !bytes.Equal(dst, bytes.Repeat(plainBlock, c.want)) {
			t.Errorf("%s: %v, %q", name, err, dst)
		}
	}
}
