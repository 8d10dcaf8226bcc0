package sums

import (
	"bufio"
	"cmp"
	"io"

	"github.com/lastbit/lastbit/exact"
)

// summandNames are the names of summands, outside of this package.
var summandNames = map[summand]string{
	values: "values", magnitudes: "magnitudes", squares: "squares", products: "products",
}

// Summands returns what an operation adds: values, magnitudes, squares or
// products.
func (op *Operation) Summands() []string {
	names := make([]string, len(op.summands))
	for i, s := range op.summands {
		names[i] = summandNames[s]
	}
	return names
}

// NewPartial returns a Partial without rows. by is the column of keys, "" for
// none.
func NewPartial(op *Operation, columns []string, by string) *Partial {
	p := &Partial{op: op, columns: columns, by: by, grouped: by != ""}
	for _, column := range p.names() {
		p.results = append(p.results, newSeries(column, Exact(op, 0)))
	}
	return p
}

// Set sets a group of result i to sums of the operation's summands, in their
// order, of the rows that are not missing. They are sums of units of
// 10^−scale.
func (p *Partial) Set(i int, key string, missing int64, scale int, states []exact.Accumulator) {
	t := &exactTotal{op: p.op, sums: states}
	if scale > 0 && states[0].Count() > 0 {
		t.sums = make([]exact.Accumulator, len(states))
		t.scaled = []scaledSums{{scale, states}}
	}
	p.results[i].groups[key] = &keyGroup{key: key, count: t.count(), missing: missing, total: t}
}

// CompareKeys compares keys in the order that results are printed in: numbers
// by their value, then everything else by its bytes.
func CompareKeys(a, b string) int { return compareKeys(a, b) }

// CompareKeyLists compares lists of keys. A nil key, NULL, comes last.
func CompareKeyLists(a, b []*string) int {
	for i := range min(len(a), len(b)) {
		c := 0
		switch {
		case a[i] == nil || b[i] == nil:
			c = cmp.Compare(boolInt(a[i] == nil), boolInt(b[i] == nil))
		default:
			c = compareKeys(*a[i], *b[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// PrintLines writes results as text: a single one on several lines, others as a
// table.
func PrintLines(w io.Writer, lines []Line, isTable bool) error {
	b := bufio.NewWriter(w)
	if !isTable {
		printLine(b, &lines[0])
		return b.Flush()
	}
	err := printTable(w, b, func(yield func(*Line, error) bool) {
		for i := range lines {
			if !yield(&lines[i], nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

// SetKeys sets the keys of columns: key for one that is not NULL.
func (l *Line) SetKeys(keys []*string) {
	if len(keys) == 1 && keys[0] != nil {
		l.setKey(*keys[0])
		return
	}
	l.Keys = keys
}
