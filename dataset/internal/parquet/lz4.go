package parquet

import (
	"encoding/binary"
	"errors"
)

var errLZ4 = errors.New("a page is not compressed by LZ4")

// decodeLZ4 decompresses a block of LZ4 into dst, and returns its length.
//
// Reference: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md.
func decodeLZ4(dst, src []byte) (int, error) {
	at, out := 0, 0
	for at < len(src) {
		token := src[at]
		at++
		literals, at2, ok := lz4Length(src, at, int(token>>4))
		if at = at2; !ok || literals > len(src)-at || literals > len(dst)-out {
			return out, errLZ4
		}
		copy(dst[out:], src[at:at+literals])
		at, out = at+literals, out+literals
		if at == len(src) {
			return out, nil // the last sequence has no match
		}
		if len(src)-at < 2 {
			return out, errLZ4
		}
		offset := int(binary.LittleEndian.Uint16(src[at:]))
		length, at3, ok := lz4Length(src, at+2, int(token&15))
		length += 4
		if at = at3; !ok || offset == 0 || offset > out || length > len(dst)-out {
			return out, errLZ4
		}
		copyMatch(dst, out, offset, length)
		out += length
	}
	return out, errLZ4
}

// lz4Length returns a length that begins in a token, and the place after it.
func lz4Length(src []byte, at, n int) (length, next int, ok bool) {
	if n < 15 {
		return n, at, true
	}
	for at < len(src) {
		b := src[at]
		at++
		n += int(b)
		if b != 255 {
			return n, at, true
		}
	}
	return 0, at, false
}

// copyMatch repeats the bytes that are offset bytes back. The parts may
// overlap.
func copyMatch(dst []byte, at, offset, length int) {
	for length > 0 {
		n := copy(dst[at:at+length], dst[at-offset:at])
		at, length = at+n, length-n
	}
}

// decodeHadoop fills dst with what codec LZ4 compressed. The format does not
// describe it. Hadoop and parquet-mr write frames: the length of the frame's
// data, in four bytes with the most significant first, then blocks, each behind
// its own length. Early versions of Arrow wrote one block without a frame.
func decodeHadoop(dst, src []byte) error {
	if n, ok := hadoopFrames(dst, src); ok && n == len(dst) {
		return nil
	}
	n, err := decodeLZ4(dst, src)
	if err == nil && n != len(dst) {
		err = errLength
	}
	return err
}

// hadoopFrames decompresses frames, and returns the length of their data.
func hadoopFrames(dst, src []byte) (n int, ok bool) {
	for len(src) > 0 {
		if len(src) < 8 {
			return n, false
		}
		left := int64(binary.BigEndian.Uint32(src))
		src = src[4:]
		if left > int64(len(dst)-n) {
			return n, false
		}
		for left > 0 {
			if len(src) < 4 {
				return n, false
			}
			size := int64(binary.BigEndian.Uint32(src))
			if src = src[4:]; size > int64(len(src)) {
				return n, false
			}
			m, err := decodeLZ4(dst[n:n+int(left)], src[:size])
			if err != nil || m == 0 {
				return n, false
			}
			src, n, left = src[size:], n+m, left-int64(m)
		}
	}
	return n, true
}
