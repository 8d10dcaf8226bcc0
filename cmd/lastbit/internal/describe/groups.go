package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// maxTarget bounds the width of the column of addresses. A longer address, such
// as the path of a library, gets a line of its own.
const maxTarget = 27

// Group is a set of targets that agree, as a table shows it.
type Group struct {
	Letter, Words string
	Members       []Member
}

// Member is a target of a group.
type Member struct{ Target, Calls, Proof string }

// GroupName returns A, B … Z, AA, AB … for 0, 1 …
func GroupName(g int) string {
	if g < 26 {
		return string(rune('A' + g))
	}
	return GroupName(g/26-1) + string(rune('A'+g%26))
}

// WriteGroups writes a table of groups, one line for each member. The words of a
// group run down the left side, on as many lines as they need.
func WriteGroups(w io.Writer, groups []Group) {
	head := Group{"", "order", []Member{{"target", "calls", "proof"}}}
	all := append([]Group{head}, groups...)
	width := groupWidths(all)
	for _, g := range all {
		left, right := text.Wrap(g.Words, width.words), width.memberLines(g.Members)
		for k := range max(len(left), len(right)) {
			letter := g.Letter
			if k > 0 {
				letter = ""
			}
			words := text.Pad(elementOrEmpty(left, k), width.words)
			line := "  " + text.Pad(letter, 2) + " " + words + "  " + elementOrEmpty(right, k)
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// columns holds the widths of a table of groups.
type columns struct{ words, target, calls int }

// groupWidths returns the widths at which no line is wider than text.LineWidth,
// except for addresses and single words that are too long.
func groupWidths(groups []Group) columns {
	var c columns
	proof := 0
	for _, g := range groups {
		c.words = max(c.words, text.Width(g.Words))
		for _, m := range g.Members {
			if n := text.Width(m.Target); n <= maxTarget {
				c.target = max(c.target, n)
			}
			c.calls, proof = max(c.calls, len(m.Calls)), max(proof, text.Width(m.Proof))
		}
	}
	c.words = min(c.words, max(text.LineWidth-c.target-c.calls-proof-11, 24))
	return c
}

// memberLines returns the right side of a group: one line for each member, two
// where the address is too long.
func (c columns) memberLines(members []Member) []string {
	var lines []string
	for _, m := range members {
		if text.Width(m.Target) > c.target {
			lines = append(lines, m.Target)
			m.Target = ""
		}
		target := text.Pad(m.Target, c.target)
		lines = append(lines, fmt.Sprintf("%s  %*s  %s", target, c.calls, m.Calls, m.Proof))
	}
	return lines
}

// elementOrEmpty returns element k of a list, or "" past its end.
func elementOrEmpty(list []string, k int) string {
	if k < len(list) {
		return list[k]
	}
	return ""
}
