package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A File is an open parquet file.
type File struct {
	Rows    int64
	Columns []*Column // the leaves of the schema, in its order
	at      io.ReaderAt
	end     int64 // of the pages: the start of the footer
	groups  []rowGroup
}

// A Column is a leaf of the schema.
type Column struct {
	Name     string // with the names of the structs around it, and dots
	Physical Physical
	Length   int // of a FixedByteArray
	Logical
	IsList bool // rows have any number of values

	index       int
	maxDef      int
	columnOrder columnOrder
}

const magic = "PAR1"

// Open reads the footer of a file.
func Open(at io.ReaderAt, size int64) (*File, error) {
	const tail = 8
	var end [tail]byte
	if size < tail+int64(len(magic)) {
		return nil, io.ErrUnexpectedEOF
	}
	if _, err := at.ReadAt(end[:], size-tail); err != nil {
		return nil, err
	}
	switch string(end[4:]) {
	case magic:
	case "PARE":
		return nil, errors.New("it is encrypted")
	default:
		return nil, errors.New("it does not end as a parquet file")
	}
	var start [len(magic)]byte
	if _, err := at.ReadAt(start[:], 0); err != nil {
		return nil, err
	}
	if string(start[:]) != magic {
		return nil, errors.New("it does not begin as a parquet file")
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if length > size-tail-int64(len(magic)) {
		return nil, errors.New("its footer is longer than the file")
	}
	footer := make([]byte, length)
	f := &File{at: at, end: size - tail - length}
	if _, err := at.ReadAt(footer, f.end); err != nil {
		return nil, err
	}
	m, err := parseMetadata(footer)
	if err != nil {
		return nil, err
	}
	if m.encrypted {
		return nil, errors.New("it is encrypted")
	}
	f.Rows, f.groups = m.rows, m.groups
	if err := f.checkRows(); err != nil {
		return nil, err
	}
	return f, f.build(&m)
}

// checkRows compares the number of rows with the sum over the row groups.
func (f *File) checkRows() error {
	left := f.Rows
	for _, g := range f.groups {
		if left -= g.rows; g.rows < 0 || left < 0 {
			break
		}
	}
	if left != 0 {
		return errors.New("its row groups have not as many rows as it has")
	}
	return nil
}

var errSchema = errors.New("its schema is damaged")

// build makes the columns of a schema.
func (f *File) build(m *metadata) error {
	if len(m.schema) == 0 || m.schema[0].isLeaf {
		return errSchema
	}
	s := &schemaReader{f: f, left: m.schema[1:]}
	if err := s.children(m.schema[0].children, nil, 0, false, 0); err != nil {
		return err
	}
	if len(s.left) > 0 {
		return errSchema
	}
	for i, c := range f.Columns {
		if i < len(m.orders) {
			c.columnOrder = m.orders[i]
		}
	}
	for _, g := range f.groups {
		if len(g.chunks) != len(f.Columns) {
			return errors.New("a row group has not as many columns as the schema")
		}
	}
	return nil
}

// A schemaReader makes a tree of the list of its nodes, each before its
// children.
type schemaReader struct {
	f    *File
	left []schemaElement
}

func (s *schemaReader) children(n int32, path []string, def int, list bool, depth int) error {
	if depth > maxSchema {
		return errSchema
	}
	for range n {
		if len(s.left) == 0 {
			return errSchema
		}
		e := s.left[0]
		s.left = s.left[1:]
		path, def, list := append(path[:len(path):len(path)], e.name), def, list
		if e.repetition == optional || e.repetition == repeated {
			def++
		}
		list = list || e.repetition == repeated
		var err error
		if e.isLeaf && e.children == 0 {
			err = s.leaf(&e, path, def, list)
		} else {
			err = s.children(e.children, path, def, list, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxSchema bounds the nesting of a schema.
const maxSchema = 100

func (s *schemaReader) leaf(e *schemaElement, path []string, def int, list bool) error {
	isFixed := e.physical == FixedByteArray
	if e.physical < Boolean || e.physical > FixedByteArray || isFixed && e.length <= 0 {
		return errSchema
	}
	s.f.Columns = append(s.f.Columns, &Column{
		Name: strings.Join(path, "."), Physical: e.physical, Length: int(e.length),
		Logical: e.meaning(), IsList: list, index: len(s.f.Columns), maxDef: def,
	})
	return nil
}

// chunk returns the chunk of a column in a row group, and the offset of its
// first page, after checks.
func (f *File) chunk(c *Column, group int) (*chunk, int64, error) {
	g := &f.groups[group]
	k := &g.chunks[c.index]
	start := k.data
	if 0 < k.dictionary && k.dictionary < k.data {
		start = k.dictionary
	}
	switch {
	case k.file:
		return nil, 0, errors.New("its values are in another file")
	case k.encrypted:
		return nil, 0, errors.New("it is encrypted")
	case k.physical != c.Physical:
		return nil, 0, errSchema
	case k.values != g.rows:
		return nil, 0, fmt.Errorf("it has %d values in a row group of %d rows", k.values, g.rows)
	case start < 0 || k.compressed < 0 || start > f.end || k.compressed > f.end-start:
		return nil, 0, errors.New("its pages are beyond the end of the file")
	}
	return k, start, k.codec.check()
}
