package text

import (
	"fmt"
	"io"
	"strings"
)

// Table writes rows in aligned columns, each line after indent. The columns
// listed in right are aligned to the right, as numbers are. In a terminal that
// is far too narrow, cells follow each other without columns.
func Table(w io.Writer, indent string, rows [][]string, right ...int) {
	h := Head{Indent: indent, Widths: columnWidths(rows)}
	h.Right = make([]bool, len(h.Widths))
	for _, i := range right {
		h.Right[i] = true
	}
	write := h.Writer(w, w)
	for _, row := range rows {
		write(row)
	}
}

// A Head describes the columns of a table whose rows are written one by one.
type Head struct {
	Indent string
	Widths []int  // of the columns, at least
	Right  []bool // columns that are aligned to the right
}

// Writer returns a function that writes a row to w, as Table does for the
// terminal that w writes to in the end.
func (h *Head) Writer(terminal, w io.Writer) func(row []string) {
	total := Width(h.Indent) + 2*(len(h.Widths)-1)
	for _, n := range h.Widths {
		total += n
	}
	if p := For(terminal); p.Width > 0 && 4*total > 5*p.Width {
		narrow := &Printer{Writer: w, Width: p.Width}
		return func(row []string) { writeCells(narrow, h.Indent, row) }
	}
	return func(row []string) {
		var line strings.Builder
		line.WriteString(h.Indent)
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			if h.Right[i] {
				line.WriteString(strings.Repeat(" ", h.Widths[i]-Width(cell)) + cell)
			} else {
				line.WriteString(Pad(cell, h.Widths[i]))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// writeCells writes the cells of a row, on as many lines as they need. Lines
// after the first are indented further.
func writeCells(p *Printer, indent string, row []string) {
	line, empty := indent, true
	for _, cell := range row {
		switch {
		case cell == "":
		case empty:
			line, empty = line+cell, false
		case Width(line)+2+Width(cell) > p.Width:
			fmt.Fprintln(p, line)
			line = indent + "    " + cell
		default:
			line += "  " + cell
		}
	}
	fmt.Fprintln(p, line)
}

// columnWidths returns the width of the widest cell of each column.
func columnWidths(rows [][]string) []int {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], Width(cell))
		}
	}
	return width
}
