package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// formats are the names of formats, and the extensions of their files.
var formats = []string{"npy", "npz", "csv", "tsv", "parquet", "raw", "netcdf", "hdf5"}

// Formats returns the names that Options.Format takes.
func Formats() []string { return slices.Clone(formats) }

// Options select the columns of a file, and describe how to read it.
type Options struct {
	// Format is one of Formats; "" for the one of the file's name.
	Format string
	// Columns are the columns to read, in this order, by name or by number from
	// 1: 2 or #2. None means the only column, or of an array every value.
	Columns []string
	// Key is the column whose cells are the keys of the rows; "" for none.
	Key string
	// Stdin is read for the file name "-".
	Stdin io.Reader
	// SkipEmpty leaves out cells without a value, which are an error otherwise:
	// empty ones, nulls, and in a text NA, N/A, n/a, null, NULL, None and none.
	SkipEmpty bool

	// SkipNaN leaves out numbers that are NaN.
	SkipNaN bool

	// Header decides whether the first line of a text names the columns.
	Header Header
	// Separator is the byte between the cells of a text; 0 for the format's
	// own, or for ';' in a CSV file whose decimal mark is ','. A blank means
	// any number of blanks and tabs, and comments from a #.
	Separator byte
	// Marks describe the numbers of a text.
	Marks Marks

	// DType is the type of raw values, one of DTypes; "" for f64.
	DType string
	// BigEndian is their byte order.
	BigEndian bool
	// Offset is the number of bytes before raw values.
	Offset int64
	// RecordMarks is the number of bytes of the marks around the records of a
	// raw file that Fortran wrote: 4 or 8. Where it is 0, a file that seems to
	// have such marks is an error, and NoRecordMarks reads it nevertheless.
	RecordMarks int

	// Foreign opens variables of netCDF and HDF5 files, which are an error
	// without it.
	Foreign func(ForeignRequest) (*Foreign, error)
	// Packed reads the numbers that a netCDF or HDF5 file stores, without its
	// scale_factor and add_offset.
	Packed bool
	// KeepFill reads fill values, which are empty cells otherwise, as numbers.
	KeepFill bool

	// Part selects the rows of a .npy or raw file to read: from, …, to−1,
	// counted from 0, of the number of rows it has. nil selects all.
	Part func(rows int64) (from, to int64)
}

// Header decides whether the first line of a text names its columns.
type Header uint8

// DetectHeader decides from the whole first line, and refuses where both
// answers are possible, so that no row is lost and no name is summed.
//
//   - The line is a header if a column can only be meant by its name: it is
//     asked for by a word, or by a number that is larger than the number of
//     columns and is a cell of the line.
//   - It is data if it holds no word. A word is a cell that is not a number,
//     does not begin as one, and is not a word for a missing value. The column
//     of keys does not count: keys are words.
//   - It is a header if it holds a word in a column asked for, and a number in
//     none of them.
//   - It is an error if it holds a word, and a number in a column asked for:
//     WithHeader or NoHeader decide.
//   - It is data otherwise: a cell asked for is missing or malformed.
//
// In a header, a number that is also the name of another column is an error; #2
// always means the second column.
const (
	DetectHeader Header = iota
	WithHeader
	NoHeader
)

// A Reader reads the rows of a file in order, in memory that does not depend on
// their number. Several goroutines must not use it at once.
type Reader struct {
	name   string
	src    source
	file   *os.File
	keys   *keys
	skip   bool // leaves out NaN
	failed error
}

// A source reads the rows of one format.
type source interface {
	// columns returns the names of the columns that are read.
	columns() []string
	// rows returns the number of rows, −1 if it is unknown before the end.
	rows() int64
	// read fills up to len(b.Columns[0].Values) rows and the keys' numbers, and
	// returns the number of rows; 0 at the end.
	read(b *Block) (int, error)
	// floats returns the format of the floats in the first column, 0 for
	// integers and booleans.
	floats() fp.Format
	// progress returns the amount read and the total, which is 0 if unknown.
	progress() (done, total int64)
	close() error
}

// Open opens a file, or for "-" Options.Stdin, and reads as much of it as its
// columns need. The error is an *Error.
func Open(name string, o Options) (*Reader, error) {
	in, err := openInput(name, o.Stdin)
	if err != nil {
		return nil, err
	}
	r := &Reader{name: name, file: in.file, skip: o.SkipNaN}
	if o.Key != "" {
		r.keys = newKeys()
	}
	r.src, err = open(in, o, r.keys)
	if err != nil {
		in.close()
		return nil, placed(name, err)
	}
	return r, nil
}

func open(in *input, o Options, k *keys) (source, error) {
	format := o.openedAs(in.name)
	if o.Part != nil && !o.Splits(in.name) {
		return nil, &Error{
			Cause: "only of a .npy or a raw file can a part be read",
			Cure:  "convert it",
		}
	}
	switch format {
	case "npy":
		return openNPY(in, o, k)
	case "npz":
		return openNPZ(in, o, k)
	case "csv", "tsv":
		return openText(in, o, k)
	case "parquet":
		return openParquet(in, o, k)
	case "raw":
		return openRaw(in, o, k)
	case "netcdf", "hdf5":
		return openForeign(in, o, format, k)
	case "":
		return nil, nameless(in.name)
	}
	return nil, &Error{
		Cause: fmt.Sprintf("there is no format %q", format),
		Cure:  "use " + strings.Join(formats, ", or "),
	}
}

// nameless returns the error of a file without a format.
func nameless(name string) error {
	e := &Error{
		Cause: "its name does not show its format",
		Cure:  "add --format " + strings.Join(formats, ", or "),
	}
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(name, gzipExt))) {
	case ".txt", ".dat", ".out", ".asc":
		e.Cure += "; for a text, --separator: ' ' for columns aligned by blanks"
	}
	return e
}

// Splits reports whether a part of a file of that name can be read.
func (o Options) Splits(name string) bool {
	format := o.FormatOf(name)
	isWhole := format == "npy" || format == "raw" && o.RecordMarks <= 0
	return isWhole && !isCompressed(name)
}

// FormatOf returns the format that a file of that name is read in, or "".
func (o Options) FormatOf(name string) string {
	if o.Format != "" {
		return o.Format
	}
	return formatOf(name)
}

// openedAs returns the format that a file is opened in: one whose name shows
// none is a text if its separator is given.
func (o Options) openedAs(name string) string {
	format := o.FormatOf(name)
	if format == "" && o.Separator != 0 && name != "-" {
		return "csv"
	}
	return format
}

// IsText reports whether a file of that name is opened as a text.
func (o Options) IsText(name string) bool {
	format := o.openedAs(name)
	return format == "csv" || format == "tsv"
}

// formatOf returns the format of the end of a name: x.csv.gz is
// CSV.
func formatOf(name string) string {
	if isCompressed(name) {
		name = name[:len(name)-len(gzipExt)]
	}
	switch ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), "."); ext {
	case "bin":
		return "raw"
	case "nc", "nc4", "cdf":
		return "netcdf"
	case "h5", "he5", "hdf":
		return "hdf5"
	default:
		if slices.Contains(formats, ext) {
			return ext
		}
	}
	return ""
}

// Name returns the name of the file.
func (r *Reader) Name() string { return r.name }

// Columns returns the columns that are read: their names if they have any,
// otherwise their numbers; "" where every value of an array is read.
func (r *Reader) Columns() []string { return r.src.columns() }

// Rows returns the number of rows to read, or −1 if it is unknown before the
// end.
func (r *Reader) Rows() int64 { return r.src.rows() }

// Shape returns the shape of the array whose values are the rows, and whether
// its first index runs fastest in the file. It is nil for a file without one.
func (r *Reader) Shape() (shape []int, fortran bool) {
	f := r.form()
	return slices.Clone(f.shape), f.fortran
}

// FloatFormat returns the format that the file stores the floats of its first
// column in: binary64 for a text, whose cells become that. It is 0 for numbers
// of another kind.
func (r *Reader) FloatFormat() fp.Format { return r.src.floats() }

// Notes returns sentences about how values were computed from what the file
// stores.
func (r *Reader) Notes() []string {
	switch s := r.src.(type) {
	case *foreign:
		return s.notes
	case *pair:
		return slices.Concat(s.a.Notes(), s.b.Notes())
	}
	return nil
}

// Progress returns the amount read and the total, in some unit. An unknown
// total is 0.
func (r *Reader) Progress() (done, total int64) { return r.src.progress() }

// Close closes the file.
func (r *Reader) Close() error {
	err := r.src.close()
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	return err
}

// Next reads the next rows into b, as many as fit, and reuses its memory. It
// returns io.EOF if there are none. Any other error is an *Error, which later
// calls return again.
func (r *Reader) Next(b *Block) error {
	if r.failed != nil {
		return r.failed
	}
	b.prepare(len(r.src.columns()), r.keys != nil)
	n, err := r.fill(b)
	if err == nil && n == 0 {
		err = io.EOF
	}
	if err != nil {
		r.failed = err
		return err
	}
	b.cut(n)
	if r.skip {
		for i := range b.Columns {
			b.Columns[i].skipNaN()
		}
	}
	if r.keys != nil {
		b.Fresh = r.keys.fresh()
	}
	return nil
}

// fill reads rows into a prepared block, and returns their number.
func (r *Reader) fill(b *Block) (int, error) {
	n, err := r.src.read(b)
	if err != nil {
		return 0, placed(r.name, err)
	}
	return n, nil
}

// An Error describes a fault in a file, and its place.
type Error struct {
	File   string
	Line   int64  // of a text, from 1; 0 if no line is at fault
	Row    int64  // from 1; 0 if no row is at fault
	Column string // "" if no column is at fault
	Cause  string
	Cure   string // may be empty
	Err    error  // the error behind it, may be nil
}

// Place returns where the error is: data.csv:7, column price.
func (e *Error) Place() string {
	s := e.File
	if e.Line > 0 {
		s += ":" + strconv.FormatInt(e.Line, 10)
	}
	if e.Row > 0 {
		s += ", row " + strconv.FormatInt(e.Row, 10)
	}
	if e.Column != "" {
		s += ", column " + e.Column
	}
	return s
}

// Error returns the place, the cause and the cure.
func (e *Error) Error() string {
	s := "dataset: " + e.Cause
	if place := e.Place(); place != "" {
		s = "dataset: " + place + ": " + e.Cause
	}
	if e.Err != nil {
		s += " (" + e.Err.Error() + ")"
	}
	if e.Cure != "" {
		s += "; " + e.Cure
	}
	return s
}

// Unwrap returns the error behind it.
func (e *Error) Unwrap() error { return e.Err }

// placed makes an Error about a file of any error except io.EOF.
func placed(name string, err error) error {
	if err == io.EOF {
		return err
	}
	var e *Error
	if !errors.As(err, &e) {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		e := &Error{File: name, Cause: "it cannot be read", Err: err}
		if errors.Is(err, fs.ErrNotExist) {
			e.Cure = "check the path"
		}
		return e
	}
	if e.File == "" {
		e.File = name
	}
	return e
}
