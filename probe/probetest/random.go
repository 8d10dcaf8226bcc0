package probetest

import (
	"math/rand/v2"

	"github.com/lastbit/lastbit/sumtree"
)

// Shape selects the kind of a random tree.
type Shape uint8

// The shapes. All except Intervals scatter the leaves: neighbours are as likely
// to meet early as other pairs.
const (
	Uniform     Shape = iota // two random roots of the forest join, until one is left
	Caterpillar              // one accumulator that takes a random leaf, seldom a small subtree
	Balanced                 // random leaves, halves of nearly equal size
	Intervals                // the leaves in order, split at a random place, again and again
	Fused                    // like Uniform, but 2 to 17 roots join
	FusedChain               // groups of 4, 8 or 16 fused with the accumulator
	shapes
)

// Shapes returns every shape.
func Shapes() []Shape {
	all := make([]Shape, shapes)
	for i := range all {
		all[i] = Shape(i)
	}
	return all
}

// String names the shape.
func (s Shape) String() string {
	return [...]string{"uniform", "caterpillar", "balanced", "intervals", "fused", "fused chain"}[s]
}

// Binary reports whether all nodes of such trees have two operands.
func (s Shape) Binary() bool { return s != Fused && s != FusedChain }

// RandomTree draws a tree of n leaves.
func RandomTree(rng *rand.Rand, n int, s Shape) *sumtree.Tree {
	g := &grower{rng: rng, b: sumtree.NewBuilder(n), roots: rng.Perm(n)}
	switch s {
	case Caterpillar:
		g.caterpillar()
	case Balanced:
		g.split(g.roots, func(n int) int { return n/2 + rng.IntN(2)*(n%2) })
	case Intervals:
		for i := range g.roots {
			g.roots[i] = i
		}
		g.split(g.roots, func(n int) int { return 1 + rng.IntN(n-1) })
	case Fused:
		g.join(func(left int) int { return min(left, 2+rng.IntN(16)) })
	case FusedChain:
		g.fusedChain(4 << rng.IntN(3))
	default:
		g.join(func(int) int { return 2 })
	}
	return g.b.MustTree()
}

// Chain returns ((0 1) 2) …, the order of a simple loop.
func Chain(n int) *sumtree.Tree { return chainOf(n, func(i int) int { return i }) }

// ReverseChain returns 0 + (1 + (2 + …)), a loop from the last element down.
func ReverseChain(n int) *sumtree.Tree { return chainOf(n, func(i int) int { return n - 1 - i }) }

func chainOf(n int, leaf func(i int) int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	acc := leaf(0)
	for i := 1; i < n; i++ {
		acc = b.Node(acc, leaf(i))
	}
	return b.MustTree()
}

type grower struct {
	rng   *rand.Rand
	b     *sumtree.Builder
	roots []int
}

// join joins arity random roots until one is left.
func (g *grower) join(arity func(left int) int) {
	for len(g.roots) > 1 {
		k := arity(len(g.roots))
		g.rng.Shuffle(len(g.roots),
			func(i, j int) { g.roots[i], g.roots[j] = g.roots[j], g.roots[i] })
		at := len(g.roots) - k
		g.roots = append(g.roots[:at], g.b.Node(g.roots[at:]...))
	}
}

func (g *grower) caterpillar() {
	acc := g.roots[0]
	for rest := g.roots[1:]; len(rest) > 0; {
		k := 1
		if g.rng.IntN(8) == 0 {
			k = min(len(rest), 2+g.rng.IntN(3))
		}
		side := rest[0]
		for _, leaf := range rest[1:k] {
			side = g.b.Node(side, leaf)
		}
		acc, rest = g.b.Node(acc, side), rest[k:]
	}
}

func (g *grower) fusedChain(group int) {
	acc, rest := []int(nil), g.roots
	for len(rest) > 0 {
		k := min(group, len(rest))
		acc, rest = []int{g.b.Node(append(acc, rest[:k]...)...)}, rest[k:]
	}
}

// split builds the tree of the leaves, cut in two at the place that cut
// returns.
func (g *grower) split(leaves []int, cut func(n int) int) {
	type part struct {
		leaves []int
		id     *int
		l, r   *part
	}
	root := &part{leaves: leaves}
	parts := []*part{root} // parents before their children
	for at := 0; at < len(parts); at++ {
		p := parts[at]
		if n := len(p.leaves); n > 1 {
			k := cut(n)
			p.l, p.r = &part{leaves: p.leaves[:k]}, &part{leaves: p.leaves[k:]}
			parts = append(parts, p.l, p.r)
		}
	}
	for at := len(parts) - 1; at >= 0; at-- {
		p := parts[at]
		id := p.leaves[0]
		if p.l != nil {
			id = g.b.Node(*p.l.id, *p.r.id)
		}
		p.id = &id
	}
}
