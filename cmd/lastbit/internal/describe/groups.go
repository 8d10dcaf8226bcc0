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

// minWords is the narrowest column for the words of a group. Where a terminal
// leaves less, the words go above the members.
const minWords = 24

// WriteGroups writes a table of groups, one line for each member. The words of
// a group run down the left side, on as many lines as they need.
func WriteGroups(w io.Writer, groups []Group) {
	p := text.For(w)
	head := Group{"", "order", []Member{{"target", "calls", "proof"}}}
	c := fitColumns(p, append([]Group{head}, groups...))
	for _, line := range c.lines(head) {
		fmt.Fprintln(p, "     "+p.Faint(line))
	}
	number := 0
	for _, g := range groups {
		for k, line := range c.lines(g) {
			letter := ""
			if k == 0 {
				letter = g.Letter
			}
			line = "  " + text.Pad(p.Letter(number, letter), 2) + " " + line
			fmt.Fprintln(p, strings.TrimRight(line, " "))
		}
		if g.Letter != "" {
			number++
		}
	}
}

// columns holds the widths of a table of groups.
type columns struct {
	words, target, calls int
	stacked              bool // whether the words go above the members
}

// fitColumns returns the widths that make the lines of a table fit the
// printer's. Addresses that are too long for a column do not count.
func fitColumns(p *text.Printer, groups []Group) columns {
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
	room := p.LineWidth() - c.target - c.calls - proof - 11
	if c.stacked = p.Width > 0 && room < min(minWords, c.words); c.stacked {
		room = p.LineWidth() - 5
	}
	c.words = min(c.words, max(room, minWords))
	return c
}

// lines returns the lines of a group, without its letter.
func (c columns) lines(g Group) []string {
	left, right := text.Wrap(g.Words, c.words), c.memberLines(g.Members)
	if c.stacked {
		return append(left, right...)
	}
	lines := make([]string, max(len(left), len(right)))
	for k := range lines {
		words := text.Pad(elementOrEmpty(left, k), c.words)
		lines[k] = strings.TrimRight(words+"  "+elementOrEmpty(right, k), " ")
	}
	return lines
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
