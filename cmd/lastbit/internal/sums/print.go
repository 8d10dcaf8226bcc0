package sums

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Print writes the results as text: a single one on several lines, others as a
// table.
func (p *Partial) Print(w io.Writer, how Printing) error {
	b := bufio.NewWriter(w)
	if p.IsTable() {
		if err := printTable(w, b, p.each(how, false)); err != nil {
			return err
		}
		return b.Flush()
	}
	lines, err := p.Lines(how.Algorithm, how.Digest, how.Naive)
	if err != nil {
		return err
	}
	printLine(b, &lines[0])
	return b.Flush()
}

// WriteJSON writes the results as JSON: a single one as an object, others as a
// list.
func (p *Partial) WriteJSON(w io.Writer, how Printing) error {
	if !how.Algorithm.isExact() { // an error comes before any output
		if _, err := p.Lines(how.Algorithm, how.Digest, how.Naive); err != nil {
			return err
		}
	}
	var object bytes.Buffer
	e := json.NewEncoder(&object)
	e.SetEscapeHTML(false)
	b := bufio.NewWriter(w)
	separator, end := "", "\n"
	if p.IsTable() {
		separator, end = "[", "]\n"
	}
	for line, err := range p.each(how, true) {
		if err == nil {
			object.Reset()
			err = e.Encode(line)
		}
		if err != nil {
			return err
		}
		b.WriteString(separator)
		b.Write(bytes.TrimSuffix(object.Bytes(), []byte("\n")))
		separator = ","
	}
	if p.IsTable() && separator == "[" { // no results
		b.WriteString("[")
	}
	b.WriteString(end)
	return b.Flush()
}

// printLine writes a result on several lines.
func printLine(w io.Writer, l *Line) {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-10s %s\n", name, value)
		}
	}
	row(l.Op, l.Value.String())
	row("exact", l.integer())
	row("bits", l.Bits)
	row("count", strconv.FormatInt(l.Count, 10))
	row("missing", l.missing())
	if l.Naive != nil {
		row("naive", fmt.Sprintf("%v, %s", l.Naive, l.distance()))
	}
	row("promise", l.Promise)
	row("digest", l.Digest)
}

// Integers are printed with all digits from 2^53 on, where not every one is a
// float64, up to 58 digits: a sum of 2^63 products of 64-bit integers is below
// 2^191.
const (
	minInteger = 1 << 53
	maxDigits  = 58
)

// integer returns the digits of an exact sum that is an integer whose value may
// be rounded, or a sum of decimals; else "".
func (l *Line) integer() string {
	digits := strings.TrimPrefix(l.Exact, "-")
	if l.isDecimal && len(digits) <= maxDigits {
		return l.Exact
	}
	if math.Abs(l.Value.x) < minInteger || len(digits) > maxDigits ||
		strings.Contains(digits, ".") {
		return ""
	}
	return l.Exact
}

// missing returns the number of rows that were left out, "" for none.
func (l *Line) missing() string {
	if l.Missing == 0 {
		return ""
	}
	return strconv.FormatInt(l.Missing, 10)
}

// distance returns in words the distance of the naive result.
func (l *Line) distance() string {
	if x, y := l.Value.x, l.Naive.x; x == 0 && y == 0 && math.Signbit(x) != math.Signbit(y) {
		return "the other zero"
	}
	return l.ULPs.String()
}

// columns lists the columns of a table. Numbers are aligned to the right.
var columns = []struct {
	name   string
	right  bool
	always bool // printed without rows, too
	cell   func(l *Line) string
}{
	{"op", false, false, func(l *Line) string { return l.Op }},
	{"column", false, false, func(l *Line) string { return text.Visible(l.Column) }},
	{"key", false, true, (*Line).keys},
	{"count", true, true, func(l *Line) string { return strconv.FormatInt(l.Count, 10) }},
	{"missing", true, false, (*Line).missing},
	{"value", true, true, func(l *Line) string { return l.Value.String() }},
	{"exact", true, false, (*Line).integer},
	{"bits", false, true, func(l *Line) string { return l.Bits }},
	{"naive", true, false, func(l *Line) string {
		if l.Naive == nil {
			return ""
		}
		return l.Naive.String()
	}},
	{"", false, false, func(l *Line) string {
		if l.Naive == nil {
			return ""
		}
		return l.distance()
	}},
	{"digest", false, false, func(l *Line) string { return l.Digest }},
}

// keys returns the key, or the keys of several columns.
func (l *Line) keys() string {
	if l.Key != nil {
		return Printable(*l.Key)
	}
	keys := make([]string, len(l.Keys))
	for i, k := range l.Keys {
		if keys[i] = "(NULL)"; k != nil {
			keys[i] = Printable(*k)
		}
	}
	return strings.Join(keys, ", ")
}

// printTable writes a row for each result, as wide as a terminal allows, to w.
// Columns without a cell are left out, and so are operations if there is only
// one. It asks for the results twice, to know the widths: all rows would take
// much memory.
func printTable(terminal, w io.Writer, lines iter.Seq2[*Line, error]) error {
	width := make([]int, len(columns))
	n, op, hasOps := 0, "", false
	for line, err := range lines {
		if err != nil {
			return err
		}
		for i, c := range columns {
			width[i] = max(width[i], text.Width(c.cell(line)))
		}
		hasOps = hasOps || n > 0 && line.Op != op
		op = line.Op
		n++
	}
	head := text.Head{}
	var shown []int
	for i, c := range columns {
		isEmpty := width[i] == 0 || c.name == "op" && !hasOps
		if isEmpty && (n > 0 || !c.always) {
			continue
		}
		shown = append(shown, i)
		head.Widths = append(head.Widths, max(width[i], text.Width(c.name)))
		head.Right = append(head.Right, c.right)
	}
	row := make([]string, len(shown))
	write := head.Writer(terminal, w)
	for k, i := range shown {
		row[k] = columns[i].name
	}
	write(row)
	for line := range lines {
		for k, i := range shown {
			row[k] = columns[i].cell(line)
		}
		write(row)
	}
	return nil
}

// Printable returns a key on one line, in quotes if it holds invisible
// characters.
func Printable(key string) string {
	if q := strconv.Quote(key); q != "\""+key+"\"" || key == "" || strings.TrimSpace(key) != key {
		return q
	}
	return key
}
