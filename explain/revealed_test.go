package explain_test

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// zigzagTree is the order of zigzag, which is in no catalogue.
func zigzagTree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	sum := 0
	for i := 1; i < n; i++ {
		k := i / 2
		if i%2 == 1 {
			k = n - 1 - k
		}
		sum = b.Node(sum, k)
	}
	return b.MustTree()
}

// TestRevealedArithmetics explains results of one order by everything else that
// two revealed arithmetics differ in.
func TestRevealedArithmetics(t *testing.T) {
	const rows, n = 9, 60
	tree := zigzagTree(n)
	plain := func(in fp.Format, change func(*sumtree.Arithmetic)) sumtree.Arithmetic {
		a := sumtree.Arithmetic{In: in, Out: in, Products: true,
			Nodes: sumtree.NodeArith{Acc: in}}
		if change != nil {
			change(&a)
		}
		return a
	}
	wider := func(a *sumtree.Arithmetic) { a.Nodes.Acc, a.Product = fp.Binary64, fp.Binary64 }
	up := func(a *sumtree.Arithmetic) { a.Nodes.Mode = fp.Up }
	for _, c := range []struct {
		name   string
		in     fp.Format
		change [2]func(*sumtree.Arithmetic)
		want   string
	}{
		{"x87", fp.Binary64, [2]func(*sumtree.Arithmetic){nil,
			func(a *sumtree.Arithmetic) { a.Significand = 64 }}, "[accumulator]"},
		{"stored", fp.Binary32, [2]func(*sumtree.Arithmetic){nil, func(a *sumtree.Arithmetic) {
			wider(a)
			a.Nodes.Store = fp.Binary32
		}}, "[accumulator]"},
		{"short products", fp.Binary32, [2]func(*sumtree.Arithmetic){wider,
			func(a *sumtree.Arithmetic) { wider(a); a.Product = fp.Binary32 }}, "[accumulator]"},
		{"up", fp.Binary64, [2]func(*sumtree.Arithmetic){nil, up}, "[rounding]"},
		{"up and down", fp.Binary64, [2]func(*sumtree.Arithmetic){up,
			func(a *sumtree.Arithmetic) { a.Nodes.Mode = fp.Down }}, "[rounding]"},
		{"half up", fp.Binary64, [2]func(*sumtree.Arithmetic){up, func(a *sumtree.Arithmetic) {
			a.Except = []sumtree.Exception{{Inner: sumtree.Ranges{{0, n / 2}},
				Arith: sumtree.NodeArith{Acc: fp.Binary64}}}
			a.Nodes.Mode = fp.Up
		}}, "[rounding]"},
		{"kahan", fp.Binary64, [2]func(*sumtree.Arithmetic){nil,
			func(a *sumtree.Arithmetic) { a.Nodes.Carry = sumtree.CarryOn }}, "[accumulator]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			x, y := random(r, rows, n), random(r, n, rows)
			x.Format, y.Format = c.in, c.in
			cancel(r, x, y)
			var trees []explain.Tree
			var sides [2]explain.Array
			for k, change := range c.change {
				a := plain(c.in, change)
				trees = append(trees, explain.Tree{Name: []string{"one", "two"}[k], Tree: tree,
					Arithmetic: &a})
				sides[k] = replayed(t, tree, a, x, y)
			}
			p, err := explain.NewProduct(explain.MatMul, x, y)
			if err != nil {
				t.Fatal(err)
			}
			got, err := explain.Explain(t.Context(), p, sides[0], sides[1], explain.Options{
				Trees: func(context.Context, [2]int) iter.Seq[explain.Tree] {
					return slices.Values(trees)
				}})
			if err != nil || answer(got) != c.want {
				t.Errorf("%s by %+v and %+v (%s), %v; want %s", answer(got), got.A, got.B,
					got.Reason, err, c.want)
			}
		})
	}
}

// cancel makes products that nearly cancel in pairs, so that no wider
// accumulator rounds the sums correctly.
func cancel(r *rand.Rand, a, b explain.Array) {
	const near = 1 << 18
	rows, n := a.Shape[0], a.Shape[1]
	round := func(v float64) float64 { return a.Format.Round(v, fp.NearestEven) }
	for i := range rows {
		row := a.Values[i*n : (i+1)*n]
		for k := range n / 2 {
			row[k] = round(r.NormFloat64())
			row[n-1-k] = round(-row[k] * (1 + r.Float64()/near))
		}
	}
	for k := range n / 2 {
		for j := range rows {
			v := round(r.NormFloat64())
			b.Values[k*rows+j], b.Values[(n-1-k)*rows+j] = v, v
		}
	}
}

// replayed computes a matrix product in an order and an arithmetic.
func replayed(
	t *testing.T, tree *sumtree.Tree, arith sumtree.Arithmetic, a, b explain.Array,
) explain.Array {
	t.Helper()
	m, k, n := a.Shape[0], a.Shape[1], b.Shape[1]
	c := explain.Array{Format: arith.Out, Shape: []int{m, n}}
	y := make([]float64, k)
	for i := range m {
		for j := range n {
			for l := range k {
				y[l] = b.Values[l*n+j]
			}
			v, err := tree.Replay(arith, a.Values[i*k:(i+1)*k], y)
			if err != nil {
				t.Fatal(err)
			}
			c.Values = append(c.Values, v)
		}
	}
	return c
}

// TestExtendedOfShort explains sums of float32 in the 80-bit format of x87, as
// a C loop with a long double computes them.
func TestExtendedOfShort(t *testing.T) {
	const rows, n, huge = 400, 60, 1 << 40
	r := rand.New(rand.NewPCG(6, 4))
	x := random(r, rows, n)
	for i := range rows { // bits that a double loses
		row := x.Values[i*n : (i+1)*n]
		for k := range n / 3 {
			row[k] *= huge
			row[n-1-k] = -row[k]
		}
	}
	var sides [2]explain.Array
	for k := range sides {
		sides[k] = explain.Array{Format: fp.Binary32, Shape: []int{rows}}
	}
	for i := range rows {
		short, long := float32(0), new(big.Float).SetPrec(64)
		for _, v := range x.Values[i*n : (i+1)*n] {
			short += float32(v)
			long.Add(long, new(big.Float).SetFloat64(v))
		}
		s, _ := long.Float32()
		sides[0].Values = append(sides[0].Values, float64(short))
		sides[1].Values = append(sides[1].Values, float64(s))
	}
	p, err := explain.NewSum(explain.Sum, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := explain.Explain(t.Context(), p, sides[0], sides[1], explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if answer(got) != "[accumulator]" || got.B.Model != "chain, 80-bit accumulator" {
		t.Errorf("%s by %+v and %+v (%s)", answer(got), got.A, got.B, got.Reason)
	}
}
