package order

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The tests in this file are named after the algorithms of Xie2025. They look
// at an algorithm's claim, before any proof.

// opened returns a calibrated channel to a target with that tree.
func opened(t *testing.T, tree *sumtree.Tree, o probetest.Options) *ask.Channel {
	t.Helper()
	c := ask.NewChannel(context.Background(), probetest.FromTree(tree, o), ask.Options{})
	if err := ask.Calibrate(c); err != nil {
		t.Fatal(err)
	}
	return c
}

// claims demands that the algorithm of that name finds the tree, and returns
// the number of questions it asked, one a call.
func claims(t *testing.T, name string, tree *sumtree.Tree, o probetest.Options) (questions int) {
	t.Helper()
	c := opened(t, tree, o)
	before := c.Calls()
	found, err := named(t, name).Find(&Search{Channel: c, Holds: tree.Equal})
	if err != nil {
		t.Fatalf("%s on %s: %v", name, tree, err)
	}
	if !found.Tree.Equal(tree) {
		t.Fatalf("%s: %s\nwant %s", name, found.Tree, tree)
	}
	return c.Calls() - before
}

// named returns a row of the table.
func named(t *testing.T, name string) Finder {
	t.Helper()
	for _, a := range Table() {
		if a.Name == name {
			return a.Finder
		}
	}
	t.Fatalf("the table has no %s", name)
	return nil
}

// paperExample is the order of the paper's Algorithm 1, in its Figure 2.
const paperExample = "((((0 1) (2 3)) (4 5)) (6 7))"

func parse(t *testing.T, text string) *sumtree.Tree {
	t.Helper()
	tree, err := sumtree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestTable1 holds L(i,j) of the paper's example against its Table 1 (§4.2).
func TestTable1(t *testing.T) {
	c := opened(t, parse(t, paperExample), probetest.Options{})
	pairs := []ask.Pair{{A: 0, B: 1}, {A: 0, B: 2}, {A: 0, B: 3}, {A: 0, B: 4}, {A: 0, B: 5},
		{A: 0, B: 6}, {A: 0, B: 7}, {A: 2, B: 3}, {A: 2, B: 4}}
	sizes, err := askSizes(c, pairs)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(sizes), "[2 4 4 6 6 8 8 2 6]"; got != want {
		t.Errorf("L is %s, and %s in the paper", got, want)
	}
}

// TestPaperExample runs every algorithm on the paper's example.
func TestPaperExample(t *testing.T) {
	for _, name := range []string{"naive", "basic", "fprev-binary", "fprev", "scaled", "packed"} {
		claims(t, name, parse(t, paperExample), probetest.Options{})
	}
}

// TestNaiveSol holds NaiveSol (§3.3) on all fifteen binary trees of four
// leaves, and its limit.
func TestNaiveSol(t *testing.T) {
	trees := 0
	eachOrder(4, func(tree *sumtree.Tree) {
		trees++
		if q := claims(t, "naive", tree, probetest.Options{}); q != naiveInputs {
			t.Errorf("%d questions for %s", q, tree)
		}
	})
	if trees != 15 {
		t.Errorf("%d trees of four leaves, not (2·4−3)!! = 15", trees)
	}
	_, err := naive(opened(t, probetest.Chain(maxNaive+1), probetest.Options{}))
	var fault *probe.Fault
	if !errors.As(err, &fault) || fault.ID != "naive-too-large" {
		t.Errorf("n = %d: %v", maxNaive+1, err)
	}
}

// eachRandomTree calls do with random trees of all shapes that may be fused.
func eachRandomTree(fused bool, do func(tree *sumtree.Tree)) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, shape := range probetest.Shapes() {
		if !fused && !shape.Binary() {
			continue
		}
		for range 10 {
			do(probetest.RandomTree(rng, 1+rng.IntN(50), shape))
		}
	}
}

// TestAlgorithm2 is BasicFPRev (§4): it asks all n(n−1)/2 pairs.
func TestAlgorithm2(t *testing.T) {
	eachRandomTree(true, func(tree *sumtree.Tree) {
		n := tree.Leaves()
		if q := claims(t, "basic", tree, probetest.Options{AlignBits: 24}); q != n*(n-1)/2 {
			t.Errorf("n = %d: %d questions", n, q)
		}
	})
}

// checkBounds holds the best and the worst case of §5.1.3: n−1 questions for a
// chain, n(n−1)/2 for a reverse chain.
func checkBounds(t *testing.T, name string) {
	t.Helper()
	const n = 30
	if q := claims(t, name, probetest.Chain(n), probetest.Options{}); q != n-1 {
		t.Errorf("a chain of %d: %d questions", n, q)
	}
	if q := claims(t, name, probetest.ReverseChain(n), probetest.Options{}); q != n*(n-1)/2 {
		t.Errorf("a reverse chain of %d: %d questions", n, q)
	}
}

// TestAlgorithm3 is FPRev for binary trees (§5.1).
func TestAlgorithm3(t *testing.T) {
	eachRandomTree(false, func(tree *sumtree.Tree) {
		claims(t, "fprev-binary", tree, probetest.Options{})
	})
	checkBounds(t, "fprev-binary")
}

// TestAlgorithm4 is FPRev for multiway trees (§5.2).
func TestAlgorithm4(t *testing.T) {
	eachRandomTree(true, func(tree *sumtree.Tree) {
		claims(t, "fprev", tree, probetest.Options{AlignBits: 24})
	})
	checkBounds(t, "fprev")
}

// TestAlgorithm4SplitsFusedChildren is the example of §5.2.2: a node of five
// operands. The subset of leaf 1 returns a part whose root is the parent of
// leaf 0. Algorithm 3 takes it for a chain.
func TestAlgorithm4SplitsFusedChildren(t *testing.T) {
	for _, text := range []string{"(0 1 2 3 4)", "((0 1 2 3 4) 5 6 7)", "(0 (1 2 3) (4 5) 6)"} {
		claims(t, "fprev", parse(t, text), probetest.Options{AlignBits: 24})
		c := opened(t, parse(t, text), probetest.Options{AlignBits: 24})
		tree, err := fprevBinary(c)
		if err == nil && tree.Equal(parse(t, text)) {
			t.Errorf("Algorithm 3 found the fused tree %s", text)
		}
	}
}

// TestAlgorithm5 is FPRev for low range and low precision (§8.1): bfloat16
// counts to 2^8 and float16 to 2^11, and these trees have more leaves.
func TestAlgorithm5(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, dtype := range []fp.Format{fp.BFloat16, fp.Binary16} {
		for _, shape := range probetest.Shapes()[:3] {
			n := 300 + rng.IntN(100)
			tree := probetest.RandomTree(rng, n, shape)
			claims(t, "scaled", tree, probetest.Options{DType: dtype})
		}
	}
	c := opened(t, probetest.Chain(300), probetest.Options{DType: fp.BFloat16})
	_, err := fprev(c)
	var fault *probe.Fault
	if !errors.As(err, &fault) || fault.ID != "low-precision" {
		t.Errorf("Algorithm 4 on 300 bfloat16 summands: %v", err)
	}
}

// TestTable holds that every row has a name of its own and a line, that the
// paper's algorithms cite it, and that a plan can be made of each.
func TestTable(t *testing.T) {
	cited := 0
	seen := map[string]bool{}
	c := opened(t, probetest.Chain(5), probetest.Options{})
	for _, a := range Table() {
		if seen[a.Name] || a.Line == "" {
			t.Errorf("row %+v", a)
		}
		seen[a.Name] = true
		if strings.HasPrefix(a.Reference, "Xie2025, ") && strings.Contains(a.Reference, "§") {
			cited++
		}
		for _, step := range Plan(a.Name, c, Costs{}) {
			if step.Finder == nil {
				t.Errorf("the plan of %s has %s, which finds nothing", a.Name, step.Name)
			}
		}
	}
	if cited != 5 {
		t.Errorf("%d rows cite the paper, which has five algorithms", cited)
	}
	if Plan("no such name", c, Costs{}) != nil {
		t.Error("there is a plan for an algorithm that is not in the table")
	}
}
