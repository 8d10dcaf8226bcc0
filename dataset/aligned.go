package dataset

import "bytes"

// aligned cuts a line whose cells are separated by blanks, and returns their
// number: 0 for a line without one. A cell in double quotes may hold blanks.
func (s *records) aligned(line []byte, cells int) (int, error) {
	s.start += s.seen
	s.seen = 0
	line = trimEnd(line)
	if bytes.IndexByte(line, '\r') >= 0 {
		return 0, s.strayCR()
	}
	s.cells, s.inQuote, s.whole = s.cells[:0], s.inQuote[:0], nil
	count := 0
	for {
		line = trimStart(line)
		if len(line) == 0 {
			break
		}
		if line[0] == '#' {
			if count == 0 && !s.begun {
				s.comment = append(s.comment[:0], bytes.TrimLeft(line, "#")...)
			}
			break
		}
		cell, rest, err := s.alignedCell(line)
		if err != nil {
			return 0, err
		}
		if count < cells {
			s.cells = append(s.cells, cell)
		}
		count, line = count+1, rest
	}
	s.begun = s.begun || count > 0
	return count, nil
}

// alignedCell returns the cell that a line begins with, and what follows it.
func (s *records) alignedCell(line []byte) (cell, rest []byte, err error) {
	if line[0] != '"' {
		i := bytes.IndexAny(line, " \t#")
		if i < 0 {
			i = len(line)
		}
		if q := bytes.IndexByte(line[:i], '"'); q >= 0 {
			return nil, nil, s.stray(before(line, q))
		}
		return line[:i], line[i:], nil
	}
	i := bytes.IndexByte(line[1:], '"')
	if i < 0 {
		return nil, nil, &Error{
			Line:  s.line,
			Cause: "a quote is not closed",
			Cure:  "close it on the same line",
		}
	}
	cell, rest = line[1:1+i], line[i+2:]
	if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '#' {
		return nil, nil, s.stray(rest[0])
	}
	return cell, rest, nil
}

// trimStart cuts off spaces and tabs at the start.
func trimStart(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}
