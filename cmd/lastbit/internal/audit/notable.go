package audit

import (
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// asked holds the pairs of targets that people ask for first.
var asked = [][2]string{
	{"py:numpy.sum", "py:torch.sum"}, {"py:numpy.sum", "py:jax.numpy.sum"},
	{"go:naive", "py:numpy.sum"}, {"go:naive", "go:pairwise"},
}

// notable is a pair of sums that people ask for, and that are here.
type notable struct {
	a, b  string
	table *Table
	cell  *Cell // nil where the two give the same bits
}

// notable returns the first of the pairs in asked whose findings are in the
// report, nil without one.
func (r *Report) notable() *notable {
	for _, pair := range asked {
		for _, t := range r.Tables {
			a, b := t.letterOf(pair[0]), t.letterOf(pair[1])
			if t.Op != probe.Sum || a == "" || b == "" {
				continue
			}
			if a == b {
				return &notable{a: pair[0], b: pair[1], table: t}
			}
			if c := t.cell(a, b); c.pair.Difference != nil && c.pair.Difference.Witness != nil {
				return &notable{pair[0], pair[1], t, &c}
			}
		}
	}
	return nil
}

// Notable returns a sentence about the first pair of sums that people ask for
// and that are here, and the anchor of its evidence. Without such a pair the
// sentence is empty.
func (r *Report) Notable() (sentence, anchor string) {
	switch n := r.notable(); {
	case n == nil:
		return "", ""
	case n.cell == nil:
		return fmt.Sprintf("%s and %s give the same bits here (%s).", n.a, n.b,
			longName(n.table.DType)), n.table.id()
	default:
		const differ = "%s and %s differ on %s of random inputs (%s); the smallest input " +
			"found has %s."
		size := text.Count(n.cell.Summands, "nonzero "+describe.Input(n.table.Op))
		return fmt.Sprintf(differ, n.a, n.b, describe.Share(*n.cell.pair.Difference),
			longName(n.table.DType), size), n.table.anchor(*n.cell)
	}
}

// Differing returns the pair of Notable and its operation, where the results
// differ.
func (r *Report) Differing() (a, b string, spec probe.Spec, ok bool) {
	n := r.notable()
	if n == nil || n.cell == nil {
		return "", "", probe.Spec{}, false
	}
	return n.a, n.b, n.table.spec, true
}

// Where returns the anchor of the first table that has a target.
func (r *Report) Where(target string) string {
	for _, t := range r.Tables {
		if t.letterOf(target) != "" {
			return t.id()
		}
	}
	return "ways"
}

// letterOf returns the letter of a target, "" where the table lacks it.
func (t *Table) letterOf(address string) string {
	for _, g := range t.Groups {
		if slices.ContainsFunc(g.Members, func(m *Row) bool { return m.address == address }) {
			return g.Letter
		}
	}
	return ""
}

// cell returns the cell of two letters.
func (t *Table) cell(a, b string) Cell {
	i := slices.IndexFunc(t.Matrix, func(c Cell) bool {
		return c.A == a && c.B == b || c.A == b && c.B == a
	})
	if i < 0 {
		return Cell{}
	}
	return t.Matrix[i]
}
