package dataset

import (
	"bytes"
	"io"
	"strings"
)

// records cuts a text into lines and cells as RFC 4180 does: separators are
// between cells, and a cell that begins with a quote goes on to the next single
// quote, over separators and lines; two quotes are one. Empty lines are left
// out. Outside of quotes, a CR without an LF is an error: lines that end with
// it would be lost.
//
// With a blank as the separator, any number of blanks and tabs separates cells,
// none of them begins or ends a line, and a line ends at a #: columns as
// NumPy's savetxt and Fortran align them.
type records struct {
	r         io.Reader
	separator byte
	buf       []byte
	start     int   // of the bytes that are not cut yet
	end       int   // of the bytes that are read
	seen      int   // bytes from start without a line end
	eof       bool  //
	read      int64 // bytes

	line  int64 // of the record, from 1
	lines int64 // of the text that the record takes

	cells   [][]byte // the first cells of the record
	inQuote []bool   // whether they are in quotes; nil for none
	whole   []byte   // the line of a record without quotes, else nil
	scratch []byte   // memory for cells of records with quotes
	comment []byte   // the last comment before the first record
	begun   bool     // a record was cut
}

const (
	textBuffer = 256 << 10
	maxRecord  = 16 << 20
)

func newRecords(r io.Reader, separator byte) *records {
	return &records{r: r, separator: separator, buf: make([]byte, textBuffer)}
}

// next cuts the next record and returns the number of its cells. The first of
// them, as many as are asked for, are in s.cells until the next call. At the
// end the error is io.EOF.
func (s *records) next(cells int) (int, error) {
	for {
		s.line += s.lines
		s.lines = 1
		line, err := s.through(0)
		if err != nil {
			return 0, err
		}
		if s.line == 0 {
			s.line = 1
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if s.separator == ' ' {
			n, err := s.aligned(line, cells)
			if n > 0 || err != nil {
				return n, err
			}
			continue
		}
		if bytes.IndexByte(line, '"') >= 0 {
			return s.quoted(line, cells)
		}
		s.start += s.seen
		s.seen = 0
		line = trimEnd(line)
		if bytes.IndexByte(line, '\r') >= 0 {
			return 0, s.strayCR()
		}
		if len(line) > 0 {
			return s.plain(line, cells), nil
		}
	}
}

// through returns the bytes up to and including the first line end that is n
// bytes away or more, and sets seen to their number. The last line may have no
// end.
func (s *records) through(n int) ([]byte, error) {
	s.seen = n
	for {
		if i := bytes.IndexByte(s.buf[s.start+s.seen:s.end], '\n'); i >= 0 {
			s.seen += i + 1
			return s.buf[s.start : s.start+s.seen], nil
		}
		s.seen = s.end - s.start
		if s.eof {
			if s.seen == n {
				return nil, io.EOF
			}
			return s.buf[s.start:s.end], nil
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads more.
func (s *records) fill() error {
	if s.start > 0 {
		copy(s.buf, s.buf[s.start:s.end])
		s.end -= s.start
		s.start = 0
	}
	if s.end == len(s.buf) {
		if len(s.buf) >= maxRecord {
			return &Error{
				Line:  max(s.line, 1),
				Cause: "a line, or a cell in quotes, is longer than 16 MiB",
				Cure:  "is it a text? is a quote not closed?",
			}
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	s.read += int64(n)
	if err == io.EOF {
		s.eof, err = true, nil
	}
	return err
}

// trimEnd cuts off the end of a line: LF, or CR and LF.
func trimEnd(line []byte) []byte {
	if short, ok := bytes.CutSuffix(line, []byte{'\n'}); ok {
		return bytes.TrimSuffix(short, []byte{'\r'})
	}
	return line
}

// plain cuts a line without quotes.
func (s *records) plain(line []byte, cells int) int {
	s.begun = true
	s.cells, s.inQuote, s.whole = s.cells[:0], s.inQuote[:0], line
	for len(s.cells) < cells {
		i := bytes.IndexByte(line, s.separator)
		if i < 0 {
			s.cells = append(s.cells, line)
			return len(s.cells)
		}
		s.cells = append(s.cells, line[:i])
		line = line[i+1:]
	}
	return cells + 1 + bytes.Count(line, []byte{s.separator})
}

// A cursor is a place in a record.
type cursor struct {
	line []byte // the lines of the record that are read so far
	skip int    // bytes before line: a byte order mark
	i    int    // of the next byte
}

// quoted cuts a record that begins with line and holds quotes.
func (s *records) quoted(line []byte, cells int) (int, error) {
	s.cells, s.inQuote, s.whole, s.scratch = s.cells[:0], s.inQuote[:0], nil, s.scratch[:0]
	c := &cursor{line: line, skip: s.seen - len(line)}
	for count := 1; ; count++ {
		from, cut := len(s.scratch), s.plainCell
		isQuoted := c.i < len(c.line) && c.line[c.i] == '"'
		if isQuoted {
			cut = s.quotedCell
		}
		if err := cut(c); err != nil {
			return 0, err
		}
		if count <= cells {
			s.cells = append(s.cells, s.scratch[from:])
			s.inQuote = append(s.inQuote, isQuoted)
		}
		if c.i >= len(c.line) || c.line[c.i] != s.separator {
			s.start += s.seen
			s.seen = 0
			return count, nil
		}
		c.i++
	}
}

// quotedCell appends a cell in quotes to s.scratch.
func (s *records) quotedCell(c *cursor) error {
	for c.i++; ; {
		k := bytes.IndexByte(c.line[c.i:], '"')
		if k < 0 { // the cell continues on the next line
			s.scratch = append(s.scratch, c.line[c.i:]...)
			c.i = len(c.line)
			if err := s.extend(c); err != nil {
				return err
			}
			continue
		}
		s.scratch = append(s.scratch, c.line[c.i:c.i+k]...)
		if c.i += k + 1; c.i == len(c.line) || c.line[c.i] != '"' {
			break
		}
		s.scratch = append(s.scratch, '"')
		c.i++
	}
	switch end := trimEnd(c.line[c.i:]); {
	case len(end) == 0 || end[0] == s.separator:
		return nil
	case end[0] == '\r':
		return s.strayCR()
	default:
		return s.stray(end[0])
	}
}

// extend reads the next line of a record.
func (s *records) extend(c *cursor) error {
	more, err := s.through(s.seen)
	if err == io.EOF {
		return &Error{
			Line:  s.line,
			Cause: "a quote is not closed",
			Cure:  "close it, or double the quotes in a cell",
		}
	}
	if err == nil {
		s.lines++
		c.line = more[c.skip:]
	}
	return err
}

// plainCell appends a cell without quotes to s.scratch: lines that are read for
// a later cell may move the buffer.
func (s *records) plainCell(c *cursor) error {
	rest := c.line[c.i:]
	k := bytes.IndexByte(rest, s.separator)
	if k < 0 {
		k = len(trimEnd(rest))
	}
	if q := bytes.IndexByte(rest[:k], '"'); q >= 0 {
		return s.stray(before(rest, q))
	}
	if bytes.IndexByte(rest[:k], '\r') >= 0 {
		return s.strayCR()
	}
	s.scratch = append(s.scratch, rest[:k]...)
	c.i += k
	return nil
}

// stray returns the error of a quote inside a cell, beside a byte that may be
// the separator of the text.
func (s *records) stray(beside byte) error {
	e := &Error{
		Line:  s.line,
		Cause: "a quote is inside a cell",
		Cure:  "put the whole cell in quotes and double those in it",
	}
	if beside != s.separator && strings.IndexByte(otherSeparators, beside) >= 0 {
		e.Cure = separatorCure(beside)
	}
	return e
}

// before returns the byte before an index, 0 at the start.
func before(b []byte, i int) byte {
	if i == 0 {
		return 0
	}
	return b[i-1]
}

func (s *records) strayCR() error {
	return &Error{
		Line: s.line,
		Cause: "a carriage return (CR) is not followed by a line feed: " +
			"line ends are CR, or one is in a cell",
		Cure: "make them line feeds: tr '\\r' '\\n'",
	}
}
