package dataset

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// npyHead describes the values of a .npy file.
type npyHead struct {
	enc     encoding
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
	if h.enc, err = numpyEncoding(header.descr); err != nil {
		return h, err
	}
	h.bytes, h.shape, h.fortran = header.bytes, header.shape, header.fortran &&
		len(header.shape) > 1
	if h.values, err = header.count(math.MaxInt64 / int64(h.enc.bytes)); err != nil {
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
	if size := h.bytes + h.values*int64(h.enc.bytes); in.size >= 0 && in.size != size {
		if in.size > size {
			return nil, trailing()
		}
		return nil, &Error{
			Cause: fmt.Sprintf("the file ends before its %d values do", h.values),
			Cure:  "it is cut off: make it again",
		}
	}
	if len(columnNames(o)) == 0 {
		return npyValues(in, b, h, o)
	}
	return npyMatrix(in, b, h, o, k)
}

// npyValues returns a source of all values of an array.
func npyValues(in *input, b io.Reader, h npyHead, o Options) (source, error) {
	from, to, err := cutRows(o, h.values)
	if err != nil {
		return nil, err
	}
	l := &lane{r: b, enc: h.enc, width: h.enc.bytes, picks: []pick{{}}, ends: true}
	if in.at != nil {
		l.r, l.ends = section(in, h.bytes, from, to, l.width), false
	} else if o.Part != nil {
		return nil, in.needsFile("a part of an array")
	}
	return &table{names: []string{""}, total: to - from, form: h.form(), lanes: []*lane{l}}, nil
}

// maxRow bounds the bytes in a row of a matrix whose columns are read.
const maxRow = 16 << 20

// npyMatrix returns a source of columns of a matrix. A vector is one column.
func npyMatrix(in *input, b io.Reader, h npyHead, o Options, k *keys) (source, error) {
	rows, cols := 1, 1
	switch len(h.shape) {
	case 1:
		rows = h.shape[0]
	case 2:
		rows, cols = h.shape[0], h.shape[1]
	default:
		return nil, &Error{
			Cause: fmt.Sprintf("an array of %d dimensions has no columns", len(h.shape)),
			Cure:  "leave the column out to read every value",
		}
	}
	picks, err := npyPicks(o, cols)
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
	t := &table{names: o.Columns, total: to - from, form: form{rows: int64(rows)}, keys: k}
	if h.fortran {
		t.lanes, err = columnLanes(in, h, picks, rows, from, to)
	} else {
		t.lanes, err = rowLane(in, b, h, picks, cols, from, to)
	}
	return t, err
}

// rowLane returns the lane of a matrix that is stored by rows.
func rowLane(
	in *input, b io.Reader, h npyHead, picks []pick, cols int, from, to int64,
) ([]*lane, error) {
	if cols > maxRow/h.enc.bytes {
		return nil, &Error{
			Cause: fmt.Sprintf("its rows have %d columns, too many to take single ones out", cols),
			Cure:  "write it with order='F'",
		}
	}
	l := &lane{r: b, enc: h.enc, width: cols * h.enc.bytes, ends: true}
	for _, p := range picks {
		p.offset *= h.enc.bytes
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
		start := int64(p.offset) * int64(rows)
		p.offset = 0
		r := section(in, h.bytes, start+from, start+to, h.enc.bytes)
		lanes = append(lanes, &lane{r: r, enc: h.enc, width: h.enc.bytes, picks: []pick{p}})
	}
	return lanes, nil
}

// npyPicks returns the columns asked for, with their indices as offsets.
func npyPicks(o Options, cols int) ([]pick, error) {
	if len(o.Columns) == 0 {
		return nil, &Error{
			Cause: "which of its columns?",
			Cure:  fmt.Sprintf("name one by its number, from 1 to %d", cols),
		}
	}
	var picks []pick
	for i, name := range columnNames(o) {
		j, err := columnNumber(name, cols)
		if err != nil {
			return nil, err
		}
		if i == len(o.Columns) {
			i = keyColumn
		}
		picks = append(picks, pick{column: i, offset: j, name: name})
	}
	return picks, nil
}
