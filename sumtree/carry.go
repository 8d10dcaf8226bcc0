package sumtree

// carried is the state of Kahan's summation after an addition: the sum as it
// was rounded, and its error.
type carried struct{ sum, rest float64 }

// carry adds the two operands of inner node k, which carries its error.
func (r *Replayer) carry(a *NodeArith, k int, kids []int32) float64 {
	run, next := kids[0], kids[1]
	if !r.carries(run) && r.carries(next) {
		run, next = next, run
	}
	var state carried
	switch {
	case r.carries(run):
		state = r.carried[int(run)-r.t.Leaves()]
	case r.a.PlusZero:
		state.sum = r.plus(a, 0, r.val[run])
	default:
		state.sum = r.val[run]
	}
	y := r.plus(a, r.val[next], -state.rest)
	t := r.plus(a, state.sum, y)
	rest := r.plus(a, r.plus(a, t, -state.sum), -y)
	if a.CarryFinite && rest-rest != 0 {
		rest = 0
	}
	r.carried[k] = carried{t, rest}
	if a.Carry == CarryAdded {
		return r.plus(a, t, r.plus(a, 0, -rest))
	}
	return t
}

// carries reports whether a node is an addition that carries its error.
func (r *Replayer) carries(id int32) bool {
	k := int(id) - r.t.Leaves()
	return k >= 0 && r.arithOf(k).Carry != CarryNone
}

// plus returns a sum as a node rounds it.
func (r *Replayer) plus(a *NodeArith, x, y float64) float64 {
	s := a.Acc.Add(x, y, a.Mode)
	if r.a.FTZ && !a.KeepsSubnormals {
		s = flush(a.Acc, s)
	}
	return s
}
