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
	cure    string // of an error, if cells seem to have another separator
}

// maxColumns bounds the columns of a text.
const maxColumns = 1 << 20

func openText(in *input, o Options, k *keys) (source, error) {
	if o.Separator == 0 {
		o.Separator = ','
	}
	t := &text{in: in, records: newRecords(in, o.Separator), keys: k, skip: o.SkipEmpty}
	n, err := t.records.next(maxColumns)
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
	if n > 0 && strings.HasPrefix(head[0], gzipMagic) {
		return nil, &Error{
			Cause: "it is compressed",
			Cure:  "give it a name that ends in .gz, or pipe it through gunzip",
		}
	}
	if n > 0 && isUTF16(head[0]) {
		return nil, &Error{
			Cause: "it is UTF-16 or UTF-32, and texts are read as UTF-8",
			Cure:  "convert it: iconv -f UTF-16 -t UTF-8",
		}
	}
	if n == 1 {
		t.cure = otherSeparator(head[0], o.Separator)
	}
	return t, t.advise(t.choose(o, head))
}

// isUTF16 reports whether a text begins with the mark of its bytes' order, or
// with a character of more bytes, of which one is 0.
func isUTF16(s string) bool {
	return strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") ||
		strings.IndexByte(s[:min(len(s), 4)], 0) >= 0
}

// otherSeparator returns the cure for a text whose first line is one cell: the
// separator that the line seems to have, or "".
func otherSeparator(line string, separator byte) string {
	for _, s := range []string{";", "\t", "|", ","} {
		switch {
		case s[0] == separator || !strings.Contains(line, s):
		case s == "\t":
			return "its cells seem to be separated by tabs: add --format tsv"
		default:
			return fmt.Sprintf("its cells seem to be separated by %q: add --separator '%s'", s, s)
		}
	}
	return ""
}

// advise replaces the cure of an error about the cells of a text that seem to
// have another separator.
func (t *text) advise(err error) error {
	if e, ok := err.(*Error); ok && t.cure != "" {
		e.Cure = t.cure
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
				return i, nil
			}
			if err != nil {
				return 0, err
			}
			if n != t.width {
				return 0, t.advise(&Error{
					Line:  t.records.line,
					Cause: fmt.Sprintf("%d cells, where the first line has %d", n, t.width),
					Cure:  "give every line as many",
				})
			}
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
		x, err := parseNumber(cell)
		if err == nil {
			b.Columns[j].Values[i] = x
			continue
		}
		if t.skip && isMissing(cell) {
			b.Columns[j].setEmpty(i)
			continue
		}
		return wrongCell(cell, err, t.records.line, t.names[j])
	}
	if t.keys != nil {
		b.Keys[i] = t.keys.text(t.records.cells[t.at[len(t.at)-1]])
	}
	return nil
}
