package reveal

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// compensates reports whether Kahan's summation in the order of the tree, a
// chain, gives the results of the bank: nine of ten, and nine of ten of those too
// that are not correctly rounded, which a wide accumulator would not have in common.
func (p *prober) compensates(t *sumtree.Tree, bank []sample) bool {
	order, ok := chainOrder(t)
	if !ok || p.n < compensatesFrom {
		return false
	}
	for _, acc := range accumulators(p.key) {
		var tried, matched, inexact, inexactMatched int
		for _, s := range bank {
			if s.out-s.out != 0 {
				continue
			}
			k := p.key.Out.Round(kahan(acc, p.key.DType, order, s.x, s.y), fp.NearestEven)
			same := sameBits(k, s.out) || k == 0 && s.out == 0
			tried++
			if same {
				matched++
			}
			if k != exactSum(p.key.Out, p.key.Mean, s.x, s.y) {
				inexact++
				if same {
					inexactMatched++
				}
			}
		}
		if tried > 0 && 10*matched >= 9*tried && inexact >= 3 && 10*inexactMatched >= 9*inexact {
			return true
		}
	}
	return false
}

// compensatesFrom is the least n at which Kahan's results are told from those of
// an accumulator a few bits wider.
const compensatesFrom = 8

// chainOrder returns the leaves of a chain in the order in which they are added.
func chainOrder(t *sumtree.Tree) ([]int, bool) {
	order := make([]int, 0, t.Leaves())
	id := t.Root()
	for !t.IsLeaf(id) {
		kids := t.Children(id)
		a, b := int(kids[0]), int(kids[1])
		if len(kids) != 2 || !t.IsLeaf(a) && !t.IsLeaf(b) {
			return nil, false
		}
		if !t.IsLeaf(b) {
			a, b = b, a
		}
		order = append(order, b)
		id = a
	}
	order = append(order, id)
	slices.Reverse(order)
	return order, true
}

// kahan sums in the format acc and carries the rounding errors along.
//
// References: Kahan1965
func kahan(acc, in fp.Format, order []int, x, y []float64) float64 {
	sub := func(a, b float64) float64 { return acc.Add(a, -b, fp.NearestEven) }
	var s, c float64
	for _, i := range order {
		v := x[i]
		if y != nil {
			v = in.Mul(v, y[i], fp.NearestEven)
		}
		v = sub(v, c)
		t := acc.Add(s, v, fp.NearestEven)
		c = sub(sub(t, s), v)
		s = t
	}
	return s
}

// accurate reports whether the implementation is right, but for the last place or
// two, on most samples on which the order t is far off.
func (p *prober) accurate(t *sumtree.Tree, a sumtree.Arithmetic, bank []sample) bool {
	a.Nodes = sumtree.NodeArith{Acc: p.key.Out}
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return false
	}
	near, tried := 0, 0
	for _, s := range bank {
		exact := exactSum(p.key.Out, p.key.Mean, s.x, s.y)
		plain, err := r.Sum(s.x, s.y)
		if err != nil || exact-exact != 0 || plain-plain != 0 || s.out-s.out != 0 || s.kind == "small" {
			continue
		}
		if math.Abs(plain-exact) < 16*p.key.Out.ULP(exact) {
			continue
		}
		tried++
		if math.Abs(s.out-exact) <= 2*p.key.Out.ULP(exact) {
			near++
		}
	}
	return tried >= 4 && 10*near >= 7*tried
}
