package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

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
	name   string
	groups []parquet.RowGroup
	index  int
	kind   leafKind
	column int // of the block; keyColumn for the key

	left   int64 // rows of the row group still to be read
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    []parquet.Value
	double []float64
}

// leafKind is the type of the values of a leaf.
type leafKind uint8

const (
	doubles leafKind = iota
	floats
	int32s
	int64s
	uint32s
	uint64s
	booleans
	texts
)

// guard turns a panic into an error: the decoder of pages trusts its input.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = &Error{
			Cause: "it cannot be read as a parquet file",
			Cure:  "make it again",
			Err:   fmt.Errorf("%v", p),
		}
	}
}

func openParquet(in *input, o Options, k *keys) (src source, err error) {
	defer guard(&err)
	if in.at == nil {
		return nil, in.needsFile("a parquet file")
	}
	if err := checkFooter(in); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(in.at, in.size, parquet.SkipPageIndex(true),
		parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, badParquet(err)
	}
	if err := checkRows(f); err != nil {
		return nil, err
	}
	found := map[string]*parquet.Column{}
	var names []string
	eachLeaf(f.Root(), func(c *parquet.Column) {
		name := strings.Join(c.Path(), ".")
		found[name] = c
		names = append(names, name)
	})
	if o.Columns == nil {
		if o.Columns, err = onlyColumn(names, o.Key, names); err != nil {
			return nil, err
		}
	}
	p := &parquetSource{names: o.Columns, total: f.NumRows(), keys: k, skip: o.SkipEmpty}
	for i, name := range columnNames(o) {
		if i == len(o.Columns) {
			i = keyColumn
		}
		l := &leaf{name: name, groups: f.RowGroups(), column: i}
		if found[name] == nil {
			return nil, &Error{
				Column: name,
				Cause:  "the file has no column of that name",
				Cure:   "it has " + listed(names),
			}
		}
		if err := l.describe(found[name]); err != nil {
			return nil, err
		}
		p.leaves = append(p.leaves, l)
	}
	return p, nil
}

// checkFooter checks the length of the footer before memory is allocated for
// it.
func checkFooter(in *input) error {
	var end [8]byte
	if in.size < 12 {
		return badParquet(io.ErrUnexpectedEOF)
	}
	if _, err := in.at.ReadAt(end[:], in.size-8); err != nil {
		return err
	}
	if string(end[4:]) == "PAR1" && int64(binary.LittleEndian.Uint32(end[:])) > in.size-12 {
		return badParquet(errors.New("its footer is longer than the file"))
	}
	return nil
}

// checkRows compares the number of rows with the sum over the row groups.
func checkRows(f *parquet.File) error {
	left := f.NumRows()
	for _, g := range f.RowGroups() {
		if left -= g.NumRows(); g.NumRows() < 0 || left < 0 {
			break
		}
	}
	if left != 0 {
		return badParquet(errors.New("its row groups have not as many rows as it has"))
	}
	return nil
}

func badParquet(err error) error {
	return &Error{
		Cause: "it cannot be read as a parquet file",
		Cure:  "is it cut off? make it again",
		Err:   err,
	}
}

func eachLeaf(c *parquet.Column, do func(*parquet.Column)) {
	if c.Leaf() {
		do(c)
		return
	}
	for _, child := range c.Columns() {
		eachLeaf(child, do)
	}
}

// describe sets the type of the values of a column.
func (l *leaf) describe(c *parquet.Column) error {
	l.index = int(c.Index())
	refused := func(what string) error {
		return &Error{
			Column: l.name,
			Cause:  what + " are not numbers",
			Cure:   "convert them to float64 or to integers",
		}
	}
	if c.MaxRepetitionLevel() > 0 {
		return &Error{Column: l.name, Cause: "its cells are lists", Cure: "unnest them first"}
	}
	t := c.Type()
	kind, ok := map[parquet.Kind]leafKind{
		parquet.Boolean: booleans, parquet.Int32: int32s, parquet.Int64: int64s,
		parquet.Float: floats, parquet.Double: doubles, parquet.ByteArray: texts,
	}[t.Kind()]
	if !ok {
		return refused("values of type " + t.String())
	}
	l.kind = kind
	var logical format.LogicalTypeValue
	if lt := t.LogicalType(); lt != nil {
		logical = lt.Value
	}
	switch lt := logical.(type) {
	case nil:
	case *format.IntType:
		if !lt.IsSigned {
			l.kind = map[leafKind]leafKind{int32s: uint32s, int64s: uint64s}[kind]
		}
	case *format.StringType, *format.EnumType:
	default:
		return refused("values of type " + t.String())
	}
	if l.kind == texts && l.column != keyColumn {
		return refused("texts")
	}
	return nil
}

func (p *parquetSource) columns() []string        { return p.names }
func (p *parquetSource) rows() int64              { return p.total }
func (p *parquetSource) progress() (int64, int64) { return p.done, p.total }

func (p *parquetSource) floats() fp.Format {
	switch p.leaves[0].kind {
	case doubles:
		return fp.Binary64
	case floats:
		return fp.Binary32
	}
	return 0
}

func (p *parquetSource) close() error {
	for _, l := range p.leaves {
		l.closePages()
	}
	return nil
}

func (p *parquetSource) read(b *Block) (n int, err error) {
	defer guard(&err)
	n = int(min(int64(b.Rows()), p.total-p.done))
	for _, l := range p.leaves {
		c := &p.key
		if l.column != keyColumn {
			c = &b.Columns[l.column]
		} else {
			c.Values, c.Rest, c.Empty = sized(c.Values, b.Rows()), nil, c.Empty[:0]
		}
		for i := 0; i < n; {
			m, err := l.read(c, i, n, p.keys, b.Keys)
			if err != nil {
				return 0, l.placed(err, p.done+int64(i))
			}
			i += m
		}
		if len(c.Empty) > 0 && !p.skip {
			return 0, &Error{
				Row:    p.done + int64(c.Empty[0]) + 1,
				Column: l.name,
				Cause:  "the cell is empty (null)",
				Cure:   "fill it, or add --skip-empty",
			}
		}
	}
	p.skipEmptyKeys(b)
	p.done += int64(n)
	return n, nil
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
	if e, ok := err.(*Error); ok {
		return e
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &Error{
		Row:    row + 1,
		Column: l.name,
		Cause:  "it cannot be read as a parquet file",
		Cure:   "make it again",
		Err:    err,
	}
}

// read sets values i, i+1, … of c, up to n at most, and returns their number.
func (l *leaf) read(c *Column, i, n int, k *keys, ids []int) (int, error) {
	if err := l.advance(); err != nil {
		return 0, err
	}
	want := int(min(int64(n-i), l.left))
	var m int
	var err error
	if r, ok := l.values.(parquet.DoubleReader); ok && l.kind == doubles && l.column != keyColumn {
		m, err = r.ReadDoubles(c.Values[i : i+want])
	} else {
		l.buf = sized(l.buf, min(want, 1024))
		m, err = l.values.ReadValues(l.buf)
		for j, v := range l.buf[:m] {
			switch {
			case v.IsNull():
				c.setEmpty(i + j)
				if l.column == keyColumn {
					ids[i+j] = -1
				}
			case l.kind == texts:
				ids[i+j] = k.text(v.ByteArray())
			default:
				l.set(c, i+j, v)
				if l.column == keyColumn {
					ids[i+j] = k.number(c, i+j, l.precision())
				}
			}
		}
	}
	l.left -= int64(m)
	switch {
	case err == io.EOF:
		parquet.Release(l.page)
		l.page, l.values, err = nil, nil, nil
	case m == 0 && err == nil:
		err = io.ErrNoProgress
	}
	return m, err
}

// advance moves on to the next page that has values.
func (l *leaf) advance() error {
	for l.values == nil || l.left == 0 {
		if l.pages == nil || l.left == 0 {
			l.closePages()
			if len(l.groups) == 0 {
				return io.ErrUnexpectedEOF
			}
			l.pages, l.left = l.groups[0].ColumnChunks()[l.index].Pages(), l.groups[0].NumRows()
			l.groups = l.groups[1:]
			continue
		}
		page, err := l.pages.ReadPage()
		if err != nil {
			return err
		}
		l.page, l.values = page, page.Values()
	}
	return nil
}

func (l *leaf) closePages() {
	if l.page != nil {
		parquet.Release(l.page)
	}
	if l.pages != nil {
		l.pages.Close()
	}
	l.page, l.pages, l.values = nil, nil, nil
}

// set sets value i of c.
func (l *leaf) set(c *Column, i int, v parquet.Value) {
	switch l.kind {
	case doubles:
		c.Values[i] = v.Double()
	case floats:
		c.Values[i] = float64(v.Float())
	case int32s:
		c.Values[i] = float64(v.Int32())
	case uint32s:
		c.Values[i] = float64(v.Uint32())
	case int64s:
		w := v.Int64()
		if w < 0 {
			c.setInt(i, true, -uint64(w))
			return
		}
		c.setInt(i, false, uint64(w))
	case uint64s:
		c.setInt(i, false, v.Uint64())
	case booleans:
		c.Values[i] = 0
		if v.Boolean() {
			c.Values[i] = 1
		}
	}
}

func (l *leaf) precision() int {
	if l.kind == floats {
		return 32
	}
	return 64
}
