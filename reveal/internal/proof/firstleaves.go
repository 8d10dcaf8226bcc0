package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// An accumulator that begins with +0 and flushes its sums flushes its first
// summand alone; one that is narrower than the summands rounds it alone. In a
// loop that goes backward this is the later leaf of a pair, and in a block of
// one summand a leaf that is added to a sum.

// The limits of firstLeaves: a group of leaves that are each asked, of more
// leaves the number of those spread over all, and a group that is asked in full
// where these differ.
const (
	maxFirst      = 1 << 6
	spreadFirst   = 1 << 3
	maxMixedFirst = 1 << 8
)

// findFirst returns the leaves that are flushed alone before they are added, as
// the first of each accumulator is. It is nil where all are, and for an
// arithmetic whose results do not show them: each leaf is half of the least
// normal number, beside that number in the operand that it is added to.
func findFirst(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, samples *[]ask.Sample,
) ([]bool, error) {
	if !base.FTZ || !base.PlusZero || base.Squares || base.Products || base.Mean ||
		len(base.Weights) > 0 || base.Neighbours != 0 || c.N > maxEdges || t.MaxArity() > 2 {
		return nil, nil
	}
	least := c.Key.DType.MinNormal()
	first, err := firstLeaves(c, t, lone{leaf: least / 2, other: least, first: least}, samples)
	if !slices.Contains(first, false) {
		return nil, err // inputs may be flushed, whatever they are added to
	}
	return first, err
}

// RoundedFirst returns the leaves that are rounded to a narrower format before
// they are added: a number beyond its places, beside its rounded opposite in
// the operand that it is added to, gives zero.
func RoundedFirst(
	c *ask.Channel, t *sumtree.Tree, narrow fp.Format, samples *[]ask.Sample,
) (sumtree.Ranges, error) {
	beyond := math.Ldexp(1, -narrow.Precision()-6)
	first, err := firstLeaves(c, t, lone{leaf: 1 + beyond, other: -1}, samples)
	return sumtree.RangesOf(first), err
}

// lone is a question about a leaf that is not added to another operand at once:
// its value, the value of that operand, and the result for a leaf that is the
// first of an accumulator.
type lone struct{ leaf, other, first float64 }

// firstLeaves asks a question about each leaf, or about some leaves of many,
// and returns those that are the first of an accumulator.
func firstLeaves(
	c *ask.Channel, t *sumtree.Tree, q lone, samples *[]ask.Sample,
) ([]bool, error) {
	first := make([]bool, t.Leaves())
	for _, group := range leafGroups(t) {
		some := group
		if len(group) > maxFirst {
			some = someOf(group, spreadFirst)
		}
		same, err := q.ask(c, t, some, first, samples)
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
			if _, err := q.ask(c, t, group, first, samples); err != nil {
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

// ask asks which leaves of a group are the first of an accumulator, and writes
// it to first. It reports whether they are all alike.
func (q lone) ask(
	c *ask.Channel, t *sumtree.Tree, group []int, first []bool, samples *[]ask.Sample,
) (same bool, err error) {
	parents := t.Parents()
	order, lo, _ := t.LeafOrder()
	asked := make([]ask.Sample, len(group))
	for k, leaf := range group {
		kids := t.Children(int(parents[leaf]))
		other := kids[0]
		if int(other) == leaf {
			other = kids[1]
		}
		x := make([]float64, c.N)
		x[leaf], x[order[lo[other]]] = q.leaf, q.other
		asked[k] = ask.Sample{Kind: ask.Edge, X: x, Y: ones(c)}
	}
	c.Expect("subnormals", len(asked))
	if err := ask.AskSamples(c, asked); err != nil {
		return false, err
	}
	*samples = append(*samples, asked...)
	same = true
	for k, leaf := range group {
		first[leaf] = asked[k].Out == q.first
		same = same && first[leaf] == first[group[0]]
	}
	return same, nil
}

// someOf returns all of some leaves, or that many from the first to the last.
func someOf(leaves []int, most int) []int {
	if len(leaves) <= most {
		return leaves
	}
	some := make([]int, most)
	for k := range some {
		some[k] = leaves[k*(len(leaves)-1)/(most-1)]
	}
	return some
}

// storesParts reports whether a rounds some sums to a format of fewer bits than
// they are added in, as ranks do that exchange theirs.
func storesParts(a sumtree.Arithmetic) bool {
	return slices.ContainsFunc(a.Except, func(e sumtree.Exception) bool {
		return e.Arith.Store != 0 && a.Nodes.Store == 0
	})
}

// vanishingParts returns products that are −0, and one for each two leaves that
// are added to each other that is rounded to −0 where its part is stored.
func vanishingParts(c *ask.Channel, t *sumtree.Tree) ask.Sample {
	vanishes := make([]bool, c.N)
	for _, p := range leafPairs(t) {
		vanishes[p[1]] = true
	}
	return vanishingProducts(c, func(i int) bool { return vanishes[i] })
}
