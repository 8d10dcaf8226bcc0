package sqlsum

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/dataset"
)

// rowNames are the columns of a result.
var rowNames = []string{
	"lastbit", "total", "part", "place", "n", "l0", "l1", "l2", "l3", "top", "chk",
}

// A row is one row of a result.
type row struct {
	mark    string // and the keys
	numbers [10]int64
}

// The numbers of a row.
const (
	atTotal = iota
	atPart
	atPlace
	atN
	atLimb // the first of four
	atTop  = atLimb + 4
	atChk  = atTop + 1
)

// Formats are the formats that results are read in.
func Formats() []string { return []string{"csv", "tsv", "json", "parquet"} }

// A source reads rows, up to io.EOF.
type source interface {
	next() (row, error)
}

// open returns the rows of a result in a format, or for "" in one that its
// first bytes show.
func open(in io.Reader, format string) (source, error) {
	b := bufio.NewReaderSize(in, 1<<16)
	mark, _ := b.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, errors.New("it is a text in UTF-16: write it in UTF-8")
	case string(mark) == "\xef\xbb\xbf":
		b.Discard(3)
	}
	if format == "" {
		format = formatOf(b)
	}
	switch format {
	case "json":
		return newJSONRows(b), nil
	case "parquet":
		return newParquetRows(b)
	case "tsv":
		return &textRows{read: tabbed(b)}, nil
	}
	r := csv.NewReader(b)
	if line := firstLine(b); bytes.ContainsRune(line, ';') && !bytes.ContainsRune(line, ',') {
		r.Comma = ';'
	}
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	return &textRows{read: r.Read}, nil
}

// formatOf returns the format of a result by its first line.
func formatOf(b *bufio.Reader) string {
	head, _ := b.Peek(4096)
	switch start := bytes.TrimLeft(head, " \r\n\t"); {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "parquet"
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return "json"
	}
	if bytes.ContainsRune(firstLine(b), '\t') {
		return "tsv"
	}
	return "csv"
}

// firstLine returns the first line that is not empty, or its beginning.
func firstLine(b *bufio.Reader) []byte {
	head, _ := b.Peek(4096)
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	return line
}

// tabbed returns a function that reads lines of cells between tabs.
func tabbed(b *bufio.Reader) func() ([]string, error) {
	s := bufio.NewScanner(b)
	s.Buffer(nil, 1<<24)
	return func() ([]string, error) {
		for s.Scan() {
			if line := strings.TrimSuffix(s.Text(), "\r"); line != "" {
				cells := strings.Split(line, "\t")
				for i, c := range cells {
					cells[i] = unquotedCell(c)
				}
				return cells, nil
			}
		}
		return nil, errors.Join(s.Err(), io.EOF)
	}
}

// unquotedCell removes quotes, which some programs put around every cell.
func unquotedCell(c string) string {
	if len(c) > 1 && c[0] == '"' && c[len(c)-1] == '"' {
		return c[1 : len(c)-1]
	}
	return c
}

// textRows reads rows of cells, with a header or without one.
type textRows struct {
	read  func() ([]string, error)
	order []int // the cells of rowNames
}

func (t *textRows) next() (row, error) {
	cells, err := t.read()
	if errors.Is(err, io.EOF) {
		return row{}, io.EOF
	}
	if err != nil {
		return row{}, err
	}
	if t.order == nil {
		if t.order = header(cells); t.order != nil {
			return t.next()
		}
		if len(cells) != len(rowNames) {
			return row{}, fmt.Errorf("it has %s, and a result of lastbit sql has %d as CSV, TSV, "+
				"JSON or Parquet: %s", text.Count(len(cells), "column"), len(rowNames),
				strings.Join(rowNames, ", "))
		}
		for i := range rowNames {
			t.order = append(t.order, i)
		}
	}
	if len(cells) <= slices.Max(t.order) {
		return row{}, fmt.Errorf("it has %s, and the rows above have %d",
			text.Count(len(cells), "column"), slices.Max(t.order)+1)
	}
	return rowOf(func(i int) string { return cells[t.order[i]] })
}

// header returns where a header has the columns, or nil.
func header(cells []string) []int {
	lower := make([]string, len(cells))
	for i, c := range cells {
		lower[i] = strings.ToLower(strings.TrimSpace(c))
	}
	var order []int
	for _, name := range rowNames {
		i := slices.Index(lower, name)
		if i < 0 || slices.Contains(lower[i+1:], name) {
			return nil
		}
		order = append(order, i)
	}
	return order
}

// rowOf reads the cells of a row.
func rowOf(cell func(i int) string) (r row, err error) {
	r.mark = cell(0)
	for i := range r.numbers {
		if r.numbers[i], err = integer(cell(i + 1)); err != nil {
			return r, fmt.Errorf("column %s: %w", rowNames[i+1], err)
		}
	}
	return r, nil
}

// integer reads a decimal integer as engines write them: no sign except −, no
// point, no exponent.
func integer(s string) (int64, error) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, fmt.Errorf("%.40q is not an integer", s)
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q is beyond 64 bits", s)
	}
	return v, nil
}

// jsonRows reads objects, one after the other or in a list.
type jsonRows struct {
	*json.Decoder
	opened, isList bool
}

func newJSONRows(b *bufio.Reader) *jsonRows {
	d := json.NewDecoder(b)
	d.UseNumber()
	head, _ := b.Peek(4096)
	isList := bytes.HasPrefix(bytes.TrimLeft(head, " \r\n\t"), []byte("["))
	return &jsonRows{Decoder: d, isList: isList}
}

func (j *jsonRows) next() (row, error) {
	if j.isList && !j.opened {
		if _, err := j.Token(); err != nil {
			return row{}, err
		}
		j.opened = true
	}
	if j.isList && !j.More() {
		if _, err := j.Token(); err != nil {
			return row{}, errors.New("the list is not closed")
		}
		if _, err := j.Token(); err != io.EOF {
			return row{}, errors.New("something follows the list")
		}
		return row{}, io.EOF
	}
	var object map[string]any
	if err := j.Decode(&object); err != nil {
		return row{}, err
	}
	cells := make([]string, len(rowNames))
	for i, name := range rowNames {
		v, ok := object[name]
		if !ok { // some engines write names in capital letters
			v = object[strings.ToUpper(name)]
		}
		switch v := v.(type) {
		case string:
			cells[i] = v
		case json.Number:
			cells[i] = v.String()
		default:
			return row{}, fmt.Errorf("column %s: it is missing, or not a number or a text", name)
		}
	}
	return rowOf(func(i int) string { return cells[i] })
}

// parquetRows reads a parquet file, which it keeps under a temporary name since
// such a file is read from its end.
type parquetRows struct {
	*dataset.Reader
	block dataset.Block
	at    int
	keys  []string
	err   error
}

func newParquetRows(in io.Reader) (source, error) {
	f, err := os.CreateTemp("", "lastbit-*.parquet")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	if _, err := io.Copy(f, in); err != nil {
		f.Close()
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	r, err := openParquet(f.Name(), rowNames)
	if err != nil {
		upper := make([]string, len(rowNames))
		for i, name := range rowNames {
			upper[i] = strings.ToUpper(name)
		}
		var err2 error
		if r, err2 = openParquet(f.Name(), upper); err2 != nil {
			return nil, parquetError(err)
		}
	}
	return &parquetRows{Reader: r}, nil
}

func openParquet(path string, names []string) (*dataset.Reader, error) {
	return dataset.Open(path, dataset.Options{Columns: names[1:], Key: names[0]})
}

// parquetError returns an error without the temporary name of the file.
func parquetError(err error) error {
	var e *dataset.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Err != nil:
		return fmt.Errorf("%s (%w)", e.Cause, e.Err)
	case e.Column != "":
		return fmt.Errorf("column %s: %s", oneLine(e.Column), e.Cause)
	}
	return errors.New(e.Cause)
}

func (p *parquetRows) next() (row, error) {
	for p.err == nil && p.at == len(p.block.Keys) {
		if p.err = p.Next(&p.block); p.err != nil {
			p.Close()
			break
		}
		p.keys = append(p.keys, p.block.Fresh...)
		p.at = 0
	}
	if p.err != nil {
		return row{}, parquetError(p.err)
	}
	i := p.at
	p.at++
	r := row{mark: p.keys[p.block.Keys[i]]}
	for j := range r.numbers {
		v, ok := wholeNumber(&p.block.Columns[j], i)
		if !ok {
			return row{}, fmt.Errorf("column %s: %v is not an integer of 64 bits",
				rowNames[j+1], p.block.Columns[j].Values[i])
		}
		r.numbers[j] = v
	}
	return r, nil
}

// wholeNumber returns number i of a column of integers of 64 bits.
func wholeNumber(c *dataset.Column, i int) (int64, bool) {
	if c.Units != nil && c.Scale != 0 {
		return 0, false
	}
	parts := []float64{c.Values[i]}
	if c.Rest != nil {
		parts = append(parts, c.Rest[i])
	}
	if c.Units != nil {
		parts = parts[:0]
		for _, u := range c.Units {
			parts = append(parts, u[i])
		}
	}
	return sumOfParts(parts)
}
