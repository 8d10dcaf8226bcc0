// Package prose formats lists for sentences.
package prose

import (
	"fmt"
	"strings"
)

// List returns the values as a phrase, the last two of them joined by a word:
// "f64, f32 and f16" for "and".
func List[T any](values []T, word string) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			b.WriteString(" " + word + " ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}
