package proof

import (
	"math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// tested is a node under test and the two operands that get its masks.
type tested struct {
	node int32
	a, b int32 // indices of children
}

// certificateGroups returns the groups of nodes whose masks share an input.
// isLarge chooses siblingGroups, for a binary tree.
func certificateGroups(t *sumtree.Tree, isLarge bool) [][]tested {
	if isLarge {
		return siblingGroups(t)
	}
	var groups [][]tested
	for _, nodes := range levels(t, t.Heights()) {
		// Round r gives every node its r-th pair of operands.
		for r := 0; ; r++ {
			var now []tested
			for _, v := range nodes {
				if a, b, ok := operandPair(len(t.Children(int(v))), r); ok {
					now = append(now, tested{v, int32(a), int32(b)})
				}
			}
			if len(now) == 0 {
				break
			}
			groups = append(groups, separate(now)...)
		}
	}
	return groups
}

// siblingGroups returns two groups for every depth of a binary tree, or one
// where that has all nodes: the second has those whose first sibling is a node
// as well.
func siblingGroups(t *sumtree.Tree) [][]tested {
	n := t.Leaves()
	level := make([]int32, t.Nodes()) // twice the depth, and 1 in the second group
	for id := t.Root(); id >= n; id-- {
		kids := t.Children(id)
		below := level[id]&^1 + 2
		if a := int(kids[0]); a >= n {
			level[a], below = below, below+1
		}
		if b := int(kids[1]); b >= n {
			level[b] = below
		}
	}
	var groups [][]tested
	for _, nodes := range levels(t, level) {
		group := make([]tested, len(nodes))
		for k, v := range nodes {
			group[k] = tested{v, 0, 1}
		}
		groups = append(groups, group)
	}
	return groups
}

// levels returns the inner nodes of each level, those levels that have any.
func levels(t *sumtree.Tree, level []int32) [][]int32 {
	all := make([][]int32, slices.Max(level)+1)
	sizes := make([]int, len(all))
	for id := t.Leaves(); id < t.Nodes(); id++ {
		sizes[level[id]]++
	}
	for l, size := range sizes {
		all[l] = make([]int32, 0, size)
	}
	for id := t.Leaves(); id < t.Nodes(); id++ {
		all[level[id]] = append(all[level[id]], int32(id))
	}
	return slices.DeleteFunc(all, func(nodes []int32) bool { return len(nodes) == 0 })
}

// operandPair returns the r-th pair of c operands.
func operandPair(c, r int) (a, b int, ok bool) {
	for b = 1; b < c; b++ {
		if r < b {
			return r, b, true
		}
		r -= b
	}
	return 0, 0, false
}

// separate makes groups such that for any two nodes some group holds the first
// and not the second. Every node gets a code of t bits, ⌊t/2⌋ of them set (one,
// where t is 1), and group k has the nodes whose bit k is set. No code of equal
// weight contains another, and t groups serve C(t, ⌊t/2⌋) nodes, the largest
// number possible.
//
// References:
//   - [Sperner1928] Emanuel Sperner. Ein Satz über Untermengen einer endlichen
//     Menge. Mathematische Zeitschrift 27:544–548, 1928.
func separate(nodes []tested) [][]tested {
	t := 1
	for binomial(t, t/2) < len(nodes) {
		t++
	}
	groups := make([][]tested, t)
	code := uint64(1)<<max(1, t/2) - 1
	for _, v := range nodes {
		for c := code; c != 0; c &= c - 1 {
			k := bits.TrailingZeros64(c)
			groups[k] = append(groups[k], v)
		}
		// The next larger code of the same weight.
		low := code & -code
		ripple := code + low
		code = ripple | (code^ripple)/low>>2
	}
	out := groups[:0]
	for _, g := range groups {
		if len(g) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// binomial returns C(n, k) for n ≤ 40, where it does not overflow.
func binomial(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// maskedArithmetic returns an arithmetic that gives a structure's logical form
// its count: masks of 2^200 absorb every count, in fused sums too.
func maskedArithmetic(t *sumtree.Tree) sumtree.Arithmetic {
	a := sumtree.Plain(fp.Binary64)
	if t.MaxArity() > 2 {
		a.Nodes.Align = 50
	}
	return a
}
