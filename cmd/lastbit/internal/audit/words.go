package audit

import (
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// word is a family or a verdict, with its meaning.
type word struct{ Name, Meaning string }

// words returns the families and verdicts of a report, each once, families
// first.
func (r *Report) words() []word {
	var families, verdicts []word
	for _, t := range r.Tables {
		for _, g := range t.Groups {
			for _, f := range g.Members[0].findings() {
				if f.Verdict == reveal.TreeVerdict {
					name := text.Or(f.Family, describe.UnknownFamily)
					families = addWord(families, word{name, describe.FamilyMeaning(f)})
				}
				switch {
				case f.Verdict != reveal.TreeVerdict:
					verdicts = addWord(verdicts, word{describe.Name(f), f.Meaning()})
				case !f.Verified:
					verdicts = addWord(verdicts, word{"unverified", f.Meaning()})
				}
			}
		}
	}
	return append(families, verdicts...)
}

// addWord appends w unless its name is there.
func addWord(list []word, w word) []word {
	if slices.ContainsFunc(list, func(v word) bool { return v.Name == w.Name }) {
		return list
	}
	return append(list, w)
}
