package sumtree

// Inputs of at least minSparse summands are sparse where at most one summand of
// sparseShare is not zero.
const (
	minSparse   = 1 << 10
	sparseShare = 64
)

// isSparse reports whether nearly all summands are zero.
func isSparse(x []float64) bool {
	if len(x) < minSparse {
		return false
	}
	left := len(x) / sparseShare
	for _, v := range x {
		if v != 0 {
			if left--; left < 0 {
				return false
			}
		}
	}
	return true
}

// sumSparse returns the sum of a sparse input by the additions that have an
// operand that is not zero: see isPlain. ok is false where the sum is zero,
// whose sign depends on the others.
func (r *Replayer) sumSparse(x []float64) (sum float64, ok bool) {
	n, a := r.t.Leaves(), r.a.Nodes
	r.makeRoom()
	live := make([]uint64, r.t.Nodes()/64+1) // the nodes that val is right for
	isLive := func(id uint32) bool { return live[id/64]>>(id%64)&1 == 1 }
	set := func(id int, v float64) {
		r.val[id] = v
		live[id/64] |= 1 << (id % 64)
	}
	value := func(id uint32) float64 {
		if !isLive(id) {
			return 0
		}
		return r.val[id]
	}
	for i, v := range x {
		if v != 0 {
			set(i, v)
		}
	}
	kids := r.t.kids[:2*r.t.Inner()]
	for k := 0; k+1 < len(kids); k += 2 {
		p, q := uint32(kids[k]), uint32(kids[k+1])
		if isLive(p) || isLive(q) {
			set(n+k/2, a.Acc.Add(value(p), value(q), a.Mode))
		}
	}
	sum = value(uint32(r.t.Root()))
	return sum, sum != 0
}
