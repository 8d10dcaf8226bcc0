package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// lineWidth is how wide tables and sentences are at most, but for a word that is
// wider itself. It does not depend on the terminal, so that what a person sees and
// what a file holds are the same.
const lineWidth = 100

// widestTarget is the widest address that has a column: a longer one, such as the
// path of a library, gets a line of its own.
const widestTarget = 27

// group is a set of targets that agree, as a table shows it.
type group struct {
	letter, words string
	members       []member
}

// member is a target of a group.
type member struct{ target, calls, proof string }

// writeGroups writes a table of groups, one line for each member. What a group is
// goes down the left side, on as many lines as it needs.
func writeGroups(w io.Writer, groups []group) {
	head := group{"", "order", []member{{"target", "calls", "proof"}}}
	all := append([]group{head}, groups...)
	var words, target, calls, proof int
	for _, g := range all {
		words = max(words, utf8.RuneCountInString(g.words))
		for _, m := range g.members {
			if n := utf8.RuneCountInString(m.target); n <= widestTarget {
				target = max(target, n)
			}
			calls, proof = max(calls, len(m.calls)), max(proof, utf8.RuneCountInString(m.proof))
		}
	}
	words = min(words, max(lineWidth-target-calls-proof-11, 24))
	for _, g := range all {
		left := wrapped(g.words, words)
		var right []string
		for _, m := range g.members {
			if utf8.RuneCountInString(m.target) > target {
				right = append(right, m.target)
				m.target = ""
			}
			right = append(right, fmt.Sprintf("%s  %*s  %s", pad(m.target, target), calls, m.calls, m.proof))
		}
		for k := range max(len(left), len(right)) {
			letter := g.letter
			if k > 0 {
				letter = ""
			}
			line := "  " + pad(letter, 2) + " " + pad(at(left, k), words) + "  " + at(right, k)
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// at is the element k of a list, or nothing.
func at(list []string, k int) string {
	if k < len(list) {
		return list[k]
	}
	return ""
}

// wrapped breaks a text into lines of at most width characters, at spaces and
// after plus signs; a word that is longer stays whole.
func wrapped(s string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, part := range breakable(s) {
		n := utf8.RuneCountInString(strings.TrimRight(part, " "))
		if length > 0 && length+n > width {
			lines, line, length = append(lines, strings.TrimRight(line, " ")), "", 0
		}
		line += part
		length += utf8.RuneCountInString(part)
	}
	return append(lines, strings.TrimRight(line, " "))
}

// breakable cuts a text after every space and every plus sign.
func breakable(s string) []string {
	var parts []string
	for {
		i := strings.IndexAny(s, " +")
		if i < 0 || i == len(s)-1 {
			return slices.Concat(parts, []string{s})
		}
		parts, s = append(parts, s[:i+1]), s[i+1:]
	}
}

// writeWrapped writes a text with a first line that begins with one indent, and
// others with as many spaces.
func writeWrapped(w io.Writer, indent, s string) {
	n := utf8.RuneCountInString(indent)
	for _, line := range wrapped(s, lineWidth-n) {
		fmt.Fprintln(w, strings.TrimRight(indent+line, " "))
		indent = strings.Repeat(" ", n)
	}
}
