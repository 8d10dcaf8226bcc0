package order

import (
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// noNode means no node: above the root.
const noNode = -1

// grower is the growing tree of packed, and the questions that are open.
type grower struct {
	c        *ask.Channel
	multiway bool
	bits     int
	queue    queue
	planner  planner

	root   int
	parent []int32   // of leaves and inner nodes; noNode for the root
	kids   [][]int32 // of inner nodes
	store  []int32   // where the next kids are stored
	rep    []int32   // a leaf under a node
	tour   tour      // of inner nodes
}

// newGrower returns the tree of one leaf, with all others to be inserted.
func newGrower(c *ask.Channel, multiway bool) *grower {
	g := &grower{c: c, multiway: multiway, bits: c.Scale.Bits, tour: newTour(),
		parent: make([]int32, c.N, 2*c.N), rep: make([]int32, c.N, 2*c.N)}
	g.planner.g = g
	leaves := make([]int32, c.N)
	for i, leaf := range c.Rand.Perm(c.N) {
		g.rep[i] = int32(i)
		leaves[i] = int32(leaf)
	}
	g.root = int(leaves[0])
	g.parent[g.root] = noNode
	g.send(atSpot(noNode), leaves[1:], &batch{left: c.N - 1})
	return g
}

func (g *grower) isLeaf(v int32) bool { return int(v) < g.c.N }

// inner returns the number of an inner node, from 0.
func (g *grower) inner(v int) int { return v - g.c.N }

func (g *grower) children(v int) []int32 { return g.kids[g.inner(v)] }

// newNode adds a node over two others. Its place in the tour is left open.
func (g *grower) newNode(parent int32, a, b int32) int {
	v := g.c.N + len(g.kids)
	if len(g.store) < 2 {
		const block = 1024
		g.store = make([]int32, 2*block)
	}
	kids := g.store[:2:2]
	g.store = g.store[2:]
	kids[0], kids[1] = a, b
	g.kids = append(g.kids, kids)
	g.parent = append(g.parent, parent)
	g.rep = append(g.rep, g.rep[a])
	g.parent[a], g.parent[b] = int32(v), int32(v)
	return v
}

// insertAbove puts the leaf on the edge between v and its parent, and returns
// the new node.
func (g *grower) insertAbove(v, leaf int32) int {
	up := g.parent[v]
	w := g.newNode(up, v, leaf)
	switch {
	case !g.isLeaf(v):
		g.tour.wrap(g.inner(int(v)))
	case up == noNode:
		g.tour.open(noNode)
	default:
		g.tour.open(g.inner(int(up)))
	}
	if up == noNode {
		g.root = w
		return w
	}
	kids := g.children(int(up))
	kids[slices.Index(kids, v)] = int32(w)
	return w
}

// join makes the leaf a further child of v.
func (g *grower) join(v int, leaf int32) {
	g.kids[g.inner(v)] = append(g.kids[g.inner(v)], leaf)
	g.parent[leaf] = int32(v)
}

// areDisjoint reports whether neither of two inner nodes contains the other.
func (g *grower) areDisjoint(u, v int) bool {
	return g.tour.areDisjoint(g.inner(u), g.inner(v))
}
