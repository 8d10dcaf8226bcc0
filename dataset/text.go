package dataset

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// text is a source of records: CSV or TSV.
type text struct {
	in      *input
	records *records
	names   []string // of the columns that are read, with the key at the end
	at      []int    // their indices in a record
	cells   int      // cells of a record that are looked at
	width   int      // cells of every record; 0 before the first
	held    bool     // the first record is data, and is still to be returned
	keys    *keys
	skip    bool
	marks   Marks
	plain   bool     // numbers are as strtod reads them
	signs   []string // of currency, one for each column that has any
	rivals  *rivals  // nil if the separator was asked for
	// doubtful is set while the separator, which is a mark of numbers too, may
	// have cut every number in two.
	doubtful bool
	cure     string // of an error, if cells seem to have another separator
}

// maxColumns bounds the columns of a text.
const maxColumns = 1 << 20

func openText(in *input, o Options, k *keys) (source, error) {
	if err := o.Marks.Check(); err != nil {
		return nil, err
	}
	isAsked := o.Separator != 0
	o.Separator = o.separator(in.name)
	r, err := textReader(in)
	if err != nil {
		return nil, err
	}
	t := &text{in: in, records: newRecords(r, o.Separator), keys: k, skip: o.SkipEmpty,
		marks: o.Marks}
	t.marks.fortran = o.Separator == ' '
	if !isAsked {
		t.rivals = newRivals(o.Separator, o.Marks)
	}
	n, err := t.records.next(maxColumns)
	if mark := []byte{'s', 'e', 'p', '=', o.Separator}; bytes.EqualFold(t.records.whole, mark) {
		n, err = t.records.next(maxColumns) // the line was for Excel
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n > maxColumns {
		return nil, &Error{
			Line:  t.records.line,
			Cause: fmt.Sprintf("it has %d columns, and %d are the most", n, maxColumns),
			Cure:  "is its separator another? see --separator",
		}
	}
	t.width, t.held = n, n > 0
	head := make([]string, len(t.records.cells))
	for i, cell := range t.records.cells {
		head[i] = string(bytes.TrimSpace(cell))
	}
	if n > 0 {
		rest := string(t.records.buf[t.records.start:t.records.end])
		if n > 1 {
			rest = head[1]
		}
		if err := notText(head[0], rest); err != nil {
			return nil, err
		}
	}
	if n == 1 {
		t.cure = otherSeparator(head[0], o)
	}
	if err := t.choose(o, head); err != nil {
		return nil, t.advise(err)
	}
	t.signs = make([]string, len(t.at))
	if mark := string(rune(o.Separator)); t.held &&
		(mark == string(rune(o.Marks.decimal())) || mark == o.Marks.Thousands) {
		t.doubtful = true
		t.cells++ // the cell after the last, which may belong to its number
	}
	t.plain = t.marks.isPlain() && !t.doubtful
	if !t.held {
		t.rivals.see(t.records.whole, true)
	}
	return t, nil
}

// separator returns the separator of a text: the usual one of its format,
// unless that is the decimal mark.
func (o Options) separator(name string) byte {
	switch {
	case o.Separator != 0:
		return o.Separator
	case o.FormatOf(name) == "tsv":
		return '\t'
	case o.Marks.decimal() == ',':
		return ';'
	}
	return ','
}

// notText refuses a file that is not UTF-8 text, by its first cell and what
// follows.
func notText(cell, rest string) error {
	if strings.HasPrefix(cell, gzipMagic) {
		return &Error{
			Cause: "it is compressed",
			Cure:  "give it a name that ends in .gz, or pipe it through gunzip",
		}
	}
	switch {
	case isWide(cell, rest):
		return wideText()
	case strings.IndexByte(cell, 0) >= 0:
		e := &Error{Line: 1}
		e.Cause, e.Cure = nulByte([]byte(cell))
		return e
	}
	return nil
}

// nulByte returns the cause and the cure of a cell that holds a NUL byte.
func nulByte(cell []byte) (cause, cure string) {
	return fmt.Sprintf("%q holds a NUL byte, and a text has none", cell[:min(len(cell), maxShown)]),
		`write the file again, remove the byte (tr -d '\000'), or name a binary file's --format`
}

// otherSeparators are the separators of texts, the least ambiguous ones first.
const otherSeparators = ";\t|,"

// otherSeparator returns the cure for a text whose first line is one cell: the
// separator that the line seems to have, or "". A mark of numbers is none.
func otherSeparator(line string, o Options) string {
	for i := range len(otherSeparators) {
		s := otherSeparators[i]
		mark := s == o.Marks.decimal() || o.Marks.Thousands == string(rune(s))
		if s != o.Separator && !mark && strings.IndexByte(line, s) >= 0 {
			return separatorCure(s)
		}
	}
	if strings.Contains(strings.TrimSpace(line), "  ") && o.Separator != ' ' {
		return "its cells seem to be separated by blanks: add --separator ' '"
	}
	return ""
}

// separatorCure returns the cure for a text with another separator.
func separatorCure(s byte) string {
	if s == '\t' {
		return "its cells seem to be separated by tabs: add --format tsv"
	}
	return fmt.Sprintf("its cells seem to be separated by %q: add --separator '%c'",
		string(rune(s)), s)
}

// advise replaces the cure of an error about the cells of a text that seem to
// have another separator.
func (t *text) advise(err error) error {
	cure := t.cure
	if cure == "" {
		cure = t.rivals.cure()
	}
	if e, ok := err.(*Error); ok && cure != "" {
		e.Cure = cure
	}
	return err
}

func (t *text) columns() []string {
	if t.keys != nil {
		return t.names[:len(t.names)-1]
	}
	return t.names
}

func (t *text) rows() int64              { return -1 }
func (t *text) progress() (int64, int64) { return t.in.progress() }
func (t *text) close() error             { return nil }
func (t *text) floats() fp.Format        { return fp.Binary64 }

func (t *text) read(b *Block) (int, error) {
	rows := b.Rows()
	for i := range rows {
		if !t.held {
			n, err := t.records.next(t.cells)
			if err == io.EOF {
				return i, t.refuse()
			}
			if err != nil {
				return 0, t.advise(err)
			}
			t.rivals.see(t.records.whole, false)
			if n != t.width {
				return 0, t.advise(&Error{
					Line:  t.records.line,
					Cause: fmt.Sprintf("%d cells, where the first line has %d", n, t.width),
					Cure:  "give every line as many",
				})
			}
		} else {
			t.rivals.see(t.records.whole, false)
		}
		t.held = false
		if err := t.row(b, i); err != nil {
			return 0, t.advise(err)
		}
	}
	return rows, nil
}

// row sets row i of a block to a record.
func (t *text) row(b *Block, i int) error {
	for j := range b.Columns {
		cell := trimSpace(t.records.cells[t.at[j]])
		x, err := t.number(j, cell)
		if err == nil {
			b.Columns[j].Values[i] = x
			continue
		}
		if t.skip && isMissing(cell) {
			b.Columns[j].setEmpty(i)
			continue
		}
		if e, ok := err.(*Error); ok {
			return e
		}
		return t.marks.wrongCell(cell, err, t.records.line, t.names[j])
	}
	if t.keys != nil {
		b.Keys[i] = t.keys.text(t.records.cells[t.at[len(t.at)-1]])
	}
	return nil
}

// number returns the number in the cell of column j.
func (t *text) number(j int, cell []byte) (float64, error) {
	if t.plain {
		return parseNumber(cell)
	}
	x, sign, err := t.marks.parse(cell)
	if err == nil {
		err = t.checkCell(j, sign)
	}
	return x, err
}

// checkCell refuses a number in another currency than those above it, and looks
// for signs that cells are not cut within numbers.
func (t *text) checkCell(j int, currency string) error {
	e := &Error{Line: t.records.line, Column: t.names[j]}
	if currency != "" && t.signs[j] != "" && currency != t.signs[j] {
		e.Cause = fmt.Sprintf("a number in %s follows one in %s", currency, t.signs[j])
		e.Cure = "sum each currency by itself"
		return e
	}
	if currency != "" {
		t.signs[j] = currency
	}
	t.doubtful = t.doubtful && len(t.records.inQuote) == 0 && t.isCut(t.at[j])
	return nil
}

// refuse returns an error about the separator at the end of a text.
func (t *text) refuse() error {
	if t.doubtful && t.records.begun {
		return &Error{
			Cause: fmt.Sprintf("%s separates cells and is a mark of numbers, and no quotes "+
				"show which", separatorName(t.records.separator)),
			Cure: "put numbers with marks in quotes, or separate cells by another character",
		}
	}
	return t.rivals.refuse()
}

// isCut reports whether a cell and its neighbour are digits without quotes, so
// that both may be parts of one number.
func (t *text) isCut(at int) bool {
	isDigits := func(i int) bool {
		r := t.records
		if i < 0 || i >= len(r.cells) || i < len(r.inQuote) && r.inQuote[i] {
			return false
		}
		return isNumeral(trimSpace(r.cells[i]))
	}
	return isDigits(at) && (isDigits(at-1) || isDigits(at+1))
}
