package order

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// maxNaive is the largest n that naive accepts: there are 135,135 orders of 8.
const maxNaive = 8

// naiveInputs is the number of random inputs that an order must reproduce.
const naiveInputs = 60

// naive is NaiveSol, §3.3 of the paper: enumerate all (2n−3)!! binary orders,
// and keep the one whose replay equals the target on random inputs. It sees
// neither fused sums nor any arithmetic except rounding to the output format or
// to a wider one. It is the oracle that tests hold the other algorithms
// against.
//
// Questions: 60. Time: (2n−3)!! replays, so n ≤ 8.
func naive(c *ask.Channel) (*sumtree.Tree, error) {
	if c.N > maxNaive {
		return nil, &probe.Fault{
			ID:    "naive-too-large",
			Thing: fmt.Sprintf("algorithm naive at n = %d", c.N),
			Cause: fmt.Sprintf("it tries every order, and there are too many beyond n = %d",
				maxNaive),
			Cure: "use another algorithm",
		}
	}
	c.Expect("naive", naiveInputs)
	inputs, want, err := askSpread(c)
	if err != nil {
		return nil, err
	}
	var found *sumtree.Tree
	var orders int
	for _, acc := range ask.Accumulators(c.Key) {
		a := sumtree.Arithmetic{In: c.Key.DType, Out: c.Key.Out,
			Nodes: sumtree.NodeArith{Acc: acc}, PlusZero: true, Mean: c.Key.Mean}
		eachOrder(c.N, func(t *sumtree.Tree) {
			if reproduces(t, a, inputs, want) {
				orders++
				found = t
			}
		})
		if found != nil {
			break
		}
	}
	what := ""
	switch {
	case found == nil:
		what = fmt.Sprintf("no binary order of %d summands gives the outputs", c.N)
	case orders > 1:
		what = fmt.Sprintf("%d orders give the same outputs on %d random inputs",
			orders, naiveInputs)
	default:
		return found, nil
	}
	return nil, &verdict.Fact{Reason: verdict.NoTree, What: what}
}

// askSpread asks random inputs whose magnitudes differ, which makes almost
// every swap visible.
func askSpread(c *ask.Channel) (inputs [][]float64, outs []float64, err error) {
	inputs = make([][]float64, naiveInputs)
	fills := make([]ask.Fill, naiveInputs)
	for k := range inputs {
		x := make([]float64, c.N)
		for i := range x {
			//lastbit:ignore libm random inputs
			v := c.Rand.NormFloat64() * math.Exp2(float64(c.Rand.IntN(12)))
			x[i] = c.Key.DType.Round(v, fp.NearestEven)
		}
		inputs[k], fills[k] = x, ask.Values(x)
	}
	outs, err = c.Ask(nil, fills...)
	return inputs, outs, err
}

// reproduces reports whether replaying t gives every output.
func reproduces(t *sumtree.Tree, a sumtree.Arithmetic, inputs [][]float64, outs []float64) bool {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return false
	}
	for k, x := range inputs {
		if s, _ := r.Sum(x, nil); !ask.SameBits(s, outs[k]) {
			return false
		}
	}
	return true
}

// orderNode is a node of a tree under construction; a leaf has no operands.
type orderNode struct {
	leaf int
	l, r *orderNode
}

// eachOrder calls visit with every binary tree of n leaves: leaf k is inserted
// on each of the 2k−1 edges of every tree of k leaves, the one above the root
// included.
func eachOrder(n int, visit func(*sumtree.Tree)) {
	var insert func(root *orderNode, k int)
	insert = func(root *orderNode, k int) {
		if k == n {
			visit(root.tree(n))
			return
		}
		for _, edge := range edges(&root, nil) {
			below := *edge
			*edge = &orderNode{l: below, r: &orderNode{leaf: k}}
			insert(root, k+1)
			*edge = below
		}
	}
	insert(&orderNode{}, 1)
}

// edges appends the edges of the tree below at, which is one of them.
func edges(at **orderNode, all []**orderNode) []**orderNode {
	all = append(all, at)
	if (*at).l != nil {
		all = edges(&(*at).l, all)
		all = edges(&(*at).r, all)
	}
	return all
}

// tree returns v as a Tree of n leaves.
func (v *orderNode) tree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	v.add(b)
	return b.MustTree()
}

// add adds the subtree of v to b, and returns its node.
func (v *orderNode) add(b *sumtree.Builder) int {
	if v.l == nil {
		return v.leaf
	}
	l := v.l.add(b)
	return b.Node(l, v.r.add(b))
}
