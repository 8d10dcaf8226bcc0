package math

import (
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// setNames are the headings of the sets of arguments.
var setNames = map[libm.Set]string{
	libm.Typical: "typical arguments",
	libm.Domain:  "every binade of the domain",
	libm.Hard:    "the arguments hardest to round",
}

// Write prints a table.
func (t *Table) Write(w io.Writer) {
	fmt.Fprintf(w,
		"\n%s: nanoseconds a call, crmath's time over theirs "+
			"(a ratio below 1: crmath is faster), and how many results are right\n",
		libm.FormatName(t.DType))
	for _, s := range libm.Sets() {
		fmt.Fprintf(w, "\n%s\n", setNames[s])
		c := t.columns(s)
		text.Table(w, "", c.rows, c.right...)
		fmt.Fprintln(w)
		for i := range t.Comparisons {
			c := &t.Comparisons[i]
			if m := c.of(s); m.Mean != nil {
				fmt.Fprintf(w, "%s: %.2f of the time of %s, geometric mean of %d\n",
					c.versions[0], *m.Mean, c.versions[1], m.Count)
			}
		}
	}
	t.writeMissing(w)
}

// writeMissing prints the functions that could not be built, with the reasons.
func (t *Table) writeMissing(w io.Writer) {
	for _, l := range t.Libraries {
		if len(l.Missing) == 0 {
			continue
		}
		fmt.Fprintln(w)
		for _, m := range l.Missing {
			text.WriteWrapped(w, "  ",
				fmt.Sprintf("%s has no %s here: %s", l.Version, m.Function, m.Why))
		}
	}
}

// columns are the columns of a table, and those aligned to the right.
type columns struct {
	rows  [][]string
	right []int
}

// columns returns the columns of a table for a set of arguments: the names, and
// one or four for each library.
func (t *Table) columns(s libm.Set) *columns {
	c := new(columns)
	t.column(c, "function", func(line *Line) string { return line.Function }, "mean")
	for k, l := range t.Libraries {
		c.right = append(c.right, len(c.rows[0]))
		t.column(c, l.Version,
			func(line *Line) string { return experiment.Decimals(line.of(s).Cells[k].Time, 1) }, "")
		i := t.ratioTo(k)
		if i < 0 {
			continue
		}
		rounding := func(cell func(*libm.Print) string) func(*Line) string {
			return func(line *Line) string {
				if p := line.of(s).Cells[k].Rounding; p != nil {
					return cell(p)
				}
				return ""
			}
		}
		ratio := func(line *Line) string { return experiment.Decimals(line.of(s).Ratios[i], 2) }
		share := rounding(func(p *libm.Print) string {
			return libm.Percent(p.Count-p.Wrong,
				p.Count)
		})
		c.right = append(c.right, len(c.rows[0]), len(c.rows[0])+1)
		t.column(c, "ratio", ratio, experiment.Decimals(t.Comparisons[i].of(s).Mean, 2))
		t.column(c, "right", share, "")
		t.column(c, "worst", rounding((*libm.Print).WorstWords), "")
	}
	return c
}

// column appends a column: its head, a cell for each function, its foot.
func (t *Table) column(c *columns, head string, cell func(*Line) string, foot string) {
	if c.rows == nil {
		c.rows = make([][]string, len(t.Functions)+2)
	}
	last := len(c.rows) - 1
	c.rows[0] = append(c.rows[0], head)
	for i := range t.Functions {
		c.rows[i+1] = append(c.rows[i+1], cell(&t.Functions[i]))
	}
	c.rows[last] = append(c.rows[last], foot)
}

// ranges lists the ranges of typical arguments, a line for each range.
func ranges() string {
	type ends struct{ low, high float64 }
	var ranges []ends
	names := map[ends][]string{}
	for _, f := range libm.Functions[float64]() {
		var r ends
		r.low, r.high = f.TypicalRange()
		if names[r] == nil {
			ranges = append(ranges, r)
		}
		names[r] = append(names[r], f.Name) //lastbit:ignore nankey the ends of ranges are numbers
	}
	var b strings.Builder
	for _, r := range ranges {
		fmt.Fprintf(&b, "  %4v to %3v  %s\n", r.low, r.high, strings.Join(names[r], " "))
	}
	return b.String()
}

// functionNames lists the names of the functions.
func functionNames() (names []string) {
	for _, f := range libm.Functions[float64]() {
		names = append(names, f.Name)
	}
	return names
}
