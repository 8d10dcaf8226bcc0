package dataset

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/lastbit/lastbit/dataset/internal/parquet"
	"github.com/lastbit/lastbit/fp"
)

// parquetSource reads columns of a parquet file, one row group after the other.
type parquetSource struct {
	leaves []*leaf // the key's is the last
	names  []string
	total  int64
	done   int64
	keys   *keys
	key    Column
	skip   bool
}

// A leaf is a column of a parquet file, of numbers or of keys.
type leaf struct {
	*parquet.Column
	r      *parquet.Reader
	column int // of the block; keyColumn for the key
	valid  []bool
	words  []uint64
	text   []byte // of a key
}

func openParquet(in *input, o Options, k *keys) (source, error) {
	if in.at == nil {
		return nil, in.needsFile("a parquet file")
	}
	f, err := parquet.Open(in.at, in.size)
	if err != nil {
		return nil, &Error{
			Cause: "it cannot be read as a parquet file",
			Cure:  "is it cut off? make it again",
			Err:   err,
		}
	}
	names := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		names[i] = c.Name
	}
	if o.Columns == nil {
		if o.Columns, err = onlyColumn(names, o.Key, names); err != nil {
			return nil, err
		}
	}
	p := &parquetSource{names: o.Columns, total: f.Rows, keys: k, skip: o.SkipEmpty}
	for i, name := range columnNames(o) {
		if i == len(o.Columns) {
			i = keyColumn
		}
		at, err := namedLeaf(name, names)
		if err != nil {
			return nil, err
		}
		l := &leaf{Column: f.Columns[at], r: f.Reader(f.Columns[at]), column: i}
		if err := l.check(); err != nil {
			return nil, err
		}
		p.leaves = append(p.leaves, l)
	}
	return p, nil
}

// namedLeaf returns the index of the column of a name.
func namedLeaf(name string, names []string) (int, error) {
	i := slices.Index(names, name)
	switch {
	case i < 0:
		return 0, &Error{
			Column: name,
			Cause:  "the file has no column of that name",
			Cure:   "it has " + listed(names),
		}
	case slices.Contains(names[i+1:], name):
		return 0, &Error{
			Column: name,
			Cause:  "two columns have that name",
			Cure:   "write it again with different names",
		}
	}
	return i, nil
}

// check refuses a column whose values are not numbers or cannot be keys.
func (l *leaf) check() error {
	if l.IsList {
		return &Error{Column: l.Name, Cause: "its cells are lists", Cure: "unnest them first"}
	}
	isNumber := l.Meaning <= parquet.Half
	isKey := l.Meaning != parquet.Unknown
	if isNumber || isKey && l.column == keyColumn {
		return nil
	}
	what := "values of type " + l.Logical.Name
	if l.Meaning == parquet.Text {
		what = "texts"
	}
	cause := what + " are not numbers"
	if l.column == keyColumn {
		cause = what + " cannot be keys"
	}
	return &Error{Column: l.Name, Cause: cause, Cure: "convert them to float64 or to integers"}
}

func (p *parquetSource) columns() []string        { return p.names }
func (p *parquetSource) rows() int64              { return p.total }
func (p *parquetSource) progress() (int64, int64) { return p.done, p.total }

func (p *parquetSource) floats() fp.Format {
	switch l := p.leaves[0]; {
	case l.Meaning == parquet.Half:
		return fp.Binary16
	case l.Physical == parquet.Double:
		return fp.Binary64
	case l.Physical == parquet.Float:
		return fp.Binary32
	}
	return 0
}

func (p *parquetSource) close() error {
	for _, l := range p.leaves {
		l.r.Close()
	}
	return nil
}

func (p *parquetSource) read(b *Block) (int, error) {
	n := int(min(int64(b.Rows()), p.total-p.done))
	for _, l := range p.leaves {
		c := &p.key
		if l.column != keyColumn {
			c = &b.Columns[l.column]
		} else {
			c.Values, c.Empty = sized(c.Values, b.Rows()), c.Empty[:0]
		}
		if err := l.read(c, n, p.keys, b.Keys); err != nil {
			return 0, l.placed(err, p.done)
		}
		if len(c.Empty) > 0 && !p.skip {
			return 0, &Error{
				Row:    p.done + int64(c.Empty[0]) + 1,
				Column: l.Name,
				Cause:  "the cell is empty (null)",
				Cure:   "fill it, or add --skip-empty",
			}
		}
	}
	p.skipEmptyKeys(b)
	p.done += int64(n)
	if n == 0 {
		return 0, p.checkEnd()
	}
	return n, nil
}

// checkEnd has the last pages checked.
func (p *parquetSource) checkEnd() error {
	for _, l := range p.leaves {
		if _, err := l.r.Next(make([]bool, 1)); err != io.EOF {
			if err == nil {
				err = errors.New("it has more rows than the file")
			}
			return l.placed(err, p.done)
		}
	}
	return nil
}

// skipEmptyKeys makes the rows without a key empty.
func (p *parquetSource) skipEmptyKeys(b *Block) {
	if p.keys == nil || len(p.key.Empty) == 0 {
		return
	}
	for j := range b.Columns {
		c := &b.Columns[j]
		for _, i := range p.key.Empty {
			c.setEmpty(i)
		}
		slices.Sort(c.Empty)
		c.Empty = slices.Compact(c.Empty)
	}
}

// placed adds the place to an error.
func (l *leaf) placed(err error, row int64) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &Error{
		Row:    row + 1,
		Column: l.Name,
		Cause:  "from here on it cannot be read as a parquet file",
		Cure:   "it is damaged, or its writer is wrong: make it again",
		Err:    err,
	}
}

// read reads n rows of numbers into c, or of keys into ids.
func (l *leaf) read(c *Column, n int, k *keys, ids []int) error {
	isKey := l.column == keyColumn
	if l.Meaning == parquet.Decimal && !isKey {
		c.decimal(l.Scale)
	}
	l.valid = sized(l.valid, n)
	for i := 0; i < n; {
		m, err := l.r.Next(l.valid[i:n])
		if err != nil {
			return err
		}
		for j, valid := range l.valid[i : i+m] {
			if !valid {
				c.setEmpty(i + j)
			}
		}
		if isKey {
			err = l.readKeys(l.valid[i:i+m], ids[i:i+m], k)
		} else {
			err = l.readNumbers(c, i, l.valid[i:i+m])
		}
		if err != nil {
			return err
		}
		i += m
	}
	return nil
}

// readNumbers sets the numbers from at on that are valid.
func (l *leaf) readNumbers(c *Column, at int, valid []bool) error {
	n := parquet.Count(valid)
	if !l.IsWords() {
		for i, ok := range valid {
			if !ok {
				continue
			}
			v, err := l.r.Bytes()
			if err == nil {
				err = l.setBytes(c, at+i, v)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	l.words = sized(l.words, n)
	if err := l.r.Words(l.words); err != nil {
		return err
	}
	if n == len(valid) && l.Physical == parquet.Double {
		for i, w := range l.words {
			c.Values[at+i] = math.Float64frombits(w)
		}
		return nil
	}
	words := l.words
	for i, ok := range valid {
		if ok {
			l.setWord(c, at+i, words[0])
			words = words[1:]
		}
	}
	return nil
}

// integer returns the sign and the magnitude of an integer.
func (l *leaf) integer(w uint64) (negative bool, m uint64) {
	if l.Meaning == parquet.Unsigned || l.Physical == parquet.Boolean {
		return false, w
	}
	v := int64(w)
	if l.Physical == parquet.Int32 {
		v = int64(int32(w))
	}
	if v < 0 {
		return true, -uint64(v)
	}
	return false, uint64(v)
}

// float returns the value of a float.
func (l *leaf) float(w uint64) float64 {
	if l.Physical == parquet.Float {
		return float64(math.Float32frombits(uint32(w)))
	}
	return math.Float64frombits(w)
}

func (l *leaf) isFloat() bool {
	return l.Physical == parquet.Float || l.Physical == parquet.Double
}

// setWord sets number i.
func (l *leaf) setWord(c *Column, i int, w uint64) {
	if l.isFloat() {
		c.Values[i] = l.float(w)
		return
	}
	negative, m := l.integer(w)
	if l.Meaning == parquet.Decimal {
		c.setUnits(i, negative, m)
		return
	}
	c.setInt(i, negative, m)
}

// setBytes sets number i.
func (l *leaf) setBytes(c *Column, i int, v []byte) error {
	if l.Meaning == parquet.Half {
		c.Values[i] = fp.Binary16.FromBits(uint64(v[0]) | uint64(v[1])<<8)
		return nil
	}
	const maxBytes = 64
	if len(v) == 0 || len(v) > maxBytes {
		return fmt.Errorf("a decimal has %d bytes, and 1 to %d are read", len(v), maxBytes)
	}
	c.setBigUnits(i, v)
	return nil
}
