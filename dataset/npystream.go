package dataset

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// npyHead describes the values of a .npy file.
type npyHead struct {
	npyType
	width   int // of a value, in bytes
	shape   []int
	fortran bool
	values  int64
	bytes   int64 // length of the header
}

// readNPYHead reads a header, and nothing after it.
func readNPYHead(b *bufio.Reader) (h npyHead, err error) {
	header, err := readHeader(b)
	if err != nil {
		return h, unreadable(err)
	}
	h.npyType = header.npyType
	if h.width, err = h.size(); err == nil && h.width == 0 {
		err = &Error{Cause: "its values have no bytes", Cure: "write numbers"}
	}
	if err != nil {
		return h, err
	}
	h.bytes, h.shape, h.fortran = header.bytes, header.shape, header.fortran &&
		len(header.shape) > 1
	if h.values, err = header.count(math.MaxInt64 / int64(h.width)); err != nil {
		return h, &Error{Cause: err.Error()}
	}
	return h, nil
}

func unreadable(err error) error {
	return &Error{
		Cause: "it cannot be read as a .npy file",
		Cure:  "write it with numpy.save",
		Err:   err,
	}
}

// openNPY opens an array: one column of all values in the order of the file, or
// columns of a matrix.
func openNPY(in *input, o Options, k *keys) (source, error) {
	b := bufio.NewReaderSize(in, laneBuffer)
	h, err := readNPYHead(b)
	if err != nil {
		return nil, err
	}
	if size := h.bytes + h.values*int64(h.width); in.size >= 0 && in.size != size {
		if in.size > size {
			return nil, trailing()
		}
		return nil, &Error{
			Cause: fmt.Sprintf("the file ends before its %d values do", h.values),
			Cure:  "it is cut off: make it again",
		}
	}
	c, err := h.choose(o)
	if err != nil {
		return nil, err
	}
	if !c.isMatrix {
		return npyValues(in, b, h, c, o, k)
	}
	return npyMatrix(in, b, h, c, o, k)
}

// A choice is the numbers to read of every value of an array, or of every row
// of a matrix.
type choice struct {
	names    []string // without the key
	picks    []pick
	isMatrix bool
}

// choose returns the numbers asked for.
func (h *npyHead) choose(o Options) (c choice, err error) {
	names, parts, ok, err := h.parts(o)
	if err != nil {
		return c, err
	}
	if !ok {
		enc, err := numpyEncoding(h.descr)
		if err != nil || len(columnNames(o)) == 0 {
			return choice{names: []string{""}, picks: []pick{{enc: enc}}}, err
		}
		return h.matrixColumns(o, enc)
	}
	c.names, c.isMatrix = names, parts[0].columns
	o.Columns = names
	for i, p := range parts {
		q := pick{column: i, index: p.column, offset: p.offset, enc: p.enc,
			name: columnNames(o)[i]}
		if i == len(names) {
			q.column = keyColumn
		}
		_, cols, err := h.rowsAndColumns()
		switch {
		case p.columns != c.isMatrix:
			err = &Error{
				Column: q.name,
				Cause:  "a part of every value and one of a column differ in length",
				Cure:   "read them one after the other",
			}
		case p.columns && err == nil && (p.column < 0 || p.column >= cols):
			_, err = columnNumber(strconv.Itoa(p.column+1), cols)
		case !p.columns:
			err = nil
		}
		if err != nil {
			return c, err
		}
		c.picks = append(c.picks, q)
	}
	return c, nil
}

// npyValues returns a source of numbers in all values of an array.
func npyValues(in *input, b io.Reader, h npyHead, c choice, o Options, k *keys) (source, error) {
	from, to, err := cutRows(o, h.values)
	if err != nil {
		return nil, err
	}
	l := &lane{r: b, width: h.width, picks: c.picks, ends: true}
	if in.at != nil {
		l.r, l.ends = section(in, h.bytes, from, to, l.width), false
	} else if o.Part != nil {
		return nil, in.needsFile("a part of an array")
	}
	return &table{names: c.names, total: to - from, form: h.form(), lanes: []*lane{l}, keys: k}, nil
}

// maxRow bounds the bytes in a row of a matrix whose columns are read.
const maxRow = 16 << 20

// rowsAndColumns returns the size of a matrix. A vector is one column.
func (h *npyHead) rowsAndColumns() (rows, cols int, err error) {
	switch len(h.shape) {
	case 0:
		return 1, 1, nil
	case 1:
		return h.shape[0], 1, nil
	case 2:
		return h.shape[0], h.shape[1], nil
	}
	return 0, 0, &Error{
		Cause: fmt.Sprintf("an array of %d dimensions has no columns", len(h.shape)),
		Cure:  "leave the column out to read every value",
	}
}

// npyMatrix returns a source of columns of a matrix.
func npyMatrix(in *input, b io.Reader, h npyHead, c choice, o Options, k *keys) (source, error) {
	rows, cols, err := h.rowsAndColumns()
	if err != nil {
		return nil, err
	}
	from, to, err := cutRows(o, int64(rows))
	if err != nil {
		return nil, err
	}
	if in.at == nil && o.Part != nil {
		return nil, in.needsFile("a part of an array")
	}
	t := &table{names: c.names, total: to - from, form: form{rows: int64(rows)}, keys: k}
	if h.fortran {
		t.lanes, err = columnLanes(in, h, c.picks, rows, from, to)
	} else {
		t.lanes, err = rowLane(in, b, h, c.picks, cols, from, to)
	}
	return t, err
}

// rowLane returns the lane of a matrix that is stored by rows.
func rowLane(
	in *input, b io.Reader, h npyHead, picks []pick, cols int, from, to int64,
) ([]*lane, error) {
	if cols > maxRow/h.width {
		return nil, &Error{
			Cause: fmt.Sprintf("its rows have %d columns, too many to take single ones out", cols),
			Cure:  "write it with order='F'",
		}
	}
	l := &lane{r: b, width: cols * h.width, ends: true}
	for _, p := range picks {
		p.offset += p.index * h.width
		l.picks = append(l.picks, p)
	}
	if in.at != nil {
		l.r, l.ends = section(in, h.bytes, from, to, l.width), false
	}
	return []*lane{l}, nil
}

// columnLanes returns a lane for each column of a matrix that is stored by
// columns.
func columnLanes(in *input, h npyHead, picks []pick, rows int, from, to int64) ([]*lane, error) {
	if in.at == nil {
		return nil, in.needsFile("a column of an array in Fortran order")
	}
	var lanes []*lane
	for _, p := range picks {
		start := int64(p.index) * int64(rows)
		r := section(in, h.bytes, start+from, start+to, h.width)
		lanes = append(lanes, &lane{r: r, width: h.width, picks: []pick{p}})
	}
	return lanes, nil
}

// matrixColumns returns the columns asked for of a matrix of numbers.
func (h *npyHead) matrixColumns(o Options, enc encoding) (choice, error) {
	_, cols, err := h.rowsAndColumns()
	if err == nil && len(o.Columns) == 0 {
		err = &Error{
			Cause: "which of its columns?",
			Cure:  fmt.Sprintf("name one by its number, from 1 to %d", cols),
		}
	}
	if err != nil {
		return choice{}, err
	}
	c := choice{names: o.Columns, isMatrix: true}
	for i, name := range columnNames(o) {
		j, err := columnNumber(name, cols)
		if err != nil {
			return c, err
		}
		if i == len(o.Columns) {
			i = keyColumn
		}
		c.picks = append(c.picks, pick{column: i, index: j, enc: enc, name: name})
	}
	return c, nil
}
