// Package svg helps to write SVG by hand: coordinates, text and its width.
package svg

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Num returns a coordinate with at most one decimal.
func Num(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// Escape returns s as the text of an element or the value of an attribute.
func Escape(s string) string {
	var b strings.Builder
	// A strings.Builder never fails.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// TextWidth bounds the width of a text from above, by the widths of a wide face
// (DejaVu Sans), since a writer of pictures cannot measure text.
func TextWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("ijl.,:;'|! ", r):
			w += 0.36
		case r >= 'A' && r <= 'Z', strings.ContainsRune("mw…×→+−–", r):
			w += 0.84
		default:
			w += 0.64
		}
	}
	return w * size
}
