package cli

import (
	"io"
	"maps"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Short names for package text.

func table(w io.Writer, indent string, rows [][]string, right map[int]bool) {
	text.Table(w, indent, rows, slices.Collect(maps.Keys(right))...)
}

func list(names []string) string { return text.List(names) }
func visible(s string) string    { return text.Visible(s) }
