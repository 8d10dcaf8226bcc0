package proof

import "github.com/lastbit/lastbit/sumtree"

// storedFirst returns the arithmetic that rounds all products to the format of
// sums, and differs from a in products that vanish only: where sums are stored
// in a shorter format, and the accumulator holds each product exactly, the
// products that a rounds alone are the first ones, which +0 is added to.
func storedFirst(t *sumtree.Tree, a sumtree.Arithmetic) []sumtree.Arithmetic {
	if a.Nodes.Store == 0 || a.Nodes.Acc.Precision() < 2*a.In.Precision() {
		return nil
	}
	first := a.FusedLeaves(t)
	for i := range first {
		first[i] = !first[i]
	}
	a.FMA, a.Fused, a.Product, a.Starts = sumtree.FMANone, nil, a.Nodes.Acc, sumtree.RangesOf(first)
	return []sumtree.Arithmetic{a}
}

// laterOfPairs returns the second leaves of each two that are added to each
// other.
func laterOfPairs(t *sumtree.Tree) sumtree.Ranges {
	later := make([]bool, t.Leaves())
	for _, p := range leafPairs(t) {
		later[p[1]] = true
	}
	return sumtree.RangesOf(later)
}

// startingRivals returns arithmetics that differ from a in products that vanish
// only: the leaves of each pair that are not fused are added to +0, or all
// leaves.
func (x *openings) startingRivals(a sumtree.Arithmetic) []sumtree.Arithmetic {
	fuses := a.Products && a.FMA != sumtree.FMANone
	if !fuses || !a.PlusZero || a.PlusZeroOut || !losesProducts(a) {
		return nil
	}
	b, c := a, a
	b.Starts = x.pairStarts(a)
	c.Starts = sumtree.Ranges{{0, x.t.Leaves()}}
	return []sumtree.Arithmetic{b, c}
}
