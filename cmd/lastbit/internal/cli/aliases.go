package cli

import (
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

func table(w io.Writer, indent string, rows [][]string, right map[int]bool) {
	var columns []int
	for i, aligned := range right {
		if aligned {
			columns = append(columns, i)
		}
	}
	text.Table(w, indent, rows, columns...)
}

func writeWrapped(w io.Writer, indent, s string) { text.WriteWrapped(w, indent, s) }
func list(names []string) string                 { return text.List(names) }
func visible(s string) string                    { return text.Visible(s) }
