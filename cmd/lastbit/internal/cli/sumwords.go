package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lastbit/lastbit/fp"
)

// A sumLine is one result.
type sumLine struct {
	Op        string       `json:"op"`
	Column    string       `json:"column,omitempty"`
	Key       *string      `json:"key,omitempty"`
	KeyBytes  string       `json:"key_bytes,omitempty"` // in hexadecimal, of a key that is not UTF-8
	Algorithm string       `json:"algorithm,omitempty"` // unless exact
	Count     int64        `json:"count"`
	Value     jsonNumber   `json:"value"`
	Bits      string       `json:"bits"`
	Naive     *jsonNumber  `json:"naive,omitempty"`
	ULPs      *ulpDistance `json:"naive_ulps,omitempty"`
	Digest    string       `json:"digest,omitempty"`
}

// jsonNumber is a number in JSON, or a string if it is not finite.
type jsonNumber struct {
	x float64
	f fp.Format
}

func (n jsonNumber) String() string { return decimal(n.x, n.f) }

// MarshalJSON gives the shortest decimal that is read as the same number of the format.
func (n jsonNumber) MarshalJSON() ([]byte, error) {
	if math.IsNaN(n.x) || math.IsInf(n.x, 0) {
		return json.Marshal(n.String())
	}
	if n.x == 0 && math.Signbit(n.x) {
		return []byte("-0.0"), nil // -0 is an integer to many, which have one zero
	}
	return []byte(n.String()), nil
}

// ulpDistance is a distance; that of NaN to a number is null.
type ulpDistance uint64

func (u ulpDistance) MarshalJSON() ([]byte, error) {
	if u == math.MaxUint64 {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%d", uint64(u)), nil
}

// String says how far.
func (u ulpDistance) String() string {
	switch u {
	case math.MaxUint64:
		return "not comparable"
	case 0:
		return "the same"
	case 1:
		return "1 ULP off"
	}
	return fmt.Sprintf("%d ULPs off", uint64(u))
}

// oneNaN is the NaN that is printed for each: which one a sum of some is, no algorithm
// promises.
var oneNaN = math.Float64frombits(0x7ff8 << 48)

// summarize returns all results, in order.
func summarize(acc *accFile, algo *algorithm, digest, naive bool) ([]sumLine, error) {
	round := roundingTo(algo.out)
	lines := []sumLine{}
	for _, s := range acc.results {
		for _, g := range s.sorted() {
			v, err := g.total.value(algo.out)
			if err != nil {
				return nil, err
			}
			if v != v {
				v = oneNaN
			}
			line := sumLine{Op: algo.op.name, Column: s.column, Count: g.count, Value: jsonNumber{v, algo.out}, Bits: hex(v, algo.out)}
			if acc.grouped {
				line.Key = &g.key
				if !utf8.ValidString(g.key) {
					line.KeyBytes = fmt.Sprintf("%x", g.key)
				}
			}
			if !algo.isExact() {
				line.Algorithm = algo.name
			}
			if naive {
				n := algo.op.naive(g.naive, g.count, round)
				d := ulpDistance(algo.out.Distance(v, n))
				line.Naive, line.ULPs = &jsonNumber{n, algo.out}, &d
			}
			if digest {
				sum := g.total.(*exactTotal).digest()
				line.Digest = fmt.Sprintf("%x", sum)
			}
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// writeSums writes one result over several lines, or a table of results.
func writeSums(w io.Writer, lines []sumLine, table bool) {
	if table {
		writeColumns(w, lines)
		return
	}
	l := &lines[0]
	row := func(name, value string) { fmt.Fprintf(w, "%-10s %s\n", name, value) }
	row(l.Op, l.Value.String())
	row("bits", l.Bits)
	row("count", strconv.FormatInt(l.Count, 10))
	if l.Naive != nil {
		row("naive", fmt.Sprintf("%v, %s", l.Naive, l.distance()))
	}
	row("promise", promise(l.Algorithm))
	if l.Digest != "" {
		row("digest", l.Digest)
	}
}

// distance says how far off the naive result is.
func (l *sumLine) distance() string {
	if x, y := l.Value.x, l.Naive.x; x == 0 && y == 0 && math.Signbit(x) != math.Signbit(y) {
		return "the other zero"
	}
	return l.ULPs.String()
}

// promise is what an algorithm promises.
func promise(algorithm string) string {
	if algorithm == "" {
		return exactAlgorithm
	}
	kind, _, _ := strings.Cut(algorithm, ":")
	return kind
}

// writeColumns writes a line for each result, with numbers to the right.
func writeColumns(w io.Writer, lines []sumLine) {
	rows := [][]string{{"column", "key", "count", "value", "bits", "naive", "", "digest"}}
	used := make([]bool, len(rows[0]))
	for i := range lines {
		l := &lines[i]
		row := []string{visible(l.Column), "", strconv.FormatInt(l.Count, 10), l.Value.String(), l.Bits, "", "", l.Digest}
		if l.Key != nil {
			row[1], used[1] = printable(*l.Key), true
		}
		if l.Naive != nil {
			row[5], row[6] = l.Naive.String(), l.distance()
		}
		for j, cell := range row {
			used[j] = used[j] || cell != ""
		}
		rows = append(rows, row)
	}
	if len(lines) == 0 { // no keys
		copy(used[1:], []bool{true, true, true, true})
	}
	width := make([]int, len(used))
	for _, row := range rows {
		for j, cell := range row {
			width[j] = max(width[j], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for j, cell := range row {
			if !used[j] {
				continue
			}
			if right := j == 2 || j == 3 || j == 5; right {
				line += strings.Repeat(" ", width[j]-utf8.RuneCountInString(cell)) + cell + "  "
			} else {
				line += pad(cell, width[j]) + "  "
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// printable is a key on one line: in quotes if something in it would not show.
func printable(key string) string {
	if q := strconv.Quote(key); q != "\""+key+"\"" || key == "" || strings.TrimSpace(key) != key {
		return q
	}
	return key
}
