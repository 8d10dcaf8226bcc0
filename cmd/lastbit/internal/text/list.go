package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// List joins names as prose does: "a, b or c".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Count returns n and the name of a thing, in the plural unless n is 1.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Spaced joins values with spaces.
func Spaced[T any](values []T) string {
	s := make([]string, len(values))
	for i, v := range values {
		s[i] = fmt.Sprint(v)
	}
	return strings.Join(s, " ")
}

// Or returns s, or other where s is empty.
func Or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Visible writes characters that would not show, or would move the cursor, as
// escapes of a Go string.
func Visible(s string) string {
	var b strings.Builder
	for i, r := range s {
		if _, n := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else if q := strconv.QuoteRune(r); !strconv.IsPrint(r) {
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
