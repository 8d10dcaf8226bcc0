package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A ForeignRequest asks for variables of a netCDF or HDF5 file.
type ForeignRequest struct {
	File string
	// Columns are the variables, by their paths; none for the only one.
	Columns []string
	// NetCDF is set where the file is to be read by the conventions of netCDF.
	NetCDF bool
	// Packed and KeepFill have the meaning that they have in Options.
	Packed, KeepFill bool
}

// A Foreign is variables of one shape.
type Foreign struct {
	Shape   []int
	Columns []ForeignColumn
	// Notes are sentences for the user about how values were computed.
	Notes []string
	// Rows has the values of all variables for each element, in C's order; a
	// masked value is followed by a byte. Its end has to be io.EOF only if all
	// was read.
	Rows io.ReadCloser
}

// A ForeignColumn describes the values of a variable.
type ForeignColumn struct {
	Name string
	// Type is a type of NumPy, as "<f4".
	Type string
	// Masked is set if a byte follows each value: one of the reasons below.
	Masked bool
}

// Why a value is missing, in the byte after it.
const (
	present     = iota
	isFill      // it is the variable's _FillValue or a missing_value
	isDefault   // it is netCDF's fill value, and the variable has none of its own
	outOfBounds // it is outside the variable's valid range
)

// foreign is a source of variables.
type foreign struct {
	table
	notes []string
	masks []mask
	skip  bool
}

// A mask is the place of a byte in every row.
type mask struct{ pick }

// openForeign opens variables of a netCDF or HDF5 file.
func openForeign(in *input, o Options, format string, k *keys) (source, error) {
	if in.at == nil {
		what := map[string]string{"netcdf": "a netCDF file", "hdf5": "an HDF5 file"}
		return nil, in.needsFile(what[format])
	}
	if o.Foreign == nil {
		return nil, &Error{Cause: "this program does not read netCDF and HDF5 files",
			Cure: "convert it"}
	}
	f, err := o.Foreign(ForeignRequest{File: in.name, Columns: columnNames(o),
		NetCDF: format == "netcdf", Packed: o.Packed, KeepFill: o.KeepFill})
	if err != nil {
		return nil, err
	}
	s, err := newForeign(f, o, k)
	if err != nil {
		f.Rows.Close()
		return nil, err
	}
	return s, nil
}

func newForeign(f *Foreign, o Options, k *keys) (*foreign, error) {
	s := &foreign{notes: f.Notes, skip: o.SkipEmpty}
	rows := int64(1)
	for _, d := range f.Shape {
		if d < 0 || d > 0 && rows > math.MaxInt64/int64(d) {
			return nil, &Error{Cause: "its shape " + shapeText(f.Shape) + " is too large"}
		}
		rows *= int64(d)
	}
	l := &lane{r: bufio.NewReaderSize(f.Rows, laneBuffer), ends: true, close: f.Rows.Close}
	for i, c := range f.Columns {
		enc, err := numpyEncoding(c.Type)
		if err != nil {
			return nil, err
		}
		p := pick{column: i, enc: enc, offset: l.width, name: c.Name}
		if k != nil && i == len(f.Columns)-1 {
			p.column = keyColumn
		} else {
			s.names = append(s.names, c.Name)
		}
		l.picks = append(l.picks, p)
		l.width += enc.bytes
		if c.Masked {
			p.offset = l.width
			s.masks = append(s.masks, mask{p})
			l.width++
		}
	}
	if len(s.names) == 0 {
		return nil, &Error{Cause: "its only column is the key", Cure: noColumn}
	}
	s.total, s.keys, s.lanes = rows, k, []*lane{l}
	s.form = form{rows: rows, shape: slices.Clone(f.Shape)}
	if s.form.shape == nil {
		s.form.shape = []int{}
	}
	l.after = s.mark
	return s, nil
}

// mark makes the rows from at on, in the bytes of a lane, empty where a mask is
// set.
func (s *foreign) mark(b *Block, at, rows int, l *lane) error {
	for _, m := range s.masks {
		for i := range rows {
			why := l.buf[i*l.width+m.offset]
			if why == present {
				continue
			}
			if !s.skip || m.column == keyColumn {
				return s.missing(m, s.done+int64(at+i)+1, why)
			}
			b.Columns[m.column].setEmpty(at + i)
		}
	}
	return nil
}

// missing returns the error of a value that is missing.
func (s *foreign) missing(m mask, row int64, why byte) error {
	e := &Error{Row: row, Column: m.name, Cure: "add --skip-empty to leave such values out"}
	switch why {
	case isFill:
		e.Cause = "the value is missing: it is the _FillValue or missing_value"
	case isDefault:
		e.Cause = "the value was never written: it is netCDF's default fill value"
	case outOfBounds:
		e.Cause = "the value is outside the variable's valid range (valid_min, valid_max or " +
			"valid_range)"
	default:
		return errors.New("a byte of a mask is wrong")
	}
	if m.column == keyColumn {
		e.Cure = "name a key without missing values"
	}
	if len(s.form.shape) > 1 {
		e.Cause += fmt.Sprintf(", at %v", s.index(row-1))
	}
	return e
}

// index returns the index of an element in C's order.
func (s *foreign) index(k int64) []int64 {
	index := make([]int64, len(s.form.shape))
	for i, d := range slices.Backward(s.form.shape) {
		index[i] = k % int64(d)
		k /= int64(d)
	}
	return index
}
