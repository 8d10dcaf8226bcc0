package sumtree

import "github.com/lastbit/lastbit/fp"

// isPlain reports whether every inner node adds two operands, and rounds once,
// not to odd.
func (r *Replayer) isPlain() bool {
	a := r.a.Nodes
	return a == NodeArith{Acc: a.Acc, Mode: a.Mode} && a.Mode != fp.ToOdd && r.class == nil &&
		r.fused == nil && !r.a.FTZ && r.a.Significand == 0 && r.t.MaxArity() == 2
}

// addsSingle reports whether all operands of sums in binary32 are values of
// that format.
func (r *Replayer) addsSingle() bool {
	return r.a.Nodes.Acc == fp.Binary32 && r.a.In != fp.Binary64 &&
		r.a.Product != fp.Binary64 && r.a.Neighbours != fp.Binary64
}

// addPlain adds the operands of all inner nodes: see isPlain.
func (r *Replayer) addPlain() {
	val, kids, a := r.val, r.t.kids, r.a.Nodes
	sums := val[r.t.Leaves():]
	kids = kids[:2*len(sums)]
	switch {
	case a.Mode == fp.NearestEven && a.Acc == fp.Binary64:
		for k := range sums {
			pair := kids[2*k : 2*k+2]
			sums[k] = val[pair[0]] + val[pair[1]]
		}
	case a.Mode == fp.NearestEven && r.addsSingle():
		for k := range sums {
			pair := kids[2*k : 2*k+2]
			sums[k] = float64(float32(val[pair[0]]) + float32(val[pair[1]]))
		}
	default:
		for k := range sums {
			sums[k] = a.Acc.Add(val[kids[2*k]], val[kids[2*k+1]], a.Mode)
		}
	}
}
