package order

import (
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// maxInFlight bounds the leaves that are looked for at the same time. Many fill
// the answers better: the calls needed at n = 1024 and 24 bits fall from 795 to
// 550 when 100 leaves in flight become all.
const maxInFlight = 4096

// grower is the growing tree of packed, and the leaves on their way into it.
type grower struct {
	c        *ask.Channel
	multiway bool
	bits     int
	waiting  []int // leaves not yet looked at
	pending  []*seeker

	root   int
	parent []int   // of leaves and inner nodes; noNode for the root
	kids   [][]int // of inner nodes
	rep    []int   // a leaf under a node
	region []int   // scratch of centroid
	size   []int   // scratch of centroid
}

// noNode means no node: above the root.
const noNode = -1

// seeker is a leaf with the bounds of its place: inside top (noNode: nothing
// is known), outside every node of out.
type seeker struct {
	leaf int
	top  int
	out  map[int]bool
	not  map[int]bool // children of top that it does not join, where all are in out or leaves
	next int          // node to ask about; 0 when centroid has to find it
}

// wish is a seeker's next question: whether it lies in node, or, with triple,
// whether it joins child kid of node.
type wish struct {
	node   int
	triple bool
	kid    int
}

func newGrower(c *ask.Channel, multiway bool) *grower {
	g := &grower{c: c, multiway: multiway, bits: c.Scale.Bits, waiting: c.Rand.Perm(c.N),
		parent: make([]int, c.N), rep: sequence(c.N)}
	a, b := g.waiting[0], g.waiting[1]
	g.waiting = g.waiting[2:]
	g.root = g.newNode(noNode, a, b)
	return g
}

func (g *grower) isLeaf(v int) bool { return v < g.c.N }

func (g *grower) children(v int) []int {
	if g.isLeaf(v) {
		return nil
	}
	return g.kids[v-g.c.N]
}

func (g *grower) newNode(parent int, kids ...int) int {
	v := g.c.N + len(g.kids)
	g.kids = append(g.kids, kids)
	g.parent = append(g.parent, parent)
	g.rep = append(g.rep, g.rep[kids[0]])
	for _, k := range kids {
		g.parent[k] = v
	}
	return v
}

// admit takes waiting leaves up until enough are in flight.
func (g *grower) admit() {
	for len(g.pending) < maxInFlight && len(g.waiting) > 0 {
		s := &seeker{leaf: g.waiting[0], top: noNode, out: map[int]bool{}, not: map[int]bool{}}
		g.pending = append(g.pending, s)
		g.waiting = g.waiting[1:]
	}
}

// wish returns the next question of s. When the place of s is found, wish
// inserts s and ok is false.
func (g *grower) wish(s *seeker) (w wish, ok bool) {
	if s.next != 0 {
		return wish{node: s.next}, true
	}
	if v := g.centroid(s); v != noNode {
		s.next = v
		return wish{node: v}, true
	}
	if s.top == noNode { // outside the root
		g.root = g.newNode(noNode, g.root, s.leaf)
		return wish{}, false
	}
	// Inside top and outside its inner children: on the edge to one of its
	// children, or, where sums are fused, a further child.
	var open []int
	for _, k := range g.children(s.top) {
		if !s.not[k] {
			open = append(open, k)
		}
	}
	switch {
	case len(open) == 1 && !g.multiway:
		g.insertAbove(open[0], s.leaf)
		return wish{}, false
	case len(open) == 0:
		g.kids[s.top-g.c.N] = append(g.kids[s.top-g.c.N], s.leaf)
		g.parent[s.leaf] = s.top
		return wish{}, false
	}
	return wish{node: s.top, triple: true, kid: open[0]}, true
}

// insertAbove puts the leaf on the edge between v and its parent.
func (g *grower) insertAbove(v, leaf int) {
	up := g.parent[v]
	w := g.newNode(up, v, leaf)
	if up == noNode {
		g.root = w
		return
	}
	kids := g.kids[up-g.c.N]
	kids[slices.Index(kids, v)] = w
}

// centroid returns the inner node that splits the region of s best, or noNode
// when no node is left to ask about. The region's places are the edges above
// its nodes.
func (g *grower) centroid(s *seeker) int {
	start := s.top
	if start == noNode {
		start = g.root
	}
	if s.top == noNode && s.out[g.root] {
		return noNode
	}
	region := append(g.region[:0], start) // parents first
	for at := 0; at < len(region); at++ {
		if v := region[at]; v == s.top || !s.out[v] {
			region = append(region, g.children(v)...)
		}
	}
	g.region = region
	if len(g.size) < len(g.parent) {
		g.size = make([]int, 2*len(g.parent))
	}
	// size is the number of places inside a node: the edges below it.
	for _, v := range region {
		g.size[v] = 0
	}
	for _, v := range slices.Backward(region) {
		if v != start {
			g.size[g.parent[v]] += g.size[v] + 1
		}
	}
	total := g.size[start]
	if s.top == noNode {
		total++
	}
	best, split := noNode, total+1
	for _, v := range region {
		if v == s.top || g.isLeaf(v) || s.out[v] {
			continue
		}
		if worse := max(g.size[v], total-g.size[v]); worse < split {
			best, split = v, worse
		}
	}
	return best
}

// isWithin reports whether v lies in the subtree of u.
func (g *grower) isWithin(v, u int) bool {
	for v != noNode && v != u {
		v = g.parent[v]
	}
	return v == u
}

// isOutside reports whether s is known to lie outside node u.
func (g *grower) isOutside(s *seeker, u int) bool {
	for v := u; v != noNode; v = g.parent[v] {
		if s.out[v] {
			return true
		}
		if v == s.top {
			return false
		}
	}
	// u is not below top: outside unless top is below u.
	return s.top != noNode && !g.isWithin(s.top, u)
}

// isUndecided reports whether s may lie inside u and may lie outside.
func (g *grower) isUndecided(s *seeker, u int) bool {
	return !g.isOutside(s, u) && u != s.top && (s.top == noNode || !g.isWithin(s.top, u))
}
