package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// text is a source of records: CSV or TSV.
type text struct {
	records *records
	names   []string // of the columns that are read, with the key at the end
	at      []int    // their indices in a record
	cells   int      // of a record that are looked at
	width   int      // number of cells of every record; 0 before the first
	held    bool     // the record that was read last has not been given yet
	keys    *keys
	skip    bool
	size    int64
}

// mostColumns is how many columns a text may have.
const mostColumns = 1 << 20

func openText(in *input, o Options, k *keys) (source, error) {
	if o.Separator == 0 {
		o.Separator = ','
	}
	t := &text{records: newRecords(in, o.Separator), keys: k, skip: o.SkipEmpty, size: max(in.size, 0)}
	n, err := t.records.next(mostColumns)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n > mostColumns {
		return nil, &Error{Line: t.records.line, Cause: fmt.Sprintf("it has %d columns, and %d are the most", n, mostColumns), Cure: "is its separator another? see --separator"}
	}
	t.width, t.held = n, n > 0
	head := make([]string, len(t.records.cells))
	for i, cell := range t.records.cells {
		head[i] = string(bytes.TrimSpace(cell))
	}
	return t, t.choose(o, head)
}

// choose finds the columns asked for, in the first record.
func (t *text) choose(o Options, head []string) error {
	named := slices.ContainsFunc(columnNames(o), func(s string) bool { return !isNumber(s) })
	if named && o.Header == NoHeader {
		return &Error{Cause: "without a header its columns have no names", Cure: "name them by their numbers, from 1"}
	}
	if named {
		o.Header = WithHeader
	}
	if len(o.Columns) == 0 {
		if err := t.chooseOnly(&o, head); err != nil {
			return err
		}
	}
	t.at = t.at[:0]
	for _, name := range columnNames(o) {
		i, err := columnIndex(name, head, t.held)
		if err != nil {
			return err
		}
		t.at = append(t.at, i)
		t.cells = max(t.cells, i+1)
	}
	t.names = slices.Clone(columnNames(o))
	if o.Header == DetectHeader && t.held {
		var err error
		if o.Header, err = t.detect(head, len(o.Columns)); err != nil {
			return err
		}
	}
	if o.Header == WithHeader {
		for j, i := range t.at {
			if i < len(head) && head[i] != "" {
				t.names[j] = head[i]
			}
		}
		t.held = false
	}
	return nil
}

// chooseOnly chooses the only column besides the key.
func (t *text) chooseOnly(o *Options, head []string) error {
	numbers := make([]string, max(len(head), 1))
	for i := range numbers {
		numbers[i] = strconv.Itoa(i + 1)
	}
	key := o.Key
	if i := slices.Index(head, key); i >= 0 && !isNumber(key) {
		key = numbers[i]
	}
	var err error
	if o.Columns, err = onlyColumn(numbers, key); err != nil {
		err.(*Error).Cure = "name one with --column: " + listed(head)
	}
	return err
}

// detect tells whether the first line names the columns: whether one of the first
// columns' cells is a word. If another is a number, either may be meant.
func (t *text) detect(head []string, columns int) (Header, error) {
	var number, word string
	for _, i := range t.at[:columns] {
		_, err := parseNumber([]byte(head[i]))
		switch {
		case err == nil:
			number = head[i]
		case !missing([]byte(head[i])) && strings.IndexByte("0123456789+-.", head[i][0]) < 0:
			word = head[i]
		}
	}
	switch {
	case word == "":
		return NoHeader, nil
	case number == "":
		return WithHeader, nil
	}
	return 0, &Error{Line: 1, Cause: fmt.Sprintf("%q is a word, as in a header, and %q is a number, as in data", word, number), Cure: "add --header or --no-header"}
}

var errNoDecimal = errors.New("it is no decimal number")

// parseNumber returns the float64 nearest to a decimal number, or an infinity or NaN in
// words. Hexadecimal numbers and digits in groups (1_000) are none.
func parseNumber(cell []byte) (float64, error) {
	for _, c := range cell {
		if c == '_' || c == 'x' || c == 'X' {
			return 0, errNoDecimal
		}
	}
	return strconv.ParseFloat(string(cell), 64)
}

// isNumber tells whether a column is named by a number.
func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// columnIndex finds a column by number or name. Of an empty file any number will do.
func columnIndex(name string, head []string, some bool) (int, error) {
	if isNumber(name) {
		if !some && name != "0" {
			return 0, nil
		}
		return columnNumber(name, len(head))
	}
	i := slices.Index(head, name)
	switch {
	case i < 0 && !some:
		return 0, &Error{Line: 1, Column: name, Cause: "the file is empty, without a header", Cure: "give a file with one"}
	case i < 0:
		return 0, &Error{Line: 1, Column: name, Cause: "there is no column of that name", Cure: "the first line names " + listed(head)}
	case slices.Contains(head[i+1:], name):
		return 0, &Error{Line: 1, Column: name, Cause: "two columns have that name", Cure: "name it by its number, from 1"}
	}
	return i, nil
}

func (t *text) columns() []string {
	if t.keys != nil {
		return t.names[:len(t.names)-1]
	}
	return t.names
}

func (t *text) rows() int64              { return -1 }
func (t *text) progress() (int64, int64) { return t.records.read, t.size }
func (t *text) close() error             { return nil }

func (t *text) read(b *Block) (int, error) {
	rows := b.Rows()
	for i := range rows {
		if !t.held {
			n, err := t.records.next(t.cells)
			if err == io.EOF {
				return i, nil
			}
			if err != nil {
				return 0, err
			}
			if n != t.width {
				return 0, &Error{Line: t.records.line, Cause: fmt.Sprintf("%d cells, where the first line has %d", n, t.width), Cure: "give every line as many"}
			}
		}
		t.held = false
		if err := t.row(b, i); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// row sets row i of a block to a record.
func (t *text) row(b *Block, i int) error {
	for j := range b.Columns {
		cell := trimSpace(t.records.cells[t.at[j]])
		x, err := parseNumber(cell)
		if err == nil {
			b.Columns[j].Values[i] = x
			continue
		}
		if t.skip && missing(cell) {
			b.Columns[j].setEmpty(i)
			continue
		}
		return t.wrong(cell, t.names[j], err)
	}
	if t.keys != nil {
		b.Keys[i] = t.keys.text(t.records.cells[t.at[len(t.at)-1]])
	}
	return nil
}

// wrong is the error of a cell that is no number.
func (t *text) wrong(cell []byte, column string, err error) error {
	e := &Error{Line: t.records.line, Column: column}
	const most = 40
	switch {
	case len(cell) == 0:
		e.Cause, e.Cure = "the cell is empty", "fill it, or add --skip-empty"
	case missing(cell):
		e.Cause, e.Cure = fmt.Sprintf("%q stands for a missing value", cell), "fill it, or add --skip-empty"
	case errors.Is(err, strconv.ErrRange):
		e.Cause, e.Cure = fmt.Sprintf("%q is beyond the largest float64", cell[:min(len(cell), most)]), "scale the numbers"
	default:
		e.Cause, e.Cure = fmt.Sprintf("%q is no number", cell[:min(len(cell), most)]), "write numbers as 1234.5 or 1.2345e3"
	}
	return e
}

// missing tells whether a cell has no value: it is empty, or says so.
func missing(cell []byte) bool {
	switch string(cell) {
	case "", "NA", "N/A", "n/a", "null", "NULL", "None", "none":
		return true
	}
	return false
}

// trimSpace cuts spaces and tabs off.
func trimSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}
