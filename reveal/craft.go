package reveal

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/sumtree"
)

// crafted returns inputs that show one property of an arithmetic each: the sign
// of a sum of −0, subnormal inputs, products and results, overflow, the width
// of the accumulator, directions of rounding, products that are not rounded.
// All summands are zeros except up to four, at places where the two trees have
// additions of leaves, and where they part.
func (c *comparer) crafted(t, u *sumtree.Tree) []ask.Sample {
	n := c.channels[0].N
	zeros := make([]float64, n)
	for i := range zeros {
		zeros[i] = math.Copysign(0, -1)
	}
	all := []ask.Sample{{X: zeros}}
	if !t.Equal(u) && t.Leaves() == u.Leaves() {
		all = append(all, c.masked(order.Apart(t, u)))
	}
	f := c.channels[0].Key.DType
	for _, at := range places(t, u) {
		for _, v := range telling(f, c.channels[0].Key.Op.Products()) {
			if s, ok := place(f, n, at, v); ok {
				all = append(all, s)
			}
		}
	}
	return slices.Concat(all, proof.FusedTies(c.channels[0], t), proof.FusedTies(c.channels[0], u))
}

// factors are the first and second factors of a few summands.
type factors struct{ x, y []float64 }

// telling returns values that show one property each, y being 1 where it is
// nil. The first two summands meet first.
func telling(f fp.Format, products bool) []factors {
	least, smallest, most := f.MinNormal(), f.Smallest(), f.Max()
	h := math.Ldexp(1, -f.Precision()) // half an ULP of 1
	all := []factors{
		{x: []float64{least / 2}},
		{x: []float64{smallest}},
		{x: []float64{least / 2, 2 * least}},
		{x: []float64{1.5 * least, -least}},
		{x: []float64{smallest, smallest}},
		{x: []float64{most, most, -most, -most}},
		{x: []float64{most, -most, least / 2}},
		{x: []float64{1, h}},
		{x: []float64{1, 1.5 * h}},
		{x: []float64{1, h / 2}},
		{x: []float64{1 + 2*h, h}},
		{x: []float64{-1, -1.5 * h}},
		{x: []float64{-1, -h / 2}},
	}
	for k := 6; k <= 70; k += 2 {
		all = append(all, factors{x: []float64{1, math.Ldexp(1, -k), -1}},
			factors{x: []float64{1, math.Ldexp(1, -k), math.Ldexp(1, -k-2), -1}})
	}
	if !products {
		return all
	}
	root := math.Ldexp(1, f.MinExp()/2-2)
	q := math.Ldexp(1, -(f.Precision()+1)/2)
	return append(all,
		factors{x: []float64{root}, y: []float64{root}},
		factors{x: []float64{root, 8 * root}, y: []float64{root, 8 * root}},
		factors{x: []float64{1, 1}, y: []float64{least / 2, 2 * least}},
		factors{x: []float64{least / 2}, y: []float64{4}},
		factors{x: []float64{1 + q, -(1 + 2*q)}, y: []float64{1 + q, 1}},
		factors{x: []float64{-(1 + 2*q), 1 + q}, y: []float64{1, 1 + q}},
		factors{x: []float64{1 + q, 1 + q}, y: []float64{1 + q, -(1 + q)}},
		factors{x: []float64{most, -most}, y: []float64{2, 2}},
		factors{x: []float64{1 + q, 1 + q, -2}, y: []float64{1 + q, 1 + 2*q, 1}},
	)
}

// place puts values on leaves, zeros elsewhere. ok is false when there are too
// few leaves, or the format lacks a value.
func place(f fp.Format, n int, at []int, v factors) (s ask.Sample, ok bool) {
	if len(at) < len(v.x) {
		return s, false
	}
	s.X = make([]float64, n)
	if v.y != nil {
		s.Y = ask.Ones(n)
	}
	for k, x := range v.x {
		s.X[at[k]] = x
		if ok = f.Contains(x); ok && v.y != nil {
			s.Y[at[k]] = v.y[k]
			ok = f.Contains(v.y[k])
		}
		if !ok {
			return s, false
		}
	}
	return s, true
}

// maxPlaces bounds the places of each tree.
const maxPlaces = 3

// places returns lists of up to four leaves that meet one after the other: two
// leaves of one addition, and leaves outside it.
func places(trees ...*sumtree.Tree) [][]int {
	var all [][]int
	for _, t := range trees {
		parent := t.Parents()
		order, lo, hi := t.LeafOrder()
		found := 0
		for id := t.Leaves(); id < t.Nodes() && found < maxPlaces; id++ {
			kids := t.Children(id)
			if !t.IsLeaf(int(kids[0])) && found > 0 {
				continue
			}
			at := []int{int(order[lo[kids[0]]]), int(order[lo[kids[1]]])}
			for v := id; parent[v] >= 0 && len(at) < 4; v = int(parent[v]) {
				up := parent[v]
				if lo[up] < lo[v] {
					at = append(at, int(order[lo[up]]))
				} else if hi[up] > hi[v] {
					at = append(at, int(order[hi[up]-1]))
				}
			}
			all = append(all, at)
			reversed := append([]int{at[1], at[0]}, at[2:]...)
			all = append(all, reversed)
			found++
		}
	}
	return all
}
