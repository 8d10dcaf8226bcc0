// Package suggest finds the words that a mistyped word may mean.
//
// The distance between two words is the number of insertions, deletions,
// substitutions and swaps of neighbours that turn one into the other, where no
// part is edited twice: the restricted Damerau–Levenshtein distance (optimal
// string alignment). Upper and lower case are equal.
//
//	suggest.Closest("revael", []string{"reveal", "replay"}) // reveal
package suggest

import (
	"slices"
	"strings"
)

// maxWords bounds the words that Closest returns.
const maxWords = 3

// Closest returns at most three of the candidates, the nearest first, and in
// their own order where they are equally near. A candidate is near if one edit
// for every four letters of the word, and one more, reach it, or if it begins
// with the word; it is left out if the nearest is two edits nearer. Closest
// returns nil when none is near, or the word is empty.
func Closest(word string, candidates []string) []string {
	typed := []rune(strings.ToLower(word))
	if len(typed) == 0 {
		return nil
	}
	type match struct {
		word     string
		distance int
	}
	var near []match
	for _, c := range candidates {
		other := []rune(strings.ToLower(c))
		d := distance(typed, other)
		if len(typed) > 1 && len(other) > len(typed) && slices.Equal(other[:len(typed)], typed) {
			d = 1 // unfinished
		}
		if d <= 1+len(typed)/4 && d < len(typed) {
			near = append(near, match{c, d})
		}
	}
	slices.SortStableFunc(near, func(a, b match) int { return a.distance - b.distance })
	var words []string
	for _, m := range near {
		if len(words) == maxWords || m.distance > near[0].distance+1 {
			break
		}
		if !slices.Contains(words, m.word) {
			words = append(words, m.word)
		}
	}
	return words
}

// Question returns "did you mean a, b or c?" for the closest candidates, and ""
// when none is near.
func Question(word string, candidates []string) string {
	words := Closest(word, candidates)
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return "did you mean " + words[0] + "?"
	default:
		return "did you mean " + strings.Join(words[:n-1], ", ") + " or " + words[n-1] + "?"
	}
}

// distance returns the number of edits between two words. It fills the table of
// the distances between their prefixes by rows, and keeps three: a swap looks
// two rows back.
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range b {
			changed := above[j]
			if a[i] != b[j] {
				changed++
			}
			row[j+1] = min(changed, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
