package describe

import (
	"slices"
	"strings"

	"github.com/lastbit/lastbit/reveal"
)

// BriefApart is Brief for a list of findings. Where two of different groups
// have the same words it adds the traits that they differ in, or "another tree"
// to the later one.
func BriefApart(findings []*reveal.Finding, group []int) []string {
	words := make([]string, len(findings))
	for i, f := range findings {
		words[i] = Brief(f)
	}
	apart := make([]string, len(findings))
	for i, f := range findings {
		var named []string
		another := false
		for j, g := range findings {
			if group[i] == group[j] || words[i] != words[j] || f.Tree == nil || g.Tree == nil {
				continue
			}
			same := f.Tree.Equal(g.Tree)
			another = another || !same && j < i
			if f.Verified && g.Verified {
				named = append(named, traitsApart(f, g)...)
			}
		}
		apart[i] = words[i]
		if another {
			apart[i] += ", another tree"
		}
		apart[i] += strings.Join(once(named), "")
	}
	return apart
}

// traitsApart describes the traits of f that are other ones in g, each after a
// comma.
func traitsApart(f, g *reveal.Finding) []string {
	var named []string
	others := traits(g)
	for _, t := range traits(f) {
		if t.Value != unknown && !slices.Contains(others, t) {
			named = append(named, ", "+describeTrait(t))
		}
	}
	if g.IsMean() && !f.IsMean() {
		named = append(named, ", "+doesNotDivide)
	}
	return named
}

// once removes what a list already holds.
func once(list []string) []string {
	seen := map[string]bool{}
	var all []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	return all
}
