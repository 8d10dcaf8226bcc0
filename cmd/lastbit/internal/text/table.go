package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table writes rows in aligned columns, each line after indent. The columns
// listed in right are aligned to the right, as numbers are.
func Table(w io.Writer, indent string, rows [][]string, right ...int) {
	width := columnWidths(rows)
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
