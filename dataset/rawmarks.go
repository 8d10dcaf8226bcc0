package dataset

import "encoding/binary"

// A markWatch looks for the marks of records in a stream, which may be longer
// than what is seen of it at the start.
type markWatch struct {
	o     Options
	seen  int64
	cases []markCase
}

// A markCase is a size and a byte order of marks that a stream may have.
type markCase struct {
	width  int
	big    bool
	next   int64  // where the next mark is
	mark   []byte // of it, as far as seen
	length int64  // of the record
	inside bool   // the next mark ends a record
	filled bool   // a record was not empty
}

func newMarkWatch(o Options) *markWatch {
	w := &markWatch{o: o}
	for _, big := range []bool{o.BigEndian, !o.BigEndian} {
		for _, width := range []int{4, 8} {
			w.cases = append(w.cases, markCase{width: width, big: big})
		}
	}
	return w
}

// see looks at the next bytes.
func (w *markWatch) see(b []byte) {
	if w == nil {
		return
	}
	kept := w.cases[:0]
	for _, c := range w.cases {
		if c.see(b, w.seen) {
			kept = append(kept, c)
		}
	}
	w.cases = kept
	w.seen += int64(len(b))
}

// see looks at bytes from a place of the stream, and reports whether all marks
// so far fit.
func (c *markCase) see(b []byte, from int64) bool {
	for end := from + int64(len(b)); c.next+int64(len(c.mark)) < end; {
		at := c.next + int64(len(c.mark)) - from
		n := min(int64(c.width-len(c.mark)), end-from-at)
		c.mark = append(c.mark, b[at:at+n]...)
		if len(c.mark) == c.width && !c.turn() {
			return false
		}
	}
	return true
}

// turn takes a whole mark.
func (c *markCase) turn() bool {
	var order binary.ByteOrder = binary.LittleEndian
	if c.big {
		order = binary.BigEndian
	}
	n := mark(c.mark, order)
	c.next, c.mark = c.next+int64(c.width), c.mark[:0]
	if n < 0 { // of a part of a record
		n = -n
	}
	const tooLong = 1 << 62
	if n < 0 || n > tooLong || c.next > tooLong || c.inside && n != c.length {
		return false
	}
	if c.inside {
		c.filled = c.filled || n != 0
	} else {
		c.length, c.next = n, c.next+n
	}
	c.inside = !c.inside
	return true
}

// refuse returns an error if the records of a case reach the end.
func (w *markWatch) refuse() error {
	if w == nil {
		return nil
	}
	for _, c := range w.cases {
		if c.filled && !c.inside && c.next == w.seen && len(c.mark) == 0 {
			return marked(c.width, c.big, w.o)
		}
	}
	return nil
}
