package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/lastbit/lastbit/fp"
)

// NoRecordMarks is the value of Options.RecordMarks for raw values that look as
// if they had marks.
const NoRecordMarks = -1

// openRaw opens a file of numbers without a header.
func openRaw(in *input, o Options, k *keys) (source, error) {
	if len(o.Columns) > 0 || k != nil {
		return nil, &Error{Cause: "raw values have no columns", Cure: "leave the column out"}
	}
	name := o.DType
	if name == "" {
		name = "f64"
	}
	enc, err := namedEncoding(name, o.BigEndian)
	if err == nil {
		err = checkRaw(in, o)
	}
	if err != nil {
		return nil, err
	}
	if in.size < 0 || o.RecordMarks > 0 {
		if o.Part != nil {
			return nil, in.needsFile("a part of raw values")
		}
		return openRawStream(in, o, enc)
	}
	if err := notMarked(rawHead(in, o), o, in.size-o.Offset); err != nil {
		return nil, err
	}
	bytes := in.size - o.Offset
	rows := bytes / int64(enc.bytes)
	if rest := bytes % int64(enc.bytes); rest != 0 {
		return nil, &Error{
			Row: rows + 1,
			Cause: fmt.Sprintf("the file ends after %d of the %d bytes of a value", rest,
				enc.bytes),
			Cure: "it is cut off, or of another --dtype",
		}
	}
	from, to, err := cutRows(o, rows)
	if err != nil {
		return nil, err
	}
	l := &lane{
		r:     section(in, o.Offset, from, to, enc.bytes),
		width: enc.bytes,
		picks: []pick{{enc: enc}},
	}
	return &table{
		names: []string{""},
		total: to - from,
		form:  form{rows: rows},
		lanes: []*lane{l},
	}, nil
}

// checkRaw refuses an offset beyond the end, and marks of another size.
func checkRaw(in *input, o Options) error {
	switch {
	case o.Offset < 0:
		return &Error{Cause: "the offset is negative", Cure: "give the bytes before the values"}
	case in.size >= 0 && o.Offset > in.size:
		return &Error{Cause: fmt.Sprintf("it has %d bytes, and %d are to be left out", in.size,
			o.Offset), Cure: "give a smaller --offset"}
	case o.RecordMarks != 0 && o.RecordMarks != NoRecordMarks && o.RecordMarks != 4 &&
		o.RecordMarks != 8:
		return &Error{Cause: fmt.Sprintf("record marks have 4 or 8 bytes, and not %d",
			o.RecordMarks), Cure: "give --record-marks 4 or 8"}
	}
	return nil
}

// section returns the bytes of the rows from, …, to−1, which follow a header.
func section(in *input, header, from, to int64, width int) io.Reader {
	return io.NewSectionReader(in.at, header+from*int64(width), (to-from)*int64(width))
}

// byteOrder returns the byte order of raw values.
func (o Options) byteOrder() binary.ByteOrder {
	if o.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// openRawStream opens values whose number is unknown before the end.
func openRawStream(in *input, o Options, enc encoding) (source, error) {
	b := bufio.NewReaderSize(in, laneBuffer)
	if n, err := io.CopyN(io.Discard, b, o.Offset); err == io.EOF {
		return nil, &Error{Cause: fmt.Sprintf("it has %d bytes, and %d are to be left out", n,
			o.Offset), Cure: "give a smaller --offset"}
	} else if err != nil {
		return nil, err
	}
	s := &rawStream{in: in, r: b, enc: enc}
	if o.RecordMarks > 0 {
		s.r = &recordReader{r: b, marks: o.RecordMarks, order: o.byteOrder(), value: enc.bytes}
		return s, nil
	}
	if o.RecordMarks == 0 {
		s.watch = newMarkWatch(o)
	}
	head, _ := b.Peek(laneBuffer) // an error comes again with the next read
	unknown := int64(-1)
	if len(head) < laneBuffer {
		unknown = int64(len(head))
	}
	return s, notMarked(func(at int64, n int) []byte {
		if at+int64(n) > int64(len(head)) {
			return nil
		}
		return head[at : at+int64(n)]
	}, o, unknown)
}

// rawStream reads raw values whose number is unknown before the end.
type rawStream struct {
	in   *input
	r    io.Reader
	enc  encoding
	done int64
	buf  []byte
	// watch looks for records that are too long to be seen at the start; nil
	// for none.
	watch *markWatch
}

func (s *rawStream) columns() []string        { return []string{""} }
func (s *rawStream) rows() int64              { return -1 }
func (s *rawStream) progress() (int64, int64) { return s.in.progress() }
func (s *rawStream) close() error             { return nil }
func (s *rawStream) floats() fp.Format        { return s.enc.floats() }

func (s *rawStream) read(b *Block) (int, error) {
	s.buf = sized(s.buf, b.Rows()*s.enc.bytes)
	n, err := io.ReadFull(s.r, s.buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	s.watch.see(s.buf[:n])
	if err != nil {
		if err := s.watch.refuse(); err != nil {
			return 0, err
		}
	}
	rows, rest := n/s.enc.bytes, n%s.enc.bytes
	if rest != 0 {
		return 0, &Error{
			Row: s.done + int64(rows) + 1,
			Cause: fmt.Sprintf("the input ends after %d of the %d bytes of a value", rest,
				s.enc.bytes),
			Cure: "it is cut off, or of another --dtype",
		}
	}
	if rows > 0 {
		s.enc.decode(&b.Columns[0], 0, s.buf[:n], s.enc.bytes)
	}
	s.done += int64(rows)
	return rows, nil
}

// rawHead returns a function that reads bytes after the offset, or nil where
// the file has none.
func rawHead(in *input, o Options) func(at int64, n int) []byte {
	return func(at int64, n int) []byte {
		b := make([]byte, n)
		if _, err := in.at.ReadAt(b, o.Offset+at); err != nil {
			return nil
		}
		return b
	}
}

// notMarked refuses values that seem to have the marks of Fortran's records: a
// length before and after each. size is their number of bytes, −1 if unknown.
func notMarked(at func(at int64, n int) []byte, o Options, size int64) error {
	if o.RecordMarks != 0 {
		return nil
	}
	for _, big := range []bool{o.BigEndian, !o.BigEndian} {
		for _, width := range []int{4, 8} {
			order := Options{BigEndian: big}
			if !isMarked(at, size, width, order.byteOrder()) {
				continue
			}
			return marked(width, big, o)
		}
	}
	return nil
}

// marked returns the error of values that seem to have marks.
func marked(width int, big bool, o Options) error {
	cure := fmt.Sprintf("add --record-marks %d", width)
	if big != o.BigEndian {
		cure += " --order " + map[bool]string{true: "big", false: "little"}[big]
	}
	return &Error{
		Cause: "its values seem to be records of Fortran, with their lengths around them",
		Cure:  cure + ", or --record-marks 0 if they are not",
	}
}

// isMarked reports whether the records that marks describe reach the end, or go
// on for many records.
func isMarked(
	read func(at int64, n int) []byte, size int64, width int, order binary.ByteOrder,
) bool {
	const many = 64
	at, filled := int64(0), false
	for range many {
		if at == size && filled {
			return true
		}
		first := read(at, width)
		if first == nil {
			return size < 0 && filled
		}
		n := mark(first, order)
		if n < 0 {
			n = -n
		}
		if n < 0 || size >= 0 && n > size {
			return false
		}
		last := read(at+int64(width)+n, width)
		if last == nil {
			return size < 0 && at > 0 && filled
		}
		if m := mark(last, order); m != n && m != -n {
			return false
		}
		filled = filled || n != 0
		at += 2*int64(width) + n
	}
	return filled
}

// mark returns the length in a mark of 4 or 8 bytes.
func mark(b []byte, order binary.ByteOrder) int64 {
	if len(b) == 4 {
		return int64(int32(order.Uint32(b)))
	}
	return int64(order.Uint64(b))
}

// A recordReader reads the values in records as Fortran writes them without
// format: the number of bytes is before and after each. A record that is longer
// than its mark can hold is in parts; the mark before a part is negative if
// another follows, and that after it if another precedes.
type recordReader struct {
	r      io.Reader
	marks  int // bytes of a mark
	order  binary.ByteOrder
	value  int // bytes of a value
	record int64
	length int64 // of the part
	left   int64 // bytes of the part
	total  int64 // bytes of the record before the part
	later  bool  // the part is not the first
	more   bool  // another part follows
	open   bool  // within a part
}

func (s *recordReader) Read(p []byte) (int, error) {
	for s.left == 0 {
		if s.open {
			if err := s.end(); err != nil {
				return 0, err
			}
			continue
		}
		if err := s.begin(); err != nil {
			return 0, err
		}
	}
	n, err := s.r.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if errors.Is(err, io.EOF) {
		err = nil
		if s.left > 0 {
			err = s.wrong("it ends within the record", "it is cut off: make it again")
		}
	}
	return n, err
}

// begin reads the mark before a part; io.EOF is the end.
func (s *recordReader) begin() error {
	b := make([]byte, s.marks)
	_, err := io.ReadFull(s.r, b)
	if err == io.EOF && !s.more {
		return io.EOF
	}
	if !s.later {
		s.record++
	}
	if err != nil {
		return s.cutOff(err)
	}
	n := mark(b, s.order)
	s.more = n < 0
	if s.more {
		n = -n
	}
	if n < 0 || s.more && s.marks != 4 {
		return s.wrong("its mark is no length", "it has no marks of that size and --order")
	}
	s.length, s.left, s.open = n, n, true
	return nil
}

// end reads the mark after a part.
func (s *recordReader) end() error {
	b := make([]byte, s.marks)
	if _, err := io.ReadFull(s.r, b); err != nil {
		return s.cutOff(err)
	}
	want := s.length
	if s.later {
		want = -want
	}
	if got := mark(b, s.order); got != want {
		return s.wrong(fmt.Sprintf("the mark before it is %d, and that after it %d", s.length, got),
			"it has no marks of that size and --order, or is damaged")
	}
	s.total += s.length
	s.open, s.later = false, s.more
	if s.more {
		return nil
	}
	if s.total%int64(s.value) != 0 {
		return s.wrong(fmt.Sprintf("it has %d bytes, and values of %d", s.total, s.value),
			"give the --dtype of all records, or leave out a header with --offset")
	}
	s.total = 0
	return nil
}

func (s *recordReader) cutOff(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return s.wrong("it ends within the record", "it is cut off, or has no marks of that size")
	}
	return err
}

// wrong returns an error about the record.
func (s *recordReader) wrong(cause, cure string) error {
	return &Error{Cause: fmt.Sprintf("record %d: %s", s.record, cause), Cure: cure}
}
