package dataset

import (
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
	text  []byte // memory for a key
}

// A lane is a stream of rows.
type lane struct {
	r     io.Reader
	width int // bytes from row to row
	picks []pick
	ends  bool // the stream ends with the last row
	buf   []byte
	close func() error
	// after is called with rows that were read, which begin at one of the
	// block; nil for nothing.
	after func(b *Block, at, rows int, l *lane) error
}

// A pick is a number in every row of a lane.
type pick struct {
	column int // of the block; keyColumn for the key
	enc    encoding
	index  int // of a column of a matrix
	offset int // in bytes, within a value
	name   string
}

const keyColumn = -1

// laneBuffer is the number of bytes that a lane reads at a time.
const laneBuffer = 256 << 10

func (t *table) columns() []string        { return t.names }
func (t *table) rows() int64              { return t.total }
func (t *table) progress() (int64, int64) { return t.done, t.total }
func (t *table) floats() fp.Format        { return t.pick(0).enc.floats() }
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
	if t.keys != nil && !t.pick(keyColumn).enc.isText() {
		precision := t.pick(keyColumn).enc.precision()
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
			} else if p.enc.isText() {
				t.textKeys(b.Keys[i:i+m], l, p)
				continue
			}
			if bad := p.enc.decode(c, i, l.buf[p.offset:], l.width); bad >= 0 {
				return &Error{
					Row:    t.done + int64(i+bad) + 1,
					Column: p.name,
					Cause:  "a boolean is neither 0 nor 1",
					Cure:   "write it again with numpy.save",
				}
			}
		}
		if l.after != nil {
			if err := l.after(b, i, m, l); err != nil {
				return err
			}
		}
		i += m
	}
	return nil
}

// textKeys sets the keys of rows to a text in each.
func (t *table) textKeys(keys []int, l *lane, p pick) {
	for i := range keys {
		t.text = p.enc.text(t.text[:0], l.buf[i*l.width+p.offset:])
		keys[i] = t.keys.text(t.text)
	}
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

// pick returns the pick of a column of the block, or of the key.
func (t *table) pick(column int) pick {
	for _, l := range t.lanes {
		for _, p := range l.picks {
			if p.column == column {
				return p
			}
		}
	}
	return pick{}
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
