package ask

import (
	"math"

	"github.com/lastbit/lastbit/sumtree"
)

// Shape is a tree prepared for aware inputs.
type Shape struct {
	tree    *sumtree.Tree
	depth   []int32
	partial []float64 // sum of each node, scratch
	parents []int32   // of each node; nil until a path is asked for
}

// NewShape prepares t. A nil tree has a nil shape.
func NewShape(t *sumtree.Tree) *Shape {
	if t == nil {
		return nil
	}
	return &Shape{tree: t, depth: t.Depths(), partial: make([]float64, t.Nodes())}
}

// growth is the factor between the partial sums of a node and of its children:
// enough for the error made at a node not to be lost in the roundings above it.
// It was found by trial: 1.43 shows a swap of neighbours on 46 % of the inputs
// at n = 1024, N(0,1) on 2.7 %.
const growth = 1.43

// aware fills x with summands whose partial sums, in the order of the tree,
// grow from the root towards the leaves up to limit. A node's rounding error is
// then as large as the result or larger, and no other order has the same
// errors. A nil shape gives self-cancelling noise of the same size.
func (s *Shape) aware(x []float64, random func() float64, limit float64) {
	noise := func() float64 { return 2*random() - 1 }
	if s == nil {
		for i := range x {
			x[i] = noise() * limit
		}
		return
	}
	n := s.tree.Leaves()
	s.partial[s.tree.Root()] = noise()
	for id := s.tree.Root(); id >= n; id-- {
		kids := s.tree.Children(id)
		amplitude := limit
		if d := float64(s.depth[id]) * math.Log2(growth); d < math.Log2(limit) {
			amplitude = math.Exp2(d)
		}
		rest := s.partial[id]
		for k, c := range kids[1:] {
			v := rest/float64(len(kids)-k) + float64(noise()*amplitude)
			s.partial[c] = v
			rest -= v
		}
		s.partial[kids[0]] = rest
	}
	copy(x, s.partial[:n])
}
