package sumtree

import "slices"

// An input is sparse where at most one summand of sparseShare is not zero, and
// at most one addition of sparseAdditions has an operand that depends on them.
const (
	sparseShare     = 16
	sparseAdditions = 4
)

// paths are the nodes that the summands of an input reach that are not zero. A
// node is reached where seen holds the value of now.
type paths struct {
	seen   []uint32
	now    uint32
	leaves []int32
	inner  []int32 // in post-order
}

// follow finds the paths of an input. It returns false where the input is not
// sparse.
func (r *Replayer) follow(x, y []float64) bool {
	n := r.t.Leaves()
	p := &r.room.paths
	p.leaves, p.inner = p.leaves[:0], p.inner[:0]
	most := n / sparseShare
	for i, v := range x {
		if v == 0 && (!r.a.Products || y[i]-y[i] == 0) {
			continue
		}
		if len(p.leaves) == most {
			return false
		}
		p.leaves = append(p.leaves, int32(i))
	}
	if p.seen == nil {
		p.seen = make([]uint32, r.t.Nodes())
	}
	if p.now++; p.now == 0 {
		clear(p.seen)
		p.now = 1
	}
	up := r.parents()
	most = r.t.Inner() / sparseAdditions
	for _, leaf := range p.leaves {
		for id := leaf; id >= 0 && p.seen[id] != p.now; id = up[id] {
			p.seen[id] = p.now
			if int(id) >= n {
				p.inner = append(p.inner, id)
			}
		}
		if len(p.inner) > most {
			return false
		}
	}
	slices.Sort(p.inner)
	return true
}

// parents returns the parent of every node.
func (r *Replayer) parents() []int32 {
	if r.room.up == nil {
		r.room.up = r.t.Parents()
	}
	return r.room.up
}

// takesPaths reports whether additions whose operands are all +0 leave a sum
// that is not zero as it is, and every leaf takes one summand as it is, or one
// product of factors as they are: rounding may make infinities of these.
func (r *Replayer) takesPaths() bool {
	return r.carried == nil && r.a.Significand == 0 && r.a.Neighbours == 0 && r.centre == nil &&
		r.a.Weights == nil && r.a.Rescale == 0 && r.a.FactorFormat == 0
}

// sumSparse returns the sum of a sparse input by the additions that have an
// operand that is not zero, and gives their nodes and operands their values. ok
// is false where the input is not sparse, or the sum is zero, whose sign
// depends on the other summands.
func (r *Replayer) sumSparse(x, y []float64) (sum float64, ok bool, err error) {
	if !r.takesPaths() || len(x) < sparseShare {
		return 0, false, nil
	}
	if err := r.prepare(x, y); err != nil {
		return 0, false, err
	}
	if r.a.Squares {
		y = x
	}
	if !r.follow(x, y) {
		return 0, false, nil
	}
	r.makeRoom()
	p := &r.room.paths
	for _, leaf := range p.leaves {
		r.takeLeaf(int(leaf))
	}
	n := r.t.Leaves()
	for _, id := range p.inner {
		k := int(id) - n
		for _, c := range r.t.kids[r.t.first[k]:r.t.first[k+1]] {
			if p.seen[c] != p.now {
				r.val[c] = 0
			}
		}
		r.val[id] = r.inner(k)
	}
	root := r.t.Root()
	if p.seen[root] != p.now || r.val[root] == 0 {
		return 0, false, nil
	}
	sum = r.finish(r.rootArith(), r.val[root], x)
	return sum, sum != 0, nil
}

// takeLeaf fills in the value of one leaf: see takesPaths.
func (r *Replayer) takeLeaf(i int) {
	if r.a.Products {
		r.takeProduct(i)
	} else {
		r.val[i] = r.x[i]
	}
	if r.a.Starts.Contains(i) {
		r.startLeaf(i)
	}
}
