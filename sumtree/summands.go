package sumtree

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// inputs returns v, or a copy as input returns its numbers.
func (r *Replayer) inputs(which int, v []float64) []float64 {
	if !r.a.DAZ && r.a.FactorFormat == 0 {
		return v
	}
	f := slices.Grow(r.room.flushed[which][:0], len(v))
	for _, x := range v {
		f = append(f, r.a.input(x))
	}
	r.room.flushed[which] = f
	return f
}

// input returns a summand or a factor as the arithmetic takes it: rounded to
// the format of factors, and 0 where it is subnormal and such count as zeros.
func (a *Arithmetic) input(x float64) float64 {
	f := a.In
	if a.FactorFormat != 0 {
		f = a.FactorFormat
		x = f.Round(x, fp.NearestEven)
	}
	if a.DAZ {
		x = flush(f, x)
	}
	return x
}

// prepare makes summands, or factors, of the inputs.
func (r *Replayer) prepare(x, y []float64) error {
	n := r.t.Leaves()
	if r.a.Squares {
		y = x
	}
	if len(x) != r.a.Inputs(r.t) || r.a.Products && len(y) != n {
		return fmt.Errorf("sumtree: %d summands for a tree of %d leaves", len(x), n)
	}
	r.x, r.y = r.inputs(0, x), r.inputs(1, y)
	if r.a.Skips != SkipNone {
		r.skip()
	}
	if r.a.Neighbours != 0 {
		r.addNeighbours()
	}
	if r.centre == nil {
		return nil
	}
	mean, err := r.centre.Sum(x, nil)
	r.sums = r.sums[:0]
	f := r.centre.a.Out
	for _, v := range r.x {
		d := f.Add(v, -mean, r.a.Nodes.Mode)
		if r.a.FTZ {
			d = flush(f, d)
		}
		r.sums = append(r.sums, d)
	}
	if r.x = r.sums; r.a.Squares {
		r.y = r.x
	}
	return err
}

// addNeighbours makes summands of the inputs.
func (r *Replayer) addNeighbours() {
	f := r.a.Neighbours
	r.sums = r.sums[:0]
	for i, v := range r.x[1:] {
		s := f.Add(r.x[i], v, r.a.Nodes.Mode)
		if r.a.FTZ {
			s = flush(f, s)
		}
		r.sums = append(r.sums, s)
	}
	r.x = r.sums
}

// leaves fills in the values of the leaves.
func (r *Replayer) leaves() {
	r.takeSummands()
	for _, p := range r.a.Starts {
		for i := p[0]; i < p[1]; i++ {
			r.startLeaf(i)
		}
	}
}

// startLeaf adds a leaf to +0.
func (r *Replayer) startLeaf(i int) {
	switch {
	case !r.a.Products:
		r.val[i] = r.storeSum(r.above(i), r.operand(r.above(i), i)+0)
	case r.a.FMA == FMANone || r.x[i] == 0 || r.y[i] == 0 ||
		r.a.RoundsStarts && !r.isFused(int32(i)):
		r.val[i] = r.operand(r.above(i), i) + 0
		r.storeLeaf(i)
	case !r.isFused(int32(i)):
		r.storeLeaf(i)
	}
}

// storeLeaf stores a product that begins a sum, where sums are stored.
func (r *Replayer) storeLeaf(i int) {
	if n := r.above(i); n.Store != 0 {
		r.val[i] = r.storeSum(n, r.val[i])
	}
}

// above returns the arithmetic of the addition that takes a leaf.
func (r *Replayer) above(leaf int) *NodeArith {
	up := r.parents()[leaf]
	if up < 0 { // the only leaf
		return &r.arith[0]
	}
	return r.arithOf(int(up) - r.t.Leaves())
}

// takeSummands fills in summands, or products, rounded or not.
func (r *Replayer) takeSummands() {
	n := r.t.Leaves()
	if !r.a.Products && r.weights == nil {
		copy(r.val[:n], r.x)
		r.weigh(r.product())
		return
	}
	if r.fused == nil {
		for i := range n {
			r.takeProduct(i)
		}
		return
	}
	val, x, y := r.val[:n], r.x[:n], r.y[:n]
	for i, fused := range r.fused[:n] {
		if fused {
			val[i] = float64(x[i] * y[i])
		} else {
			r.takeProduct(i)
		}
	}
}

// product returns the format that products are rounded to.
func (r *Replayer) product() fp.Format {
	if r.a.Product != 0 {
		return r.a.Product
	}
	return r.a.In
}

// takeProduct fills in the product of a leaf, rounded or not.
func (r *Replayer) takeProduct(i int) {
	if r.fused != nil && r.fused[i] {
		r.val[i] = float64(r.x[i] * r.y[i]) // exact, or left to add where r.wide
		return
	}
	p := r.rounded(r.x[i], r.y[i])
	if r.a.FromZero && p == 0 && (r.x[i] == 0 || r.y[i] == 0) {
		p = 0
	}
	r.val[i] = p
}

// rounded returns a product that is not fused.
func (r *Replayer) rounded(x, y float64) float64 {
	p := r.multiply(r.product(), x, y, r.a.Nodes.Mode, r.a.FTZ)
	if r.a.ProductStore != 0 {
		p = r.convert(r.a.ProductStore, p, r.a.Nodes.Mode, r.a.FTZ)
	}
	return p
}

// weigh multiplies the summands that have weights, and scales all.
func (r *Replayer) weigh(product fp.Format) {
	for _, w := range r.a.Weights {
		for _, p := range w.Leaves {
			for i := p[0]; i < p[1]; i++ {
				r.val[i] = r.multiply(product, r.val[i], w.Factor, r.a.Nodes.Mode, r.a.FTZ)
			}
		}
	}
	if r.a.Rescale == 0 {
		return
	}
	for i, v := range r.val[:r.t.Leaves()] {
		r.val[i] = r.multiply(product, v, r.a.Rescale, r.a.Nodes.Mode, r.a.FTZ)
	}
}

// flush replaces a subnormal of f by a zero of the same sign.
func flush(f fp.Format, x float64) float64 {
	if x != 0 && math.Abs(x) < f.MinNormal() {
		return math.Copysign(0, x)
	}
	return x
}
