package open

import (
	"slices"
	"strings"

	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

// maxMeant bounds the addresses of a question.
const maxMeant = 3

// ask returns the question "did you mean a or b?", or "" for no addresses.
func ask(meant []string) string {
	if len(meant) == 0 {
		return ""
	}
	return "did you mean " + prose.List(meant, "or") + "?"
}

// guesses returns the likely addresses for a word without a scheme: the names
// that equal the word after their scheme, else after their last dot, and the
// drivers' own guesses.
func (t Table) guesses(word string) []string {
	names := t.Names()
	meant := matching(names, word, bare)
	if len(meant) == 0 {
		meant = matching(names, word, function)
	}
	for _, d := range t {
		if d.Guess == nil {
			continue
		}
		if address := d.Guess(word); address != "" && !slices.Contains(meant, address) {
			meant = append(meant, address)
		}
	}
	return meant[:min(len(meant), maxMeant)]
}

// matching returns the names with a part that equals the word.
func matching(names []string, word string, part func(name string) string) []string {
	var found []string
	for _, name := range names {
		if strings.EqualFold(part(name), word) {
			found = append(found, name)
		}
	}
	return found
}

// bare returns an address without its scheme.
func bare(address string) string {
	_, rest, _ := strings.Cut(address, ":")
	return rest
}

// function returns the part of an address after the last dot or colon.
func function(address string) string {
	return address[strings.LastIndexAny(address, ":.")+1:]
}

// nearest returns the names that differ from an address by few letters, with or
// without a scheme.
func (t Table) nearest(address string) []string {
	whole := map[string]string{}
	var words []string
	for _, name := range t.Names() {
		for _, word := range []string{name, bare(name)} {
			if _, known := whole[word]; !known {
				whole[word] = name
				words = append(words, word)
			}
		}
	}
	var meant []string
	for _, word := range suggest.Closest(address, words) {
		if name := whole[word]; name != address && !slices.Contains(meant, name) {
			meant = append(meant, name)
		}
	}
	return meant
}
