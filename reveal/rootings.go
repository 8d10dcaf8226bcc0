package reveal

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// rootings returns the summation trees that answers about quartets allow. t has
// the right edges, but the last leaf for its root, and a rooting is a tree with
// the same edges and the root on one of them. rootings follows the edges
// towards the real root. It returns one tree for each edge between a node and a
// leaf where it cannot tell these edges apart.
func rootings(c *ask.Channel, q *proof.Quartets, t *sumtree.Tree) ([]*sumtree.Tree, error) {
	u := newUnrooted(t)
	for at := t.Root(); ; {
		next := -1
		for _, k := range t.Children(at) {
			v := int(k)
			if t.IsLeaf(v) {
				continue
			}
			inside, outside, err := u.orient(c, q, at, v)
			if err != nil {
				return nil, err
			}
			switch {
			case !inside && !outside:
				return []*sumtree.Tree{u.rootedAt(at, v)}, nil
			case inside && !outside:
				next = v
			case inside:
				return nil, &verdict.Fact{Reason: verdict.NoTree,
					What: "four squares do not meet in the order of the claimed tree"}
			}
		}
		if next < 0 {
			return u.rootedAtLeaves(at), nil
		}
		at = next
	}
}

// unrooted is a tree whose edges have no direction yet.
type unrooted struct {
	t     *sumtree.Tree // with the last leaf for its root
	last  int           // that leaf: a number that no node of t has
	up    []int32
	order []int32
	lo    []int32
}

func newUnrooted(t *sumtree.Tree) *unrooted {
	u := &unrooted{t: t, last: -1, up: t.Parents()}
	u.order, u.lo, _ = t.LeafOrder()
	return u
}

// orient reports whether the real root is below the edge from at down to the
// inner node v, and whether it is above that edge. It is on the edge otherwise.
func (u *unrooted) orient(
	c *ask.Channel, q *proof.Quartets, at, v int,
) (inside, outside bool, err error) {
	var sibling int
	for _, k := range u.t.Children(at) {
		if int(k) != v {
			sibling = u.under(int(k))
		}
	}
	kids := u.t.Children(v)
	a, b, r := u.under(int(kids[0])), u.under(int(kids[1])), u.t.Leaves()
	out, err := c.AskMain(nil,
		func(row []float64) { q.Fill(row, sibling, r, a, b) },
		func(row []float64) { q.Fill(row, a, b, sibling, r) })
	if err != nil {
		return false, false, err
	}
	inside, _ = q.Answer(out[0])
	outside, _ = q.Answer(out[1])
	return inside, outside, nil
}

// under returns a leaf under a node.
func (u *unrooted) under(v int) int { return int(u.order[u.lo[v]]) }

// rootedAtLeaves returns the trees whose root is on an edge from a node to a
// leaf.
func (u *unrooted) rootedAtLeaves(at int) []*sumtree.Tree {
	var all []*sumtree.Tree
	for _, v := range u.neighbours(at) {
		if v == u.last || u.t.IsLeaf(v) {
			all = append(all, u.rootedAt(at, v))
		}
	}
	return all
}

// neighbours returns the nodes that share an edge with an inner node.
func (u *unrooted) neighbours(v int) []int {
	all := []int{int(u.up[v])} // −1, the last leaf, above the root
	for _, k := range u.t.Children(v) {
		all = append(all, int(k))
	}
	return all
}

// rootedAt returns the tree whose root is on the edge between two nodes.
func (u *unrooted) rootedAt(v, w int) *sumtree.Tree {
	b := sumtree.NewBuilder(u.t.Leaves() + 1)
	var build func(v, from int) int
	build = func(v, from int) int {
		switch {
		case v == u.last:
			return u.t.Leaves()
		case u.t.IsLeaf(v):
			return v
		}
		var kids []int
		for _, k := range u.neighbours(v) {
			if k != from {
				kids = append(kids, build(k, v))
			}
		}
		return b.Node(kids...)
	}
	b.Node(build(v, w), build(w, v))
	return b.MustTree()
}
