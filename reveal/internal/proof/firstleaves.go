package proof

import (
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// An accumulator that begins with +0 and flushes its sums flushes its first
// summand alone. In a loop that goes backward this is the later leaf of a pair,
// and in a block of one summand a leaf that is added to a sum.

// The limits of findFirst: a group of leaves that are each asked, of more
// leaves the number of those spread over all, and a group that is asked in full
// where these differ.
const (
	maxFirst      = 1 << 6
	spreadFirst   = 1 << 3
	maxMixedFirst = 1 << 8
)

// findFirst returns the leaves that are flushed alone before they are added, as
// the first of each accumulator is. It is nil for an arithmetic whose results
// do not show them: each leaf is half of the least normal number, beside that
// number in the operand that it is added to.
func findFirst(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, samples *[]ask.Sample,
) ([]bool, error) {
	if !base.FTZ || !base.PlusZero || base.Squares || base.Products || base.Mean ||
		len(base.Weights) > 0 || base.Neighbours != 0 || c.N > maxEdges || t.MaxArity() > 2 {
		return nil, nil
	}
	first := make([]bool, t.Leaves())
	for _, group := range leafGroups(t) {
		some := group
		if len(group) > maxFirst {
			some = someOf(group, spreadFirst)
		}
		same, err := askFirst(c, t, some, first, samples)
		if err != nil {
			return nil, err
		}
		switch {
		case len(some) == len(group):
		case same:
			for _, leaf := range group {
				first[leaf] = first[some[0]]
			}
		case len(group) <= maxMixedFirst:
			if _, err := askFirst(c, t, group, first, samples); err != nil {
				return nil, err
			}
		}
	}
	return first, nil
}

// leafGroups returns the leaves in groups that are often alike: the earlier and
// the later ones of those that are added to each other, those that are added to
// sums, and of these a few at the end.
func leafGroups(t *sumtree.Tree) [][]int {
	var earlier, later []int
	for _, p := range leafPairs(t) {
		earlier, later = append(earlier, p[0]), append(later, p[1])
	}
	_, rest := beforeRests(t)
	lone := slices.DeleteFunc(loneLeaves(t), func(leaf int) bool {
		return slices.Contains(rest, leaf)
	})
	return [][]int{earlier, later, lone, rest}
}

// askFirst asks which leaves of a group are flushed alone, and writes it to
// first. It reports whether they are all alike.
func askFirst(
	c *ask.Channel, t *sumtree.Tree, group []int, first []bool, samples *[]ask.Sample,
) (same bool, err error) {
	parents := t.Parents()
	order, lo, _ := t.LeafOrder()
	least := c.Key.DType.MinNormal()
	asked := make([]ask.Sample, len(group))
	for k, leaf := range group {
		kids := t.Children(int(parents[leaf]))
		other := kids[0]
		if int(other) == leaf {
			other = kids[1]
		}
		x := make([]float64, c.N)
		x[leaf], x[order[lo[other]]] = least/2, least
		asked[k] = ask.Sample{Kind: ask.Edge, X: x}
	}
	c.Expect("subnormals", len(asked))
	if err := ask.AskSamples(c, asked); err != nil {
		return false, err
	}
	*samples = append(*samples, asked...)
	same = true
	for k, leaf := range group {
		first[leaf] = asked[k].Out == least
		same = same && first[leaf] == first[group[0]]
	}
	return same, nil
}
