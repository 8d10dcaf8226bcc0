package reveal

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// naiveMax is the largest n for which all orders are tried: 135,135 of them.
const naiveMax = 8

// naiveInputs is the number of random inputs that an order must reproduce.
const naiveInputs = 60

// naive is NaiveSol, §3.3 of the paper: enumerate all (2n−3)!! binary orders
// and keep the one whose replay equals the implementation on random inputs. It
// sees neither fused sums nor arithmetic other than rounding to the output
// format or to a wider one, and is the oracle that the others are checked with.
func (p *prober) naive() (*sumtree.Tree, error) {
	if p.n > naiveMax {
		return nil, naiveTooLarge(p.n)
	}
	p.expect("naive", naiveInputs)
	inputs := make([][]float64, naiveInputs)
	fills := make([]func([]float64), naiveInputs)
	for k := range inputs {
		x := make([]float64, p.n)
		for i := range x {
			// Magnitudes that differ make almost every swap visible.
			x[i] = p.key.DType.Round(p.rng.NormFloat64()*math.Exp2(float64(p.rng.IntN(12))), fp.NearestEven)
		}
		inputs[k] = x
		fills[k] = func(row []float64) { copy(row, x) }
	}
	want, err := p.ask(nil, fills...)
	if err != nil {
		return nil, err
	}
	var found *sumtree.Tree
	var orders int
	for _, acc := range accumulators(p.key) {
		a := sumtree.Arithmetic{In: p.key.DType, Out: p.key.Out, Nodes: sumtree.NodeArith{Acc: acc}, PlusZero: true, Mean: p.key.Mean}
		each(p.n, func(t *sumtree.Tree) {
			r, err := sumtree.NewReplayer(t, a)
			if err != nil {
				return
			}
			for k, x := range inputs {
				if s, _ := r.Sum(x, nil); !sameBits(s, want[k]) {
					return
				}
			}
			orders++
			found = t
		})
		if found != nil {
			break
		}
	}
	switch {
	case found == nil:
		return nil, &inconsistent{what: fmt.Sprintf("no binary order of %d summands gives the outputs", p.n)}
	case orders > 1:
		return nil, &inconsistent{what: fmt.Sprintf("%d orders give the same outputs on %d random inputs", orders, naiveInputs)}
	}
	return found, nil
}

// each calls visit with every binary tree of n leaves: leaf k is inserted on
// each of the 2k−1 places of every tree of k leaves.
func each(n int, visit func(*sumtree.Tree)) {
	type node struct{ l, r *node }
	leaves := make([]*node, n)
	for i := range leaves {
		leaves[i] = &node{}
	}
	index := map[*node]int{}
	for i, l := range leaves {
		index[l] = i
	}
	emit := func(root *node) {
		b := sumtree.NewBuilder(n)
		var walk func(*node) int
		walk = func(v *node) int {
			if v.l == nil {
				return index[v]
			}
			l := walk(v.l)
			return b.Node(l, walk(v.r))
		}
		walk(root)
		visit(b.MustTree())
	}
	var insert func(root *node, k int)
	insert = func(root *node, k int) {
		if k == n {
			emit(root)
			return
		}
		var places []**node
		top := root
		var collect func(at **node)
		collect = func(at **node) {
			places = append(places, at)
			if (*at).l != nil {
				collect(&(*at).l)
				collect(&(*at).r)
			}
		}
		collect(&top)
		for _, at := range places {
			old := *at
			*at = &node{l: old, r: leaves[k]}
			insert(top, k+1)
			*at = old
		}
	}
	insert(leaves[0], 1)
}
