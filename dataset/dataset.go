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

// Header decides whether the first line of a text names its columns.
type Header uint8

// DetectHeader decides from the whole first line, and refuses where both
// answers are possible, so that no row is lost and no name is summed.
//
//   - The line is a header if a column can only be meant by its name: it is asked
//     for by a word, or by a number that is larger than the number of columns and
//     stands in the line.
//   - It is data if it holds no word. A word is a cell that is not a number, does
//     not begin as one, and is not a word for a missing value. The column of keys
//     does not count: keys are words.
//   - It is a header if it holds a word in a column asked for, and a number in none
//     of them.
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
	return (format == "npy" || format == "raw") && !isCompressed(name)
}

// FormatOf returns the format as which a file of that name is read, or "".
func (o Options) FormatOf(name string) string {
	if o.Format != "" {
		return o.Format
	}
	return formatOf(name)
}

// formatOf returns the format that the end of a name stands for: x.csv.gz is
// CSV.
func formatOf(name string) string {
	if isCompressed(name) {
		name = name[:len(name)-len(gzipExt)]
	}
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
