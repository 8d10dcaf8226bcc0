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

// Wrap breaks s into lines of at most width characters, at spaces and between
// the parts of families (strided(8)+pairwise). A longer word stays whole.
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

// splitBreakable cuts s after every space, and after every plus sign that a
// letter follows: "pairwise+chain", but not "+0".
func splitBreakable(s string) []string {
	var parts []string
	start := 0
	for i := range len(s) - 1 {
		if s[i] == ' ' || s[i] == '+' && isLetter(s[i+1]) {
			parts, start = append(parts, s[start:i+1]), i+1
		}
	}
	return append(parts, s[start:])
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// WriteWrapped writes s in lines that fit the writer. The first line begins
// with indent, the others with as many spaces.
func WriteWrapped(w io.Writer, indent, s string) {
	writeWrapped(w, For(w).LineWidth(), indent, s)
}

// writeWrapped writes s after indent, in lines of at most width characters.
func writeWrapped(w io.Writer, width int, indent, s string) {
	n := Width(indent)
	for _, line := range Wrap(s, width-n) {
		fmt.Fprintln(w, strings.TrimRight(indent+line, " "))
		indent = strings.Repeat(" ", n)
	}
}
