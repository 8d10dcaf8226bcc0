package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/lastbit/lastbit/internal/svg"
	"github.com/lastbit/lastbit/probe"
)

// Cells is a map of the outputs of a matrix operation: cells of the same class
// share a tree.
type Cells struct {
	Title      string
	Rows, Cols int
	Class      []int    // row by row; −1 where it is not known
	Names      []string // of the classes, may be nil
}

const (
	maxCellRows = 32 // lines of a map in text
	maxCellCols = 72 // letters on a line
)

// CellText writes a map as letters, A for class 0, with a count for each class.
// Equal neighbouring rows and columns are folded where the map would not fit a
// terminal; a last line counts those that still do not fit. It fails when w
// does, and with a *probe.Fault of ID bad-cell-map when Class does not have
// Rows times Cols entries of at least −1.
func CellText(w io.Writer, c Cells) error {
	if err := c.check(); err != nil {
		return err
	}
	bw := bufio.NewWriter(w)
	if c.Title != "" {
		fmt.Fprintln(bw, c.Title)
	}
	rows, cols := unitSpans(c.Rows), unitSpans(c.Cols)
	if c.Rows > maxCellRows || c.Cols > maxCellCols {
		rows, cols = c.fold()
	}
	c.writeGrid(bw, rows, cols)
	for _, k := range c.counts() {
		fmt.Fprintf(bw, "%s  %s\n", letter(k.class), c.describe(k))
	}
	return bw.Flush()
}

// span is a run of rows or columns that are all the same.
type span struct{ from, to int }

func (s span) String() string {
	if s.to == s.from+1 {
		return fmt.Sprint(s.from)
	}
	return fmt.Sprintf("%d–%d", s.from, s.to-1)
}

func unitSpans(n int) []span {
	s := make([]span, n)
	for i := range s {
		s[i] = span{i, i + 1}
	}
	return s
}

// fold returns the runs of equal rows and of equal columns.
func (c Cells) fold() (rows, cols []span) {
	return fold(c.Rows, func(i, j int) bool {
			return slices.Equal(c.Class[i*c.Cols:(i+1)*c.Cols], c.Class[j*c.Cols:(j+1)*c.Cols])
		}), fold(c.Cols, func(i, j int) bool {
			for r := range c.Rows {
				if c.Class[r*c.Cols+i] != c.Class[r*c.Cols+j] {
					return false
				}
			}
			return true
		})
}

func fold(n int, same func(i, j int) bool) []span {
	var s []span
	for i := range n {
		if i > 0 && same(i-1, i) {
			s[len(s)-1].to = i + 1
			continue
		}
		s = append(s, span{i, i + 1})
	}
	return s
}

// writeGrid writes one line for each span of rows.
func (c Cells) writeGrid(w io.Writer, rows, cols []span) {
	moreRows, moreCols := max(0, len(rows)-maxCellRows), max(0, len(cols)-maxCellCols)
	rows, cols = rows[:len(rows)-moreRows], cols[:len(cols)-moreCols]
	width := 0
	for _, r := range rows {
		width = max(width, len([]rune(r.String())))
	}
	// Letters of single cells have no space between them. Folded columns have
	// their range above them, if that fits.
	heads := make([]string, len(cols))
	folded, line := false, width+1
	for i, s := range cols {
		heads[i] = s.String()
		folded = folded || s.to > s.from+1
		line += len([]rune(heads[i])) + 2
	}
	if folded = folded && line <= 100; folded {
		fmt.Fprintf(w, "%*s ", width, "")
		for _, h := range heads {
			fmt.Fprintf(w, "  %s", h)
		}
		fmt.Fprintln(w)
	}
	for _, r := range rows {
		fmt.Fprintf(w, "%*s ", width, r)
		for i, s := range cols {
			l := letter(c.Class[r.from*c.Cols+s.from])
			if folded {
				fmt.Fprintf(w, "  %*s", len([]rune(heads[i])), l)
				continue
			}
			fmt.Fprintf(w, "%s", l)
		}
		if moreCols > 0 {
			fmt.Fprint(w, "…")
		}
		fmt.Fprintln(w)
	}
	if moreRows > 0 || moreCols > 0 {
		fmt.Fprintf(w, "%*s  and %s, %s\n", width, "…",
			count(moreRows, "more run of rows", "more runs of rows"),
			count(moreCols, "of columns", "of columns"))
	}
}

// letter names a class: A … Z, a … z, then #; · for an unknown one.
func letter(class int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch {
	case class < 0:
		return "·"
	case class < len(letters):
		return letters[class : class+1]
	}
	return "#"
}

// share is a class and the number of its cells.
type share struct{ class, cells int }

// counts returns the shares by class, those without a letter of their own
// together, the unknown last.
func (c Cells) counts() []share {
	n := map[int]int{}
	for _, k := range c.Class {
		n[min(k, lettered)]++
	}
	var s []share
	for k, cells := range n {
		s = append(s, share{k, cells})
	}
	slices.SortFunc(s, func(a, b share) int {
		if (a.class < 0) != (b.class < 0) {
			return b.class - a.class
		}
		return a.class - b.class
	})
	return s
}

// lettered is the number of classes that have a letter.
const lettered = 52

func (c Cells) describe(k share) string {
	s := count(k.cells, "cell", "cells")
	switch {
	case k.class < 0:
		return s + " not known"
	case k.class == lettered:
		return s + " of further trees"
	case k.class < len(c.Names) && c.Names[k.class] != "":
		return s + " · " + c.Names[k.class]
	}
	return s
}

func (c Cells) check() error {
	cause := ""
	switch {
	case c.Rows < 1 || c.Cols < 1:
		cause = fmt.Sprintf("it has %d rows and %d columns", c.Rows, c.Cols)
	case len(c.Class) != c.Rows*c.Cols:
		cause = fmt.Sprintf("it has %d cells for %d rows of %d", len(c.Class), c.Rows, c.Cols)
	case slices.Min(c.Class) < -1:
		cause = fmt.Sprintf("a cell is of class %d", slices.Min(c.Class))
	}
	if cause == "" {
		return nil
	}
	return &probe.Fault{ID: "bad-cell-map", Thing: "the map of output cells", Cause: cause,
		Cure: "give each cell, row by row, its class, or −1 where it is not known"}
}

// CellSVG draws a map as a coloured grid with a legend. Areas that have room
// carry their letter, so that colours are not needed to read it; neighbouring
// cells of a class are one rectangle. It returns the errors that CellText does.
func CellSVG(w io.Writer, c Cells) error {
	if err := c.check(); err != nil {
		return err
	}
	d := Drawing{Title: c.Title}
	if d.Title == "" {
		d.Title = fmt.Sprintf("%d × %d cells", c.Rows, c.Cols)
	}
	p := &picture{d: &d, width: 360, height: margin + 18}
	p.text(margin, p.height, "lb-title", 17, d.Title)
	cell := min(24, max(640/float64(max(c.Rows, c.Cols)), 0.25))
	left, top := margin+34, p.height+34
	c.axes(p, left, top, cell)
	for _, a := range c.areas() {
		x, y := left+float64(float64(a.cols.from)*cell), top+float64(float64(a.rows.from)*cell)
		wide, high := float64(a.cols.to-a.cols.from)*cell, float64(a.rows.to-a.rows.from)*cell
		fmt.Fprintf(&p.over,
			`<rect class="lb-cell %s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s: `+
				`rows %s, columns %s</title></rect>`+"\n", cellClass(a.class), x, y, wide, high,
			letter(a.class), a.rows, a.cols)
		if min(wide, high) >= 12 {
			p.centred(x+float64(wide/2), y+float64(high/2)+4, "lb-on", letter(a.class))
		}
	}
	p.room(left+float64(float64(c.Cols)*cell), top+float64(float64(c.Rows)*cell))
	for _, k := range c.counts() {
		p.height += 24
		fmt.Fprintf(&p.over, `<rect class="lb-cell %s" x="%s" y="%s" width="16" height="16"/>`+"\n",
			cellClass(k.class), svg.Num(left), svg.Num(p.height-12))
		p.centred(left+8, p.height, "lb-on", letter(k.class))
		p.text(left+24, p.height, "lb-sub", 12.5, c.describe(k))
	}
	_, err := w.Write(p.finish())
	return err
}

func cellClass(class int) string {
	if class < 0 {
		return "lb-unknown"
	}
	return fmt.Sprintf("lb-c%d", class%palette)
}

// axes numbers the borders between runs of rows and columns that have room.
func (c Cells) axes(p *picture, left, top, cell float64) {
	rows, cols := c.fold()
	last := -100.0
	for _, s := range cols {
		if x := left + float64(float64(s.from)*cell); x-last >= 30 {
			fmt.Fprintf(&p.over, `<text class="lb-detail" x="%s" y="%s">%d</text>`+"\n", svg.Num(x),
				svg.Num(top-6), s.from)
			last = x
		}
	}
	last = -100.0
	for _, s := range rows {
		if y := top + float64(float64(s.from)*cell); y-last >= 14 {
			fmt.Fprintf(&p.over, `<text class="lb-detail lb-end" x="%s" y="%s">%d</text>`+"\n",
				svg.Num(left-6), svg.Num(y+10), s.from)
			last = y
		}
	}
}

// area is a rectangle of cells of one class.
type area struct {
	class      int
	rows, cols span
}

// areas cuts the map into rectangles: runs along the rows, joined downwards
// where the row below has the same run.
func (c Cells) areas() []area {
	var done []area
	open := map[span]area{}
	for r := range c.Rows {
		now := map[span]area{}
		row := c.Class[r*c.Cols : (r+1)*c.Cols]
		for _, s := range fold(c.Cols, func(i, j int) bool { return row[i] == row[j] }) {
			a, ok := open[s]
			if !ok || a.class != row[s.from] {
				a = area{row[s.from], span{r, r}, s}
			} else {
				delete(open, s)
			}
			a.rows.to = r + 1
			now[s] = a
		}
		for _, a := range open {
			done = append(done, a)
		}
		open = now
	}
	for _, a := range open {
		done = append(done, a)
	}
	slices.SortFunc(done, func(a, b area) int {
		if a.rows.from != b.rows.from {
			return a.rows.from - b.rows.from
		}
		return a.cols.from - b.cols.from
	})
	return done
}
