package arithmetic_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestFusedTies tells multiply-adds of binary16 from ones that are computed in
// binary32 and rounded again: they differ next to ties only. Of squares, too.
func TestFusedTies(t *testing.T) {
	t.Parallel()
	sizes := []int{2, 3, 8, 33, 200}
	if revealtest.IsWhole() {
		sizes = append(sizes, 16, 64, 100)
	}
	nodes := []sumtree.NodeArith{{Acc: fp.Binary16}, {Acc: fp.Binary32, Store: fp.Binary16}}
	for _, op := range []probe.Op{probe.Dot, probe.SumSq} {
		for _, n := range sizes {
			chain := probetest.Chain(n)
			random := probetest.RandomTree(rand.New(rand.NewPCG(16, uint64(n))), n,
				probetest.Shapes()[n%4])
			for k, tree := range []*sumtree.Tree{chain, random} {
				for _, node := range nodes {
					t.Run(fmt.Sprintf("%s/%d/%d/%v", op, n, k, node.Acc), func(t *testing.T) {
						revealFused(t, op, tree, node)
					})
				}
			}
		}
	}
}

// revealFused reveals a tree of multiply-adds of binary16.
func revealFused(t *testing.T, op probe.Op, tree *sumtree.Tree, node sumtree.NodeArith) {
	target := fusedTarget(t, op, tree, node)
	f := revealtest.Must(t, target, reveal.Options{}, tree)
	if got := f.Arithmetic.Nodes; got.Acc != node.Acc ||
		tree.Leaves() > 2 && got.Store != node.Store {
		t.Errorf("the additions are %+v, want %+v", got, node)
	}
	if err := revealtest.Mismatch(t.Context(), target, f, 1, 20); err != nil {
		t.Error(err)
	}
}

// fusedTarget adds products of binary16 by multiply-adds in the order of tree.
func fusedTarget(
	t *testing.T, op probe.Op, tree *sumtree.Tree, node sumtree.NodeArith,
) probe.Target {
	a := sumtree.Arithmetic{In: fp.Binary16, Out: fp.Binary16, Products: true,
		Squares: op == probe.SumSq, FMA: sumtree.FMALater, Nodes: node, PlusZero: true}
	key := probe.Key{Target: "fused", Op: op, DType: a.In, Out: a.Out, N: tree.Leaves(),
		Threads: 1}
	return revealtest.DotOf(key, func(x, y []float64) float64 {
		if a.Squares {
			y = x
		}
		out, err := tree.Replay(a, x, y)
		if err != nil {
			t.Error(err)
		}
		return out
	})
}

// TestFusedTiesDiffer compares the two ways of a multiply-add.
func TestFusedTiesDiffer(t *testing.T) {
	t.Parallel()
	for _, op := range []probe.Op{probe.Dot, probe.SumSq} {
		tree := probetest.Chain(8)
		c, err := reveal.Compare(t.Context(), []probe.Target{
			fusedTarget(t, op, tree, sumtree.NodeArith{Acc: fp.Binary16}),
			fusedTarget(t, op, tree, sumtree.NodeArith{Acc: fp.Binary32, Store: fp.Binary16}),
		}, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Conclusion != reveal.Different || len(c.Unshown) > 0 || len(c.Differences) != 1 {
			t.Errorf("%s: %s, %+v, %+v", op, c.Conclusion, c.Unshown, c.Differences)
		}
	}
}
