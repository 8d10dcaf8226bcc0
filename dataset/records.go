package dataset

import (
	"bytes"
	"io"
)

// records cuts a text into the lines and cells of RFC 4180: cells stand between
// separators, and one that begins with a quote goes on to the next single quote, over
// separators and lines; two quotes are one. Empty lines are left out. A CR that no LF
// follows is an error outside of quotes: lines would be lost that end with it.
type records struct {
	r         io.Reader
	separator byte
	buf       []byte
	start     int   // of what has not been cut yet
	end       int   // of what has been read
	seen      int   // from start: holds no line end
	eof       bool  //
	read      int64 // bytes

	line  int64 // of the record, from 1
	lines int64 // that the record has

	cells   [][]byte // the first cells of the record
	scratch []byte   // what was quoted
}

const (
	textBuffer    = 256 << 10
	longestRecord = 16 << 20
)

func newRecords(r io.Reader, separator byte) *records {
	return &records{r: r, separator: separator, buf: make([]byte, textBuffer)}
}

// next cuts the next record and returns how many cells it has. The first so many as
// are asked for are in s.cells until next is called again. At the end it is io.EOF.
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

// through returns what is left up to the first line end that is n bytes away or more,
// with it, and sets seen to its length. The last line may have none.
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
		if len(s.buf) >= longestRecord {
			return &Error{Line: max(s.line, 1), Cause: "a line, or a cell in quotes, is longer than 16 MiB", Cure: "is it a text? is a quote not closed?"}
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

// trimEnd cuts the end of a line off: LF, or CR and LF.
func trimEnd(line []byte) []byte {
	if short, ok := bytes.CutSuffix(line, []byte{'\n'}); ok {
		return bytes.TrimSuffix(short, []byte{'\r'})
	}
	return line
}

// plain cuts a line without quotes.
func (s *records) plain(line []byte, cells int) int {
	s.cells = s.cells[:0]
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

// quoted cuts a record that begins with line and has quotes in it.
func (s *records) quoted(line []byte, cells int) (int, error) {
	s.cells, s.scratch = s.cells[:0], s.scratch[:0]
	skip := s.seen - len(line) // a byte order mark
	count, i := 0, 0
	for {
		var cell []byte
		if i < len(line) && line[i] == '"' {
			from := len(s.scratch)
			for i++; ; {
				k := bytes.IndexByte(line[i:], '"')
				if k < 0 {
					// The cell goes on on the next line.
					s.scratch = append(s.scratch, line[i:]...)
					i = len(line)
					more, err := s.through(s.seen)
					if err == io.EOF {
						return 0, &Error{Line: s.line, Cause: "a quote is not closed", Cure: "close it, or double the quotes in a cell"}
					}
					if err != nil {
						return 0, err
					}
					s.lines++
					line = more[skip:]
					continue
				}
				s.scratch = append(s.scratch, line[i:i+k]...)
				if i += k + 1; i == len(line) || line[i] != '"' {
					break
				}
				s.scratch = append(s.scratch, '"')
				i++
			}
			cell = s.scratch[from:]
			if end := trimEnd(line[i:]); len(end) > 0 && end[0] != s.separator {
				if end[0] == '\r' {
					return 0, s.strayCR()
				}
				return 0, s.stray()
			}
		} else {
			k := bytes.IndexByte(line[i:], s.separator)
			if k < 0 {
				k = len(trimEnd(line[i:]))
			}
			if bytes.IndexByte(line[i:i+k], '"') >= 0 {
				return 0, s.stray()
			}
			if bytes.IndexByte(line[i:i+k], '\r') >= 0 {
				return 0, s.strayCR()
			}
			// A copy: lines that are read for a later cell may move the buffer.
			from := len(s.scratch)
			s.scratch = append(s.scratch, line[i:i+k]...)
			cell = s.scratch[from:]
			i += k
		}
		if count++; count <= cells {
			s.cells = append(s.cells, cell)
		}
		if i >= len(line) || line[i] != s.separator {
			s.start += s.seen
			s.seen = 0
			return count, nil
		}
		i++
	}
}

func (s *records) stray() error {
	return &Error{Line: s.line, Cause: "a quote stands inside a cell", Cure: "put the whole cell in quotes and double those in it"}
}

func (s *records) strayCR() error {
	return &Error{Line: s.line, Cause: "a carriage return (CR) is not followed by a line feed: line ends are CR, or one stands in a cell", Cure: "make them line feeds: tr '\\r' '\\n'"}
}
