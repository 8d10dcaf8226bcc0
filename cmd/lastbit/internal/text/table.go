package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table writes rows in aligned columns, each line after indent. The columns
// listed in right are aligned to the right, as numbers are. In a terminal that
// is far too narrow, cells follow each other without columns.
func Table(w io.Writer, indent string, rows [][]string, right ...int) {
	width := columnWidths(rows)
	total := Width(indent) + 2*(len(width)-1)
	for _, n := range width {
		total += n
	}
	if p := For(w); p.Width > 0 && 4*total > 5*p.Width {
		for _, row := range rows {
			writeCells(p, indent, row)
		}
		return
	}
	for _, row := range rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			if slices.Contains(right, i) {
				line.WriteString(strings.Repeat(" ", width[i]-Width(cell)) + cell)
			} else {
				line.WriteString(Pad(cell, width[i]))
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
