package sums

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Print writes the results as text: a single one on several lines, others as a
// table.
func (p *Partial) Print(w io.Writer, lines []Line) { PrintLines(w, lines, p.IsTable()) }

// print writes a result on several lines.
func (l *Line) print(w io.Writer) {
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

// printTable writes a row for each result. Columns without a cell are left out,
// and so are operations if there is only one.
func printTable(w io.Writer, lines []Line) {
	rows := make([][]string, len(lines)+1)
	var right []int
	for _, c := range columns {
		cells := make([]string, len(lines))
		for i := range lines {
			cells[i] = c.cell(&lines[i])
		}
		isEmpty := !slices.ContainsFunc(cells, func(s string) bool { return s != "" }) ||
			c.name == "op" && len(slices.Compact(slices.Clone(cells))) < 2
		if isEmpty && (len(lines) > 0 || !c.always) {
			continue
		}
		if c.right {
			right = append(right, len(rows[0]))
		}
		for i, cell := range append([]string{c.name}, cells...) {
			rows[i] = append(rows[i], cell)
		}
	}
	text.Table(w, "", rows, right...)
}

// Printable returns a key on one line, in quotes if it holds invisible
// characters.
func Printable(key string) string {
	if q := strconv.Quote(key); q != "\""+key+"\"" || key == "" || strings.TrimSpace(key) != key {
		return q
	}
	return key
}
