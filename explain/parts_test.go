package explain_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestSumsInParts explains sums over an axis by a library that adds the last
// columns in another order than the others, in one matrix and in many. The
// order of the others may be one of the catalogue.
func TestSumsInParts(t *testing.T) {
	const cols = 40
	cascade := sumtree.Family{Kind: sumtree.Cascade, Block: 16, Base: 2}
	for _, c := range []struct {
		shape []int
		axis  int
		last  int
		at    int // the index of the place of an element that is its column
		known *sumtree.Family
		model string
	}{
		{[]int{60, cols}, 0, 2, 0, nil, "lib"},
		{[]int{20, 90, cols}, 1, 8, 1, nil, "lib"},
		{[]int{20, cols}, 0, 2, 0, &cascade, cascade.String() + "; elsewhere lib"},
	} {
		rng := rand.New(rand.NewPCG(7, 1))
		x := random(rng, c.shape...)
		p, err := explain.NewSum(explain.Sum, x, c.axis)
		if err != nil {
			t.Fatal(err)
		}
		single := sumtree.Plain(fp.Binary32)
		trees := []*sumtree.Tree{
			probetest.RandomTree(rng, p.N, probetest.Uniform),
			probetest.RandomTree(rng, p.N, probetest.Uniform),
		}
		if c.known != nil {
			trees[0] = c.known.Tree(p.N)
		}
		tree := func(column int) *sumtree.Tree {
			if column < cols-c.last {
				return trees[0]
			}
			return trees[1]
		}
		chain := sumtree.Family{Kind: sumtree.Chain}.Tree(p.N)
		a := sums(t, p, func(e int) *sumtree.Tree { return tree(e % cols) })
		b := sums(t, p, func(int) *sumtree.Tree { return chain })
		libraries := func(_ context.Context, at [2]int) iter.Seq[explain.Tree] {
			return func(yield func(explain.Tree) bool) {
				yield(explain.Tree{Name: "lib", Tree: tree(at[c.at]), Arithmetic: &single})
			}
		}
		options := explain.Options{Trees: libraries}
		x1, err := explain.Explain(t.Context(), p, a, b, options)
		if err != nil || answer(x1) != "[order]" || x1.A.Reproduces != p.Elements() ||
			x1.A.Model != c.model {
			t.Errorf("%v: %s, %v: %+v, %s", c.shape, answer(x1), err, x1.A, x1.Reason)
		}
		// One element of the last columns fits neither order.
		a.Values[cols-1] = fp.Binary32.NextUp(a.Values[cols-1])
		x2, err := explain.Explain(t.Context(), p, a, b, options)
		if err != nil || x2.Explained {
			t.Errorf("%v: %s, %v", c.shape, answer(x2), err)
		}
	}
}

// sums returns the sums of a problem in float32, each in its own order.
func sums(t *testing.T, p *explain.Problem, tree func(e int) *sumtree.Tree) explain.Array {
	t.Helper()
	all := explain.Array{Format: fp.Binary32, Shape: p.Shape}
	for e := range p.Elements() {
		summands, _ := p.Element(e)
		v, err := tree(e).Replay(sumtree.Plain(fp.Binary32), summands, nil)
		if err != nil {
			t.Fatal(err)
		}
		all.Values = append(all.Values, v)
	}
	return all
}
