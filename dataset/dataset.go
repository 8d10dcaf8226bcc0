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
)

// formats are the names of formats, and of the ends of files' names.
var formats = []string{"npy", "npz", "csv", "tsv", "parquet", "raw"}

// Formats returns the names that Options.Format takes.
func Formats() []string { return slices.Clone(formats) }

// Options say what of a file is read, and how.
type Options struct {
	// Format is one of Formats; "" tells it by the file's name.
	Format string
	// Columns are names, or numbers from 1, of the columns that are read, in this
	// order. None means the only one that there is, or, of an array, every value.
	Columns []string
	// Key is the column whose cells are the keys of the rows; "" if there is none.
	Key string
	// Stdin is what the file name "-" reads.
	Stdin io.Reader
	// SkipEmpty takes an empty cell for no value, instead of an error, and so NA, N/A,
	// n/a, null, NULL, None and none in a text.
	SkipEmpty bool

	// Header says whether the first line of a text names the columns.
	Header Header
	// Separator stands between the cells of a text; 0 is that of the format.
	Separator byte

	// DType is the type of raw values, one of DTypes; "" is f64.
	DType string
	// BigEndian is their byte order.
	BigEndian bool

	// Part, if not nil, tells for a number of rows which are read of a .npy or raw file:
	// from, …, to−1, counted from 0.
	Part func(rows int64) (from, to int64)
}

// Header says whether the first line of a text names its columns.
type Header uint8

// DetectHeader takes the first line for names if a column is asked for by its name, or
// if a cell of the columns asked for is no number, does not begin like one and stands
// for no missing value. If another of these cells is a number, that is an error: no line
// that could be data is lost.
const (
	DetectHeader Header = iota
	WithHeader
	NoHeader
)

// A Reader reads the rows of a file in order, in memory that does not depend on how
// many there are. It must not be used by several goroutines at once.
type Reader struct {
	name   string
	src    source
	file   *os.File
	keys   *keys
	failed error
}

// source is what a format brings.
type source interface {
	// columns names the columns that are read.
	columns() []string
	// rows is the number of rows, −1 if only the end tells.
	rows() int64
	// read fills up to len(b.Columns[0].Values) rows and the keys' numbers, and returns
	// how many; none at the end.
	read(b *Block) (int, error)
	// progress is how much was read of how much; of 0 if that is not known.
	progress() (done, total int64)
	close() error
}

// Open opens a file, or Options.Stdin as "-", and reads so much of it that its
// columns are known. What is wrong with a file is an Error.
func Open(name string, o Options) (*Reader, error) {
	in, err := openInput(name, o.Stdin)
	if err != nil {
		return nil, err
	}
	r := &Reader{name: name, file: in.file}
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
	format := o.FormatOf(in.name)
	if o.Part != nil && !o.Splits(in.name) {
		return nil, &Error{Cause: "only of a .npy or a raw file can a part be read", Cure: "convert it"}
	}
	switch format {
	case "npy":
		return openNPY(in, o, k)
	case "npz":
		return openNPZ(in, o, k)
	case "csv", "tsv":
		if o.Separator == 0 && format == "tsv" {
			o.Separator = '\t'
		}
		return openText(in, o, k)
	case "parquet":
		return openParquet(in, o, k)
	case "raw":
		return openRaw(in, o, k)
	case "":
		return nil, &Error{Cause: "its name does not tell its format", Cure: "add --format " + strings.Join(formats, ", or ")}
	}
	return nil, &Error{Cause: fmt.Sprintf("there is no format %q", format), Cure: "use " + strings.Join(formats, ", or ")}
}

// Splits reports whether a part of a file of that name can be read.
func (o Options) Splits(name string) bool {
	format := o.FormatOf(name)
	return format == "npy" || format == "raw"
}

// FormatOf returns the format as which a file of that name is read, or "".
func (o Options) FormatOf(name string) string {
	if o.Format != "" {
		return o.Format
	}
	return formatOf(name)
}

// formatOf tells a format by the end of a name.
func formatOf(name string) string {
	switch ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), "."); ext {
	case "bin":
		return "raw"
	default:
		if slices.Contains(formats, ext) {
			return ext
		}
	}
	return ""
}

// Name returns the name of the file.
func (r *Reader) Name() string { return r.name }

// Columns names the columns that are read, by their names if they have any, else by
// their numbers; the name is empty where every value of an array is read.
func (r *Reader) Columns() []string { return r.src.columns() }

// Rows returns the number of rows that are read, or −1 if only the end tells.
func (r *Reader) Rows() int64 { return r.src.rows() }

// Progress returns how much was read of how much, in some unit; of 0 if that is not
// known.
func (r *Reader) Progress() (done, total int64) { return r.src.progress() }

// Close closes the file.
func (r *Reader) Close() error {
	err := r.src.close()
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	return err
}

// Next reads the next rows into b, as many as fit, whose memory it uses again. It
// returns io.EOF when there are no more. After another error, an Error, it returns
// that again.
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
	if r.keys != nil {
		b.Fresh = r.keys.fresh()
	}
	return nil
}

// fill reads rows into a block that is prepared, and returns how many.
func (r *Reader) fill(b *Block) (int, error) {
	n, err := r.src.read(b)
	if err != nil {
		return 0, placed(r.name, err)
	}
	return n, nil
}

// An Error says what is wrong with a file, and where.
type Error struct {
	File   string
	Line   int64  // of a text, from 1; 0 if it is not about a line
	Row    int64  // from 1; 0 if it is not about a row
	Column string // "" if it is not about a column
	Cause  string
	Cure   string // may be empty
	Err    error  // what lies behind it, may be nil
}

// Place says where: data.csv:7, column price.
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

// Error gives the place, the cause and the cure.
func (e *Error) Error() string {
	s := "dataset: " + e.Place() + ": " + e.Cause
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

// placed makes an Error about a file of any error but io.EOF.
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
		return &Error{File: name, Cause: "it cannot be read", Err: err}
	}
	if e.File == "" {
		e.File = name
	}
	return e
}

// input is an open file, or a stream.
type input struct {
	name string
	io.Reader
	file *os.File // nil if it is not ours to close
	// at and size are those of a regular file: nil and −1 of a stream.
	at   io.ReaderAt
	size int64
}

func openInput(name string, stdin io.Reader) (*input, error) {
	if name == "-" {
		if stdin == nil {
			stdin = strings.NewReader("")
		}
		return &input{name: name, Reader: stdin, size: -1}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, placed(name, err)
	}
	in := &input{name: name, Reader: f, file: f, size: -1}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = &Error{Cause: "it is a folder", Cure: "name the files in it"}
	case info.Mode().IsRegular():
		in.at, in.size = f, info.Size()
	}
	if err != nil {
		f.Close()
		return nil, placed(name, err)
	}
	return in, nil
}

func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
}

// needsFile is the error of a format that cannot be read from a stream.
func needsFile(what string) error {
	return &Error{Cause: what + " cannot be read from a stream", Cure: "write it to a file first"}
}

// Pair returns a reader of the columns of a and then those of b, which have as many
// rows; of arrays, the same shape in the same order. It takes both over: closing it
// closes them, and so does an error.
func Pair(a, b *Reader) (*Reader, error) {
	if err := a.form().matches(b.form(), b.name); err != nil {
		a.Close()
		b.Close()
		return nil, placed(a.name, err)
	}
	return &Reader{name: a.name, src: &pair{a: a, b: b}}, nil
}

// form returns how the rows of the whole file are arranged, so far as it is known.
func (r *Reader) form() form {
	if t, ok := r.src.(*table); ok {
		return t.form
	}
	return form{rows: r.src.rows()}
}

// pair is two readers side by side.
type pair struct {
	a, b *Reader
	done int64
}

func (p *pair) columns() []string { return slices.Concat(p.a.Columns(), p.b.Columns()) }

func (p *pair) rows() int64 { return max(p.a.Rows(), p.b.Rows()) }

func (p *pair) progress() (int64, int64) { return p.a.Progress() }

func (p *pair) close() error { return errors.Join(p.a.Close(), p.b.Close()) }

func (p *pair) read(b *Block) (int, error) {
	n := len(p.a.Columns())
	left, right := Block{Columns: b.Columns[:n:n]}, Block{Columns: b.Columns[n:]}
	k, err := p.a.fill(&left)
	if err != nil {
		return 0, err
	}
	m, err := p.b.fill(&right)
	if err == nil && k != m {
		short, long := p.a.name, p.b.name
		if m < k {
			short, long = long, short
		}
		err = &Error{File: short, Cause: fmt.Sprintf("it has %d rows, and %s has more", p.done+int64(min(k, m)), long), Cure: "give columns of as many rows"}
	}
	p.done += int64(k)
	return k, err
}
