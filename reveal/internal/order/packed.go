package order

import (
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// packed inserts leaf after leaf into a growing tree, several at once, by set
// probes: a mask pair on two leaves and powers of two on up to p others, zeros
// elsewhere. The output is then a bit mask: which of the others lie outside the
// lowest common ancestor of the pair. Pairs under disjoint nodes share a call.
//
// It is a sample sort. Some leaves, the pivots, are inserted first. The nodes
// they make are arranged once as a binary search (plan.go), which takes all
// other leaves to a spot each: the edges below one node. Leaves that share a
// spot are sorted there in the same way (spot.go). Leaves are taken up in
// random order, so that no shape of tree is worst.
//
// With multiway false every node found is binary, and the certificate shows
// whether that was so.
//
// Questions: about n·log2(n)/p for any tree, p being the bits of the format,
// and no more than twice that; a chain, whose nodes are never disjoint, takes
// about n. The work of its own for a question is O(p).
func packed(c *ask.Channel, multiway bool) (*sumtree.Tree, error) {
	if c.N == 1 {
		return sumtree.NewBuilder(1).Tree()
	}
	g := newGrower(c, multiway)
	n := float64(c.N)
	//lastbit:ignore floatconv,libm an estimate of the work
	c.Expect("packed", int(n*math.Log2(n)/float64(g.bits)*1.2))
	for g.queue.count > 0 {
		if err := g.ask(); err != nil {
			return nil, err
		}
	}
	var kids []int
	return build(c.N, g.root, func(id int) []int {
		kids = kids[:0]
		for _, k := range g.children(id) {
			kids = append(kids, int(k))
		}
		return kids
	})
}

func packedBinary(c *ask.Channel) (*sumtree.Tree, error)   { return packed(c, false) }
func packedMultiway(c *ask.Channel) (*sumtree.Tree, error) { return packed(c, true) }

// packedOrMultiway claims a binary tree, or, where the certificate contradicts
// that, a multiway one: some sums may be fused.
func packedOrMultiway(s *Search) (Claim, error) {
	t, err := packed(s.Channel, false)
	if err == nil && !s.Holds(t) {
		t, err = packed(s.Channel, true)
	}
	return Claim{Tree: t}, err
}
