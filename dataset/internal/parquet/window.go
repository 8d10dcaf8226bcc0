package parquet

import "io"

// A window reads a part of a file from its start to its end.
type window struct {
	at       io.ReaderAt
	pos, end int64 // of what is still to be read
	buf      []byte
	from     int // of the bytes in buf that are not skipped
}

// windowSize is the number of bytes that are read at a time.
const windowSize = 256 << 10

// reset moves the window to other bytes.
func (w *window) reset(at io.ReaderAt, start, end int64) {
	w.at, w.pos, w.end = at, start, end
	w.buf, w.from = w.buf[:0], 0
}

// left returns the number of bytes that are not skipped.
func (w *window) left() int64 { return w.end - w.pos + int64(len(w.buf)-w.from) }

// peek returns the next n bytes, or fewer at the end. They stay until the next
// call.
func (w *window) peek(n int) ([]byte, error) {
	n = int(min(int64(n), w.left()))
	if have := len(w.buf) - w.from; have < n {
		if err := w.fill(n, have); err != nil {
			return nil, err
		}
	}
	return w.buf[w.from : w.from+n], nil
}

// fill reads until n bytes are there; have are there already.
func (w *window) fill(n, have int) error {
	size := int(min(int64(max(n, windowSize)), w.left()))
	old := w.buf[w.from:]
	buf := sized(w.buf, size)
	copy(buf, old)
	m, err := w.at.ReadAt(buf[have:], w.pos)
	if m < size-have {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	w.pos += int64(m)
	w.buf, w.from = buf, 0
	return nil
}

func (w *window) skip(n int) { w.from += n }
