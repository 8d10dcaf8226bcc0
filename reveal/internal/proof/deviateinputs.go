package proof

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// input derives an input for a node: a few summands that meet there, and others
// that cancel most of their sum further up.
func (x *deviator) input(id int) ask.Sample {
	n, in := x.c.N, x.c.Key.DType
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, n)}
	if x.c.Key.Op.Products() {
		s.Y = ask.Ones(n)
	}
	left := x.left[id]
	if x.t.IsLeaf(id) {
		if left&sumtree.FlushesFactor != 0 && s.Y != nil && x.rng.IntN(2) == 0 {
			x.tinyFactors(&s)
		} else if left&sumtree.FlushesInput != 0 && (!x.a.Products || x.rng.IntN(2) == 0) {
			x.dust(int(x.up[id]), &s)
		} else if roundsMany(x) && x.rng.IntN(2) == 0 {
			products(x, id, &s)
		} else {
			x.product(id, &s)
		}
		return s
	}
	switch {
	case left&sumtree.OtherZero != 0 && x.rng.IntN(3) == 0:
		for i := range s.X {
			s.X[i] = math.Copysign(0, -1)
		}
		i, j := x.pair(id)
		s.X[i] = 1
		s.X[j] = -1
		if x.rng.IntN(2) == 0 {
			s.X[i], s.X[j] = 0, math.Copysign(0, -1)
		}
		return s
	case left&sumtree.OtherFlushed != 0 && x.rng.IntN(2) == 0:
		x.flushed(id, &s)
		return s
	case left&(sumtree.Flushes|sumtree.FlushesOperand) != 0 && x.rng.IntN(2) == 0:
		if flushesSums(x.a) && x.rng.IntN(2) == 0 {
			walk(x, &s)
		} else {
			x.dust(id, &s)
		}
		return s
	}
	switch {
	case left&(sumtree.Saturates|sumtree.Unrounded) != 0 && x.rng.IntN(4) == 0:
		i, j := x.pair(id)
		s.X[i], s.X[j] = in.Max(), in.Max()
		if l, ok := x.outside(id); ok && x.rng.IntN(2) == 0 {
			s.X[l] = -in.Max()
		}
	case x.rng.IntN(2) == 0:
		x.tie(id, &s)
	default:
		x.meet(id, &s)
	}
	return s
}

// pair returns a random leaf under each of two operands of a node.
func (x *deviator) pair(id int) (i, j int) {
	kids := x.t.Children(id)
	at := x.rng.IntN(len(kids))
	other := (at + 1 + x.rng.IntN(len(kids)-1)) % len(kids)
	return x.under(kids[at]), x.under(kids[other])
}

// under returns a random leaf under a node.
func (x *deviator) under(id int32) int {
	return int(x.order[int(x.lo[id])+x.rng.IntN(int(x.hi[id]-x.lo[id]))])
}

// outside returns a leaf that meets a node at its parent, or further up.
func (x *deviator) outside(id int) (leaf int, ok bool) {
	for v := int32(id); x.up[v] >= 0; v = x.up[v] {
		if p := x.up[v]; x.up[p] < 0 || x.rng.IntN(4) > 0 {
			for _, k := range x.t.Children(int(p)) {
				if k != v {
					return x.under(k), true
				}
			}
		}
	}
	return 0, false
}

// number returns a random value below 2 in size, of few bits or of many, whose
// last bit is often odd.
func (x *deviator) number(exp int) float64 {
	in := x.c.Key.DType
	v := 1.0
	switch x.rng.IntN(4) {
	case 0:
		v += in.ULP(1)
	case 1:
		v += x.rng.Float64()
	case 2:
		v += math.Ldexp(1, -1-x.rng.IntN(in.Precision()))
	}
	if x.rng.IntN(2) == 0 {
		v = -v
	}
	return in.Round(math.Ldexp(v, exp), fp.NearestEven)
}

// meet writes two or three summands that meet at a node, and up to two others
// that take their sum, as far as they can, away again.
func (x *deviator) meet(id int, s *ask.Sample) {
	in := x.c.Key.DType
	acc := x.a.Nodes.Acc.Precision()
	top := 0
	if in == fp.Binary16 {
		top = 2 + x.rng.IntN(11)
	}
	i, j := x.pair(id)
	s.X[i] = x.number(top)
	s.X[j] = x.number(max(top-x.rng.IntN(acc+3), in.MinExp()-in.Precision()+1))
	if x.rng.IntN(3) == 0 { // about half of the last place
		h := float64(x.a.Nodes.Acc.ULP(s.X[i]) / 2)
		s.X[j] = h + float64(math.Ldexp(h, -1-x.rng.IntN(in.Precision()))*float64(x.rng.IntN(3)-1))
		if s.X[j] = in.Round(s.X[j], fp.NearestEven); x.rng.IntN(2) == 0 {
			s.X[j] = -s.X[j]
		}
	} else if x.rng.IntN(2) == 0 {
		k, _ := x.pair(id)
		if k != i && k != j {
			s.X[k] = x.number(max(top-x.rng.IntN(acc+3), in.MinExp()-in.Precision()+1))
		}
	}
	if x.rng.IntN(3) == 0 {
		x.rescale(s)
		return
	}
	var sum float64
	for _, v := range s.X {
		sum += v
	}
	for range 1 + x.rng.IntN(2) {
		l, ok := x.outside(id)
		if !ok || s.X[l] != 0 {
			break
		}
		s.X[l] = -in.Round(sum, fp.NearestEven)
		sum += s.X[l]
		if x.rng.IntN(4) == 0 {
			s.X[l] = in.NextUp(s.X[l])
		}
	}
	x.rescale(s)
}

// tie writes a tie between two results, which a speck decides that meets a part
// of it at a node.
func (x *deviator) tie(id int, s *ask.Sample) {
	in, out := x.c.Key.DType, x.c.Key.Out
	top := 0
	if in == fp.Binary16 {
		top = x.rng.IntN(15)
	}
	big := x.number(top)
	acc := x.a.Nodes.Acc
	if acc.Precision() < fp.Binary32.Precision() && x.rng.IntN(2) == 0 {
		acc = fp.Binary32
	}
	speck := x.number(top - acc.Precision() + x.rng.IntN(8) - 5)
	if x.rng.IntN(2) == 0 {
		speck = math.Copysign(acc.ULP(big)/4*float64(1+x.rng.IntN(6)), speck)
	}
	v := [3]float64{big, out.ULP(big) / 2, speck}
	if x.rng.IntN(2) == 0 {
		v[1] = -v[1]
	}
	x.rng.Shuffle(3, func(i, j int) { v[i], v[j] = v[j], v[i] })
	i, j := x.pair(id)
	l, ok := x.outside(id)
	if !ok || x.rng.IntN(2) == 0 {
		l, _ = x.pair(id)
	}
	for k, at := range []int{l, j, i} {
		if in.Contains(v[k]) {
			s.X[at] = v[k]
		}
	}
}

// rescale moves an input by a random power of two where second factors of that
// size are taken.
func (x *deviator) rescale(s *ask.Sample) {
	if s.Y == nil || x.rng.IntN(2) == 0 {
		return
	}
	for i, v := range s.X {
		k := x.rng.IntN(11) - 5
		if w := math.Ldexp(v, -k); x.c.Key.DType.Contains(w) {
			s.X[i], s.Y[i] = w, math.Ldexp(1, k)
		}
	}
}

// dust writes a sum that is subnormal at a node: of subnormals under it, or of
// two normal numbers.
func (x *deviator) dust(id int, s *ask.Sample) {
	f := x.c.Key.DType
	if x.rng.IntN(2) == 0 {
		i, j := x.pair(id)
		least := math.Copysign(f.MinNormal(), float64(x.rng.IntN(2))-0.5)
		s.X[i], s.X[j] = 1.5*least, -least
		if l, ok := x.outside(id); ok {
			s.X[l] = 2 * least
		}
		return
	}
	most := int64(1) << (f.Precision() - 2)
	signs := x.rng.IntN(3)
	for i := range s.X {
		k := float64(1 + x.rng.Int64N(max(1, most/int64(len(s.X)))))
		if signs == 0 || signs == 1 && x.rng.IntN(2) == 0 {
			k = -k
		}
		s.X[i] = k * f.Smallest()
	}
}

// tinyFactors writes second factors that are subnormal, and first factors that
// make products of moderate size of them.
func (x *deviator) tinyFactors(s *ask.Sample) {
	f := x.c.Key.DType
	most := int64(1) << (f.Precision() - 2)
	for i := range s.X {
		s.Y[i] = float64(1+x.rng.Int64N(most)) * f.Smallest()
		if x.rng.IntN(2) == 0 {
			s.Y[i] = -s.Y[i]
		}
		s.X[i] = math.Ldexp(1, min(f.MaxExp()/2, f.Precision()+x.rng.IntN(4)))
	}
}

// flushed writes a sum that is subnormal at a node, among zeros of one sign.
func (x *deviator) flushed(id int, s *ask.Sample) {
	least := math.Copysign(x.c.Key.DType.MinNormal(), float64(x.rng.IntN(2))-0.5)
	for i := range s.X {
		s.X[i] = math.Copysign(0, least)
	}
	i, j := x.pair(id)
	s.X[i], s.X[j] = 1.5*least, -1.25*least
}

// product writes factors whose product a leaf rounds or does not, in the middle
// or at an end of the format, and summands that take it away again.
func (x *deviator) product(leaf int, s *ask.Sample) {
	in := x.c.Key.DType
	e, f := 0, 0
	if in == fp.Binary16 {
		e = 4
	}
	switch x.rng.IntN(4) {
	case 0:
		e, f = in.MaxExp(), 1
	case 1:
		e, f = in.MinExp(), -1-x.rng.IntN(3)
	}
	s.X[leaf], s.Y[leaf] = x.number(e), x.number(f)
	p := float64(s.X[leaf] * s.Y[leaf])
	for range 1 + x.rng.IntN(2) {
		l, ok := x.outside(leaf)
		if !ok || l == leaf || s.X[l] != 0 {
			break
		}
		s.X[l] = -max(-in.Max(), min(in.Max(), in.Round(p, fp.NearestEven)))
		p += s.X[l]
	}
}
