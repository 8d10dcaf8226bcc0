package proof

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// minSplit is the least number of leaves of a tree that is certified by splits.
const minSplit = 256

// maxRandomTriples bounds the triples of random leaves that go with splits.
const maxRandomTriples = 256

// certifySplits proves the structure of a claimed binary tree with one input
// for many of its nodes. ok is false where it does not: the claim may still be
// right.
//
// Of a node v with operands x and y it asks, with a large summand on a leaf b
// of y and tiny ones on all leaves of x, whether these meet each other before
// any meets b; and the same of y and a leaf of x. By induction from the root,
// every claimed subtree is one of the implementation. Let v be one. Then some
// subtree X of the implementation has all leaves of x and not b, and some Y all
// leaves of y and not a. They are disjoint: the larger of two nested ones would
// have its large summand too. Both are within v, which has only the leaves of x
// and of y. So X is x, and Y is y. Where x has too many leaves for one input,
// parts of them are asked, which have one leaf in common: the subtrees that
// have that leaf are nested.
//
// Nodes of one depth share an input where the claimed tree above them, which
// the induction has proven by then, adds equal numbers of them in twos: see
// ask.SplitLevels. There one split that does not add a last place makes the
// result as if no split did, since sums in larger and larger summands do not
// fall.
//
// All that takes for granted that every addition rounds to one format. A sum of
// wider ones would keep tiny summands one by one, so every node is asked for
// that too: a large summand on a leaf loses tiny ones on one leaf of each
// operand that is added to it on its way to the root. These ways cover all
// nodes. Triples of random leaves follow.
func certifySplits(
	c *ask.Channel, l *ask.Levels, t *sumtree.Tree, done *Certificate,
) (ok bool, err error) {
	s, err := ask.FindSplitLevels(c, l)
	if s == nil || err != nil {
		return false, err
	}
	start := c.Calls()
	defer func() { done.Calls += c.Calls() - start }()
	x := newSplitProof(c, t)
	if ok, err := x.losesAll(l, done); !ok || err != nil {
		return ok, err
	}
	return x.nodes(s, done)
}

// splitProof is a proof by splits.
type splitProof struct {
	c       *ask.Channel
	t       *sumtree.Tree
	parents []int32
	order   []int32
	lo, hi  []int32
	lanes   []int
	waiting [][]ask.Split // groups that fit
}

func newSplitProof(c *ask.Channel, t *sumtree.Tree) *splitProof {
	x := &splitProof{c: c, t: t, parents: t.Parents(), lanes: c.Pool()}
	x.order, x.lo, x.hi = t.LeafOrder()
	return x
}

// nodes asks the splits of all nodes, top down.
func (x *splitProof) nodes(s *ask.SplitLevels, done *Certificate) (bool, error) {
	for _, nodes := range levels(x.t, x.t.Depths()) {
		if ok, err := x.level(s, nodes, done); !ok || err != nil {
			return ok, err
		}
	}
	return x.flush(s)
}

// leaf returns a random leaf under a node.
func (x *splitProof) leaf(v int32) int {
	return int(x.order[x.lo[v]+int32(x.c.Rand.IntN(int(x.hi[v]-x.lo[v])))])
}

// nodeSplit is a split of one node.
type nodeSplit struct {
	node int32
	ask.Split
}

// level asks the splits of nodes of one depth.
func (x *splitProof) level(s *ask.SplitLevels, nodes []int32, done *Certificate) (bool, error) {
	pending := make([][]nodeSplit, 0, len(nodes))
	for _, v := range nodes {
		pending = append(pending, x.splitsOf(v, s.MaxTiny(x.c)))
	}
	for {
		var now []nodeSplit // the next split of each node
		for k, all := range pending {
			if len(all) > 0 {
				now, pending[k] = append(now, all[0]), all[1:]
			}
		}
		if len(now) == 0 {
			return true, nil
		}
		for len(now) > 0 {
			group, rest := x.pairs(now)
			ok, err := x.add(s, group)
			if !ok || err != nil {
				return ok, err
			}
			done.Tests += len(group)
			now = rest
		}
	}
}

// splitsOf returns the splits of a node with at most size tiny summands each.
func (x *splitProof) splitsOf(v int32, size int) (all []nodeSplit) {
	kids := x.t.Children(int(v))
	for k, u := range kids {
		leaves := x.order[x.lo[u]:x.hi[u]]
		if len(leaves) < 2 {
			continue
		}
		for rest := leaves[1:]; len(rest) > 0; {
			part := rest[:min(size-1, len(rest))]
			rest = rest[len(part):]
			tiny := []int{int(leaves[0])}
			for _, i := range part {
				tiny = append(tiny, int(i))
			}
			all = append(all, nodeSplit{v, ask.Split{Big: x.leaf(kids[1-k]), Tiny: tiny}})
		}
	}
	return all
}

// pairs returns splits whose nodes, of one depth, meet in twos and twos of
// these, as equal numbers everywhere, and the rest of all.
func (x *splitProof) pairs(all []nodeSplit) (group, rest []nodeSplit) {
	type part struct {
		at     int32
		splits []nodeSplit
	}
	parts := make([]part, len(all))
	for k, s := range all {
		parts[k] = part{s.node, []nodeSplit{s}}
	}
	for len(parts) > 1 {
		first := map[int32]int{}
		var up []part
		for _, p := range parts {
			p.at = x.parents[p.at]
			k, met := first[p.at]
			if !met {
				first[p.at] = len(up)
				up = append(up, p)
				continue
			}
			switch q := &up[k]; {
			case len(p.splits) == len(q.splits):
				q.splits = append(q.splits, p.splits...)
			case len(p.splits) > len(q.splits):
				rest, q.splits = append(rest, q.splits...), p.splits
			default:
				rest = append(rest, p.splits...)
			}
		}
		parts = up
	}
	return parts[0].splits, rest
}

// add asks a group with the next ones, or halves of it where the result would
// not show its answer. ok is false where the answer of one split alone does not
// show, or an answer contradicts the claim.
func (x *splitProof) add(s *ask.SplitLevels, group []nodeSplit) (ok bool, err error) {
	splits := make([]ask.Split, len(group))
	for k, n := range group {
		splits[k] = n.Split
	}
	fits, err := s.Fit(x.c, splits)
	switch {
	case err != nil || !fits && len(group) == 1:
		return false, err
	case !fits:
		half := len(group) / 2
		if ok, err := x.add(s, group[:half]); !ok || err != nil {
			return ok, err
		}
		return x.add(s, group[half:])
	}
	if x.waiting = append(x.waiting, splits); len(x.waiting) < len(x.lanes) {
		return true, nil
	}
	return x.flush(s)
}

// flush asks the groups that wait.
func (x *splitProof) flush(s *ask.SplitLevels) (bool, error) {
	now := x.waiting
	x.waiting = nil
	if len(now) == 0 {
		return true, nil
	}
	return s.AllAdd(x.c, x.lanes, now...)
}

// losesAll asks some leaves, chosen so that their paths to the root cover all
// nodes.
func (x *splitProof) losesAll(l *ask.Levels, done *Certificate) (bool, error) {
	heights := x.t.Heights()
	covered := make([]bool, x.t.Nodes())
	var splits []ask.Split
	for id := x.t.Root(); id >= x.t.Leaves(); id-- {
		if covered[id] {
			continue
		}
		v := id
		for !x.t.IsLeaf(v) {
			covered[v] = true
			kids := x.t.Children(v)
			if v = int(kids[0]); heights[kids[1]] > heights[kids[0]] {
				v = int(kids[1])
			}
		}
		splits = append(splits, x.pathSplit(v))
	}
	for len(splits) > 0 {
		now := splits[:min(len(splits), len(x.lanes))]
		splits = splits[len(now):]
		if ok, err := l.LosesAll(x.c, x.lanes, now...); !ok || err != nil {
			return ok, err
		}
		done.Tests += len(now)
	}
	return true, nil
}

// pathSplit returns a leaf as the large summand, and one leaf under each
// operand that is added to it on the way to the root as the tiny ones.
func (x *splitProof) pathSplit(leaf int) ask.Split {
	s := ask.Split{Big: leaf}
	for v := int32(leaf); x.parents[v] >= 0; v = x.parents[v] {
		kids := x.t.Children(int(x.parents[v]))
		other := kids[0]
		if other == v {
			other = kids[1]
		}
		s.Tiny = append(s.Tiny, x.leaf(other))
	}
	return s
}
