package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// A table reads rows of a fixed size, in one lane or several.
type table struct {
	names []string
	total int64
	form  form
	done  int64
	lanes []*lane
	keys  *keys
	key   Column // the values of the key column
}

// A lane is a stream of rows of one encoding.
type lane struct {
	r     io.Reader
	enc   encoding
	width int // bytes from row to row
	picks []pick
	ends  bool // the stream ends with the last row
	buf   []byte
	close func() error
}

// A pick is a number in every row of a lane.
type pick struct {
	column int // of the block; keyColumn for the key
	offset int // in bytes
	name   string
}

const keyColumn = -1

// laneBuffer is the number of bytes that a lane reads at a time.
const laneBuffer = 256 << 10

func (t *table) columns() []string        { return t.names }
func (t *table) rows() int64              { return t.total }
func (t *table) progress() (int64, int64) { return t.done, t.total }
func (t *table) floats() fp.Format        { return t.lanes[0].enc.floats() }
func (t *table) close() (err error) {
	for _, l := range t.lanes {
		if l.close != nil {
			err = errors.Join(err, l.close())
		}
	}
	return err
}

func (t *table) read(b *Block) (int, error) {
	n := int(min(int64(b.Rows()), t.total-t.done))
	if t.keys != nil {
		t.key.Values, t.key.Rest = sized(t.key.Values, b.Rows()), nil
	}
	for _, l := range t.lanes {
		if err := t.readLane(l, b, n); err != nil {
			return 0, err
		}
	}
	if t.keys != nil {
		precision := t.keyPrecision()
		for i := range n {
			b.Keys[i] = t.keys.number(&t.key, i, precision)
		}
	}
	t.done += int64(n)
	if n == 0 {
		return 0, t.checkEnd()
	}
	return n, nil
}

// readLane reads n rows of a lane.
func (t *table) readLane(l *lane, b *Block, n int) error {
	most := max(laneBuffer/l.width, 1)
	for i := 0; i < n; {
		m := min(most, n-i)
		l.buf = sized(l.buf, m*l.width)
		if k, err := io.ReadFull(l.r, l.buf); err != nil {
			return t.short(err, t.done+int64(i)+int64(k/l.width))
		}
		for _, p := range l.picks {
			c := &t.key
			if p.column != keyColumn {
				c = &b.Columns[p.column]
			}
			if bad := l.enc.decode(c, i, l.buf[p.offset:], l.width); bad >= 0 {
				return &Error{
					Row:    t.done + int64(i+bad) + 1,
					Column: p.name,
					Cause:  "a boolean is neither 0 nor 1",
					Cure:   "write it again with numpy.save",
				}
			}
		}
		i += m
	}
	return nil
}

// short returns the error of a file that ends within a row.
func (t *table) short(err error, rows int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{
			Row:   rows + 1,
			Cause: fmt.Sprintf("the file ends before its %d rows do", t.total),
			Cure:  "it is cut off: make it again",
		}
	}
	return err
}

// checkEnd looks for bytes after the last row.
func (t *table) checkEnd() error {
	for _, l := range t.lanes {
		if !l.ends {
			continue
		}
		switch n, err := io.ReadFull(l.r, make([]byte, 1)); {
		case n > 0:
			return trailing()
		case err != nil && err != io.EOF:
			return err
		}
	}
	return nil
}

func trailing() error {
	return &Error{
		Cause: "something follows its last row",
		Cure:  "make it again, one array in a file",
	}
}

func (t *table) keyPrecision() int {
	for _, l := range t.lanes {
		for _, p := range l.picks {
			if p.column == keyColumn {
				return l.enc.precision()
			}
		}
	}
	return 64
}

// cutRows returns the rows, of n, that the options ask for.
func cutRows(o Options, n int64) (from, to int64, err error) {
	if o.Part == nil {
		return 0, n, nil
	}
	from, to = o.Part(n)
	if from < 0 || from > to || to > n {
		return 0, 0, &Error{
			Cause: fmt.Sprintf("it has %d rows, and not those from %d to %d", n, from, to),
			Cure:  "ask for rows that it has",
		}
	}
	return from, to, nil
}

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
	if err != nil {
		return nil, err
	}
	if in.size < 0 {
		if o.Part != nil {
			return nil, in.needsFile("a part of raw values")
		}
		return &rawStream{r: bufio.NewReaderSize(in, laneBuffer), enc: enc}, nil
	}
	if rest := in.size % int64(enc.bytes); rest != 0 {
		return nil, &Error{
			Row: in.size/int64(enc.bytes) + 1,
			Cause: fmt.Sprintf("the file ends after %d of the %d bytes of a value", rest,
				enc.bytes),
			Cure: "it is cut off, or of another --dtype",
		}
	}
	from, to, err := cutRows(o, in.size/int64(enc.bytes))
	if err != nil {
		return nil, err
	}
	l := &lane{
		r:     section(in, 0, from, to, enc.bytes),
		enc:   enc,
		width: enc.bytes,
		picks: []pick{{}},
	}
	return &table{
		names: []string{""},
		total: to - from,
		form:  form{rows: in.size / int64(enc.bytes)},
		lanes: []*lane{l},
	}, nil
}

// section returns the bytes of the rows from, …, to−1, which follow a header.
func section(in *input, header, from, to int64, width int) io.Reader {
	return io.NewSectionReader(in.at, header+from*int64(width), (to-from)*int64(width))
}

// rawStream reads raw values whose number is unknown before the end.
type rawStream struct {
	r    io.Reader
	enc  encoding
	done int64
	buf  []byte
}

func (s *rawStream) columns() []string        { return []string{""} }
func (s *rawStream) rows() int64              { return -1 }
func (s *rawStream) progress() (int64, int64) { return s.done, 0 }
func (s *rawStream) close() error             { return nil }
func (s *rawStream) floats() fp.Format        { return s.enc.floats() }

func (s *rawStream) read(b *Block) (int, error) {
	s.buf = sized(s.buf, b.Rows()*s.enc.bytes)
	n, err := io.ReadFull(s.r, s.buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
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

// columnNumber returns the index of the column that a number from 1 to n names.
func columnNumber(s string, n int) (int, error) {
	i, ok := position(s)
	if !ok {
		return 0, &Error{
			Column: s,
			Cause:  "its columns have no names",
			Cure:   fmt.Sprintf("name them by their numbers, from 1 to %d", n),
		}
	}
	if i < 1 || i > n {
		return 0, &Error{
			Column: s,
			Cause:  fmt.Sprintf("it has %d columns", n),
			Cure:   "count them from 1",
		}
	}
	return i - 1, nil
}

// columnNames returns the columns asked for, with the key at the end.
func columnNames(o Options) []string {
	if o.Key == "" {
		return o.Columns
	}
	return append(slices.Clone(o.Columns), o.Key)
}
