package text

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Width returns the number of characters that s takes on a terminal. Colour
// sequences (ESC [ … m) take none.
func Width(s string) int {
	n := 0
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		n += utf8.RuneCountInString(before)
		if !found {
			return n
		}
		_, s, _ = strings.Cut(rest, "m")
	}
}

// Pad appends spaces to s up to a width in characters.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// Shorten cuts s to at most width characters, the last of them "…".
func Shorten(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return s
}

// Wrap breaks s into lines of at most width characters, at spaces and after
// plus signs. A longer word stays whole.
func Wrap(s string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, part := range splitBreakable(s) {
		n := Width(strings.TrimRight(part, " "))
		if length > 0 && length+n > width {
			lines, line, length = append(lines, strings.TrimRight(line, " ")), "", 0
		}
		line += part
		length += Width(part)
	}
	return append(lines, strings.TrimRight(line, " "))
}

// splitBreakable cuts s after every space and every plus sign.
func splitBreakable(s string) []string {
	var parts []string
	for {
		i := strings.IndexAny(s, " +")
		if i < 0 || i == len(s)-1 {
			return append(parts, s)
		}
		parts, s = append(parts, s[:i+1]), s[i+1:]
	}
}

// WriteWrapped writes s in lines that fit the writer. The first line begins with
// indent, the others with as many spaces.
func WriteWrapped(w io.Writer, indent, s string) {
	p, n := For(w), Width(indent)
	for _, line := range Wrap(s, p.LineWidth()-n) {
		fmt.Fprintln(p, strings.TrimRight(indent+line, " "))
		indent = strings.Repeat(" ", n)
	}
}
