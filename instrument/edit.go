package instrument

import (
	"bytes"
	"slices"
)

// An edit replaces src[from:to].
type edit struct {
	from, to int
	text     string
}

// apply performs edits that do not overlap. Insertions at one place keep their
// order.
func apply(src []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(src[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(src[at:])
	return out.Bytes()
}
