package blas

import (
	"fmt"
	"io"
	"math/bits"
	"strings"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Write prints the table. It fails when w does.
func (t *Table) Write(w io.Writer) error {
	if _, err := fmt.Fprintln(w, t.headline()); err != nil {
		return err
	}
	fmt.Fprintln(w, "The ratio is our speed over theirs; for Exact, our time over theirs.")
	if len(t.Cores) > 0 {
		fmt.Fprintln(w, t.coreLine())
	}
	for _, m := range t.Missing {
		fmt.Fprintln(w, "not compared:", m)
	}
	if len(t.Rows) > 0 {
		fmt.Fprintln(w)
		text.Table(w, "", t.cells(), 1, 2, 5, 6, 7, 8)
	}
	return nil
}

// headline counts the met goals and the open ones.
func (t *Table) headline() string {
	met, open, of := 0, 0, 0
	for _, r := range t.Rows {
		if r.Goal == 0 {
			continue
		}
		of++
		if r.isOpen() {
			open++
		} else if r.isMet() {
			met++
		}
	}
	line := fmt.Sprintf("%d of %d goals met", met, of)
	if open > 0 {
		line += fmt.Sprintf(", %d open", open)
	}
	return line
}

// coreLine lists the types of OpenBLAS's kernels that were tried.
func (t *Table) coreLine() string {
	s := "OpenBLAS runs its fastest kernels. Mean times of products, and of the others:"
	for _, c := range t.Cores {
		s += fmt.Sprintf("\n  %s %s, %s", c.Core, duration(c.Products), duration(c.Vectors))
	}
	return s
}

// isMet reports whether a row reached its goal.
func (r *Row) isMet() bool {
	if r.IsTime {
		return r.Ratio <= r.Goal
	}
	return r.Ratio >= r.Goal
}

// isOpen reports whether the goal lies between the bounds of the ratio.
func (r *Row) isOpen() bool { return r.Low < r.Goal && r.Goal < r.High }

// result names the result of a row: met, missed, or open with its bounds.
func (r *Row) result() string {
	switch {
	case r.Goal == 0:
		return ""
	case r.isOpen():
		return fmt.Sprintf("open %.2f–%.2f", r.Low, r.High)
	case r.isMet():
		return "met"
	}
	return "missed"
}

// cells returns the rows of the table with their head.
func (t *Table) cells() [][]string {
	cells := [][]string{{"routine", "n", "threads", "ours", "theirs", "our time", "their time",
		"ratio", "goal", ""}}
	for _, r := range t.Rows {
		goal := ""
		if r.Goal > 0 {
			goal = fmt.Sprintf("≥ %g", r.Goal)
			if r.IsTime {
				goal = fmt.Sprintf("≤ %g", r.Goal)
			}
		}
		theirs := strings.TrimSpace(r.Theirs + " " + r.Core)
		cells = append(cells, []string{r.Routine, size(r.N), fmt.Sprint(r.Threads), r.Ours, theirs,
			duration(r.OurTime), duration(r.TheirTime), fmt.Sprintf("%.2f", r.Ratio), goal,
			r.result()})
	}
	return cells
}

// size writes a number; a large power of two as such.
func size(n int) string {
	if n >= 1<<14 && n&(n-1) == 0 {
		return fmt.Sprintf("2^%d", bits.TrailingZeros(uint(n)))
	}
	return fmt.Sprint(n)
}

// duration writes a number of nanoseconds with three digits.
func duration(ns float64) string {
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"s", float64(time.Second)}, {"ms", float64(time.Millisecond)},
		{"µs", float64(time.Microsecond)}} {
		if ns >= unit.ns {
			return fmt.Sprintf("%.3g %s", ns/unit.ns, unit.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}

// pictureNames returns the names of the pictures.
func pictureNames() (names []string) {
	for _, d := range new(Table).charts() {
		names = append(names, d.Name)
	}
	return names
}

// charts draws the ratios: of speed to OpenBLAS and to gonum, and of the time
// of exact routines.
func (t *Table) charts() []*plots.Bars {
	return []*plots.Bars{
		t.picture("blas-openblas", "Speed of blas.Ordered over OpenBLAS",
			"ratio of speeds; above 1: blas.Ordered is faster", nameOrdered, nameOpenBLAS),
		t.picture("blas-gonum", "Speed of blas.Ordered over gonum",
			"ratio of speeds; above 1: blas.Ordered is faster", nameOrdered, nameGonum),
		t.picture("blas-exact", "Time of blas.Exact over OpenBLAS", "ratio of times",
			nameExact, nameOpenBLAS),
	}
}

// picture draws the rows of two libraries, a bar for each number of threads.
func (t *Table) picture(name, title, y, ours, theirs string) *plots.Bars {
	d := &plots.Bars{Name: name, Title: title, Y: y, Line: 1,
		Notes: []string{libm.ThisMachine().String()}}
	groups := map[string]int{}
	for _, r := range t.Rows {
		if r.Ours != ours || r.Theirs != theirs {
			continue
		}
		group := r.Routine + " " + size(r.N)
		i, ok := groups[group]
		if !ok {
			i = len(d.Groups)
			groups[group], d.Groups = i, append(d.Groups, group)
		}
		for len(d.Series) < r.Threads {
			d.Series = append(d.Series, plots.BarSeries{Name: threadCount(len(d.Series) + 1)})
		}
		setBar(&d.Series[r.Threads-1], i, r.Ratio)
	}
	for j := range d.Series {
		s := &d.Series[j]
		for len(s.Values) < len(d.Groups) {
			s.Values = append(s.Values, -1)
		}
	}
	return d
}

// setBar sets bar i of a series. Bars before it that are not set are none.
func setBar(s *plots.BarSeries, i int, v float64) {
	for len(s.Values) <= i {
		s.Values = append(s.Values, -1)
	}
	s.Values[i] = v
}

func threadCount(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}
