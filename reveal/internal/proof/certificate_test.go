package proof

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// binaryTrees returns every binary tree of n leaves.
func binaryTrees(t *testing.T, n int) []*sumtree.Tree {
	t.Helper()
	all := []any{any(0)}
	for leaf := 1; leaf < n; leaf++ {
		var next []any
		for _, tree := range all {
			next = append(next, insertions(tree, leaf)...)
		}
		all = next
	}
	trees := make([]*sumtree.Tree, len(all))
	for k, nested := range all {
		b := sumtree.NewBuilder(n)
		buildNested(b, nested)
		trees[k] = b.MustTree()
	}
	return trees
}

// insertions returns the trees that a leaf makes with a tree of nested pairs:
// beside the tree, and at every place in it.
func insertions(tree any, leaf int) []any {
	all := []any{[2]any{tree, leaf}}
	if pair, ok := tree.([2]any); ok {
		for _, left := range insertions(pair[0], leaf) {
			all = append(all, [2]any{left, pair[1]})
		}
		for _, right := range insertions(pair[1], leaf) {
			all = append(all, [2]any{pair[0], right})
		}
	}
	return all
}

func buildNested(b *sumtree.Builder, tree any) int {
	if pair, ok := tree.([2]any); ok {
		left, right := buildNested(b, pair[0]), buildNested(b, pair[1])
		return b.Node(left, right)
	}
	return tree.(int)
}

// covers returns the set of leaves under every node, one bit a leaf.
func covers(t *sumtree.Tree) []uint64 {
	all := make([]uint64, t.Nodes())
	for id := range all {
		if t.IsLeaf(id) {
			all[id] = 1 << id
			continue
		}
		for _, c := range t.Children(id) {
			all[id] |= all[c]
		}
	}
	return all
}

// meeting returns the least of the sets that holds all of two leaves.
func meeting(sets []uint64, leaves uint64) uint64 {
	for _, s := range sets { // in post-order
		if s&leaves == leaves {
			return s
		}
	}
	return 0
}

// TestSiblingsSeparateTrees holds Certify's inductions for all trees of five
// leaves and many of seven: where all weights are 1 and masks are on any
// leaves, some group of siblingGroups has another count in every other tree.
func TestSiblingsSeparateTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	pickUnder := func(set uint64) uint64 {
		for {
			if leaf := uint64(1) << rng.IntN(64); set&leaf != 0 {
				return leaf
			}
		}
	}
	passes := func(claimed *sumtree.Tree, groups [][]tested, mine, real []uint64) bool {
		for _, g := range groups {
			var predicted, lost uint64
			for _, v := range g {
				kids := claimed.Children(int(v.node))
				predicted |= mine[v.node]
				pair := pickUnder(mine[kids[v.a]]) | pickUnder(mine[kids[v.b]])
				lost |= meeting(real, pair)
			}
			if count(lost) != count(predicted) {
				return false
			}
		}
		return true
	}
	for n, step := range map[int]int{2: 1, 3: 1, 4: 1, 5: 1, 7: 997} {
		trees := binaryTrees(t, n)
		for k := 0; k < len(trees)*len(trees); k += step {
			claimed, real := trees[k/len(trees)], trees[k%len(trees)]
			got := passes(claimed, siblingGroups(claimed), covers(claimed), covers(real))
			if want := claimed.Equal(real); got != want {
				t.Fatalf("%s of %s: passes %v", claimed, real, got)
			}
		}
	}
}

func count(set uint64) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// interchanged returns a tree with one subtree less and another one more: an
// operand of v and the sibling of v change places.
func interchanged(t *sumtree.Tree, v, operand int) *sumtree.Tree {
	p := int(t.Parents()[v])
	sibling := t.Children(p)[0]
	if int(sibling) == v {
		sibling = t.Children(p)[1]
	}
	moved := t.Children(v)[operand]
	b := sumtree.NewBuilder(t.Leaves())
	id := make([]int, t.Nodes())
	var place func(old int32) int
	place = func(old int32) int {
		if t.IsLeaf(int(old)) {
			return int(old)
		}
		if id[old] == 0 {
			kids := t.Children(int(old))
			if int(old) == v {
				id[old] = b.Node(place(sibling), place(t.Children(v)[1-operand]))
			} else {
				id[old] = b.Node(place(kids[0]), place(kids[1]))
			}
		}
		return id[old]
	}
	for old := t.Leaves(); old < t.Nodes(); old++ { // children before parents: no deep recursion
		if old == p {
			id[old] = b.Node(place(int32(v)), place(moved))
		} else if old != v {
			place(int32(old))
		}
	}
	return b.MustTree()
}

// TestCertificateRejectsInterchanges certifies large trees, and no tree that
// differs from them in one node, wherever that is.
func TestCertificateRejectsInterchanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	numpy, err := sumtree.ParseFamily("pairwise(block=128, unroll=8)")
	if err != nil {
		t.Fatal(err)
	}
	type large struct {
		tree    *sumtree.Tree
		mutants int
	}
	trees := []large{{probetest.RandomTree(rng, 4097, probetest.Uniform), 40},
		{probetest.RandomTree(rng, 1<<14, probetest.Balanced), 20},
		{numpy.Tree(1 << 17), 10}}
	if !testing.Short() {
		trees = append(trees, large{numpy.Tree(1 << 20), 2})
	}
	for _, l := range trees {
		n := l.tree.Leaves()
		c := opened(t, probetest.FromTree(l.tree, probetest.Options{}))
		if got, err := Certify(c, l.tree); err != nil || got.Tests == 0 {
			t.Fatalf("n=%d: %+v, %v", n, got, err)
		}
		for range l.mutants {
			v := n + rng.IntN(n-2) // any node except the root
			mutant := interchanged(l.tree, v, rng.IntN(2))
			_, err := Certify(c, mutant)
			var fact *verdict.Fact
			if !errors.As(err, &fact) || fact.Reason != verdict.NoTree {
				t.Errorf("n=%d: certified with node %d changed: %v", n, v, err)
			}
		}
	}
}

// TestCertificateRejectsLockstep claims two chains that are added in the end of
// an implementation that adds them pair by pair.
func TestCertificateRejectsLockstep(t *testing.T) {
	const half = 4096
	apart, lockstep := sumtree.NewBuilder(2*half), sumtree.NewBuilder(2*half)
	left, right, both := 0, half, lockstep.Node(0, half)
	for k := 1; k < half; k++ {
		left, right = apart.Node(left, k), apart.Node(right, half+k)
		both = lockstep.Node(both, lockstep.Node(k, half+k))
	}
	apart.Node(left, right)
	claimed := apart.MustTree()
	c := opened(t, probetest.FromTree(lockstep.MustTree(), probetest.Options{}))
	var fact *verdict.Fact
	if _, err := Certify(c, claimed); !errors.As(err, &fact) || fact.Reason != verdict.NoTree {
		t.Errorf("certified: %v", err)
	}
}
