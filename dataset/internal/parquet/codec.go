package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// codec is the compression of pages.
type codec int32

const (
	uncompressed codec = 0
	snappyCodec  codec = 1
	gzipCodec    codec = 2
	lzoCodec     codec = 3
	brotliCodec  codec = 4
	lz4Hadoop    codec = 5
	zstdCodec    codec = 6
	lz4Raw       codec = 7
)

// check returns an error if pages cannot be decompressed.
func (c codec) check() error {
	switch c {
	case uncompressed, snappyCodec, gzipCodec, brotliCodec, lz4Hadoop, zstdCodec, lz4Raw:
		return nil
	case lzoCodec:
		return errors.New("its pages are compressed by LZO, which is not read")
	}
	return fmt.Errorf("its pages are compressed by codec %d, which is unknown", int32(c))
}

// A decompressor decompresses the pages of one column, one after the other.
type decompressor struct {
	codec codec
	buf   []byte
	zip   *gzip.Reader
	zstd  *zstd.Decoder
}

// errLength is the error of a page that does not decompress to the length that
// its header states.
var errLength = errors.New("a page does not decompress to the length in its header")

// page returns size bytes, which stay until the next call.
func (d *decompressor) page(src []byte, size int) ([]byte, error) {
	if d.codec == uncompressed {
		if len(src) != size {
			return nil, errLength
		}
		return src, nil
	}
	if size == 0 {
		return nil, nil
	}
	if err := d.expand(src, size); err != nil {
		return nil, err
	}
	if len(d.buf) != size {
		return nil, errLength
	}
	return d.buf, nil
}

// expand sets d.buf to the decompressed bytes: memory grows with them, not with
// size.
func (d *decompressor) expand(src []byte, size int) (err error) {
	switch d.codec {
	case snappyCodec:
		if n, err := snappy.DecodedLen(src); err != nil || n != size {
			return errors.Join(err, errLength)
		}
		if size > maxSnappy*len(src) {
			return errLength
		}
		d.buf = sized(d.buf, size)
		out, err := snappy.Decode(d.buf, src)
		d.buf = out
		return err
	case lz4Raw, lz4Hadoop:
		if size > maxLZ4*len(src) {
			return errLength
		}
		d.buf = sized(d.buf, size)
		if d.codec == lz4Hadoop {
			return decodeHadoop(d.buf, src)
		}
		n, err := decodeLZ4(d.buf, src)
		d.buf = d.buf[:n]
		return err
	case gzipCodec:
		in := bytes.NewReader(src)
		if d.zip == nil {
			d.zip, err = gzip.NewReader(in)
		} else {
			err = d.zip.Reset(in)
		}
		if err != nil {
			return err
		}
		return d.stream(d.zip, size)
	case brotliCodec:
		return d.stream(brotli.NewReader(bytes.NewReader(src)), size)
	default:
		return d.expandZstd(src, size)
	}
}

// The largest factors that a byte may grow by: 64 bytes of 3 in snappy, 255 of
// 1 in LZ4.
const (
	maxSnappy = 22
	maxLZ4    = 256
)

func (d *decompressor) expandZstd(src []byte, size int) (err error) {
	if d.zstd == nil {
		d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return err
		}
	}
	const usual, factor = 1 << 20, 64
	if size <= usual || size/factor <= len(src) {
		d.buf, err = d.zstd.DecodeAll(src, sized(d.buf, size)[:0:size])
		return err
	}
	if err := d.zstd.Reset(bytes.NewReader(src)); err != nil {
		return err
	}
	return d.stream(d.zstd, size)
}

// stream reads size bytes and the end.
func (d *decompressor) stream(r io.Reader, size int) error {
	const step = 1 << 20
	d.buf = d.buf[:0]
	for len(d.buf) < size {
		at := len(d.buf)
		n := min(size-at, max(step, at))
		d.buf = append(d.buf, make([]byte, n)...)
		if n, err := io.ReadFull(r, d.buf[at:]); err != nil {
			d.buf = d.buf[:at+n]
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return errLength
			}
			return err
		}
	}
	var one [1]byte
	n, err := io.ReadFull(r, one[:])
	switch {
	case n > 0:
		return errLength
	case err != io.EOF:
		return err
	}
	return nil
}

func (d *decompressor) close() {
	if d.zstd != nil {
		d.zstd.Close()
	}
}

// sized returns n elements of any value, in the memory of x if they fit.
func sized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
