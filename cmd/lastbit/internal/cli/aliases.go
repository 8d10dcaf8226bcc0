package cli

import (
	"io"
	"maps"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Short names for packages text and describe.

func table(w io.Writer, indent string, rows [][]string, right map[int]bool) {
	text.Table(w, indent, rows, slices.Collect(maps.Keys(right))...)
}

func pad(s string, width int) string                       { return text.Pad(s, width) }
func writeWrapped(w io.Writer, indent, s string)           { text.WriteWrapped(w, indent, s) }
func list(names []string) string                           { return text.List(names) }
func visible(s string) string                              { return text.Visible(s) }
func decimal(x float64, f fp.Format) string                { return text.Decimal(x, f) }
func hex(x float64, f fp.Format) string                    { return text.Hex(x, f) }
func orWord(s, other string) string                        { return text.Or(s, other) }
func library(k probe.Key) string                           { return describe.Library(k) }
