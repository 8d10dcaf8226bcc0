// Package edit replaces parts of a text by others: programs that rewrite Go
// code note edits as they walk a syntax tree, and apply them at the end.
package edit

import (
	"cmp"
	"fmt"
	"slices"
)

// An Edit replaces the bytes of a text from From to To, which may be none.
type Edit struct {
	From, To int
	Text     string
}

// Apply returns a text with edits in any order. Insertions come before a
// replacement that begins at their place, and keep their order among
// themselves. Apply panics if two edits replace the same byte or one lies
// outside of the text.
func Apply(text []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	var out []byte
	at := 0
	for _, e := range edits {
		if e.From < at || e.To < e.From || e.To > len(text) {
			panic(fmt.Sprintf("edit: %d to %d of %d bytes is edited after %d: %q",
				e.From, e.To, len(text), at, e.Text))
		}
		out = append(out, text[at:e.From]...)
		out = append(out, e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}
