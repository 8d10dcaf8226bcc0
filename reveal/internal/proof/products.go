package proof

import (
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// products writes factors whose products leaves round or do not: of a leaf,
// and of those after it that no input shows yet. The product of each is added
// to its negative alone, and leaves its rounding error where it is not rounded.
// Each is so much smaller than the one before that it does not hide this error.
func products(x *deviator, leaf int, s *ask.Sample) {
	in := x.c.Key.DType
	step := x.a.Nodes.Acc.Precision() + 2
	exp := in.MaxExp() / 2
	for i := leaf; i < x.c.N && exp > in.MinExp()+step; i++ {
		if x.left[i]&sumtree.OtherProduct == 0 {
			continue
		}
		l := shallowSiblingLeaf(x.t, x.up, i)
		if l < 0 || s.X[i] != 0 || s.X[l] != 0 {
			continue
		}
		s.X[i], s.Y[i] = x.number(exp), in.Round(1+x.rng.Float64(), fp.TowardZero)
		s.X[l], s.Y[l] = -in.Round(float64(s.X[i]*s.Y[i]), fp.NearestEven), 1
		exp -= step
	}
}

// shallowSiblingLeaf returns a leaf under the other operand of the first
// addition of a leaf, where few additions come before, or −1.
func shallowSiblingLeaf(t *sumtree.Tree, up []int32, leaf int) int {
	above := int(up[leaf])
	if above < 0 || len(t.Children(above)) != 2 {
		return -1
	}
	kids := t.Children(above)
	v := int(kids[0])
	if v == leaf {
		v = int(kids[1])
	}
	for !t.IsLeaf(v) {
		kids := t.Children(v)
		v = int(kids[len(kids)-1])
		if t.IsLeaf(int(kids[0])) {
			v = int(kids[0])
		}
	}
	return v
}

// roundsMany reports whether products may be rounded, and are too many for an
// input each.
func roundsMany(x *deviator) bool {
	return x.c.N > maxAskedOften && x.t.MaxArity() == 2 &&
		x.a.Nodes.Acc.Precision() < 2*x.c.Key.DType.Precision()
}
