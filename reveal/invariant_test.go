package reveal_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// sweepOf returns a sweep over the integers from lo to hi, and checks that all
// its targets are closed, at most two of them open at a time.
func sweepOf(t *testing.T, axis string, lo, hi int, target func(v int) probe.Target) reveal.Sweep {
	s := reveal.Sweep{Axis: axis}
	for v := lo; v <= hi; v++ {
		s.Values = append(s.Values, strconv.Itoa(v))
	}
	open := 0
	s.Open = func(_ context.Context, i int) (probe.Target, error) {
		if open++; open > 2 {
			t.Errorf("%d targets are open", open)
		}
		return counted{target(lo + i), &open}, nil
	}
	t.Cleanup(func() {
		if open != 0 {
			t.Errorf("%d targets are still open", open)
		}
	})
	return s
}

// counted is a target that counts down when it is closed.
type counted struct {
	probe.Target
	open *int
}

func (c counted) Close() error {
	*c.open--
	return c.Target.Close()
}

// classesOf runs a sweep and returns its classes as text.
func classesOf(t *testing.T, s reveal.Sweep) (string, *reveal.Invariance) {
	inv, err := reveal.Invariant(context.Background(), s, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, c := range inv.Classes {
		text += fmt.Sprintf("%v verified=%v ", c.Members, c.Verified)
	}
	return text, inv
}

// fromTree is a target that adds in the order of a tree.
func fromTree(t *sumtree.Tree) probe.Target { return probetest.FromTree(t, probetest.Options{}) }

// blockReduce returns the tree of a kernel that gives each of a number of
// threads every threads-th summand, and adds the threads' sums by halves: the
// sum of squares in vLLM's RMSNorm.
func blockReduce(n, threads int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	partial := make([]int, min(n, threads))
	for i := range partial {
		partial[i] = i
		for j := i + threads; j < n; j += threads {
			partial[i] = b.Node(partial[i], j)
		}
	}
	for len(partial) > 1 {
		half := (len(partial) + 1) / 2
		for i := half; i < len(partial); i++ {
			partial[i-half] = b.Node(partial[i-half], partial[i])
		}
		partial = partial[:half]
	}
	return b.MustTree()
}

// TestInvariantTokens finds the number of tokens where a kernel changes its
// block size, as vLLM's RMSNorm did at 256.
func TestInvariantTokens(t *testing.T) {
	const hidden = 2048
	trees := map[int]*sumtree.Tree{256: blockReduce(hidden, 256), 1024: blockReduce(hidden, 1024)}
	block := func(tokens int) int {
		if tokens < 256 {
			return 1024
		}
		return 256
	}
	s := sweepOf(t, "m", 250, 260, func(v int) probe.Target { return fromTree(trees[block(v)]) })
	got, inv := classesOf(t, s)
	want := "[250 251 252 253 254 255] verified=true [256 257 258 259 260] verified=true "
	if got != want || inv.Invariant || len(inv.Boundaries) != 1 {
		t.Fatalf("%s, boundaries %+v", got, inv.Boundaries)
	}
	edge := inv.Boundaries[0]
	if edge.From != "255" || edge.To != "256" || edge.Witness == nil || edge.FirstNode == "" {
		t.Fatalf("boundary %+v", edge)
	}
	for k, b := range []int{1024, 256} {
		by := revealtest.By(trees[b], fp.Binary32, edge.Witness.X)
		if !revealtest.EqualBits(by, edge.Witness.Outs[k]) {
			t.Errorf("a block of %d does not give %v", b, edge.Witness.Outs[k])
		}
		if !inv.Classes[k].Representative.Tree.Equal(trees[b]) {
			t.Errorf("class %d has another tree", k)
		}
	}
	if w := edge.Witness; w.Bits[0] == w.Bits[1] || w.ULPs == 0 {
		t.Errorf("the results of the witness are %v", w.Bits)
	}
}

// TestInvariantNorms finds the number of rows where a norm begins to add a few
// squares in another order, although few ordinary inputs show it. It finds no
// such number for a softmax that has one order.
func TestInvariantNorms(t *testing.T) {
	t.Parallel()
	for _, dtype := range []fp.Format{fp.Binary32, fp.BFloat16} {
		for address, classes := range map[string]int{"go:rmsnorm:vllm": 2, "go:softmax:16": 1} {
			op := probe.RMSNorm
			if classes == 1 {
				op = probe.Softmax
			}
			s := reveal.Sweep{Axis: "m", Values: []string{"254", "255", "256", "257"},
				Open: func(ctx context.Context, i int) (probe.Target, error) {
					return open(ctx, address, probe.Spec{Op: op, DType: dtype, N: 520, M: 254 + i})
				}}
			inv, err := reveal.Invariant(t.Context(), s, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(inv.Classes) != classes || inv.Invariant != (classes == 1) {
				t.Errorf("%s %v: %d classes, invariant %v", address, dtype, len(inv.Classes),
					inv.Invariant)
			}
			if classes == 2 && (len(inv.Boundaries) != 1 || inv.Boundaries[0].From != "255" ||
				inv.Boundaries[0].Witness == nil) {
				t.Errorf("%s %v: boundaries %+v", address, dtype, inv.Boundaries)
			}
		}
	}
}

// TestInvariantIsQuick bounds the calls for each value of a class of norms, and
// finds the one value whose results change.
func TestInvariantIsQuick(t *testing.T) {
	const values, restless = 30, 17
	s := reveal.Sweep{Axis: "m"}
	for i := range values {
		s.Values = append(s.Values, strconv.Itoa(300+i))
	}
	s.Open = func(ctx context.Context, i int) (probe.Target, error) {
		target, err := open(ctx, "go:rmsnorm", probe.Spec{DType: fp.Binary32, N: 32, M: 300 + i})
		if i == restless {
			target = &trembling{Target: target}
		}
		return target, err
	}
	text, inv := classesOf(t, s)
	if len(inv.Classes) != 2 || len(inv.Classes[1].Members) != 1 ||
		inv.Classes[1].Members[0] != s.Values[restless] ||
		inv.Classes[1].Verdict != reveal.Nondeterministic || !inv.Classes[0].Verified {
		t.Error(text)
	}
	if inv.Calls > 450*values {
		t.Errorf("%d calls for %d values", inv.Calls, values)
	}
}

// trembling gives every 25th result a few last places off.
type trembling struct {
	probe.Target
	calls int
}

func (r *trembling) Call(ctx context.Context, b *probe.Batch) error {
	err := r.Target.Call(ctx, b)
	if r.calls++; r.calls%25 == 0 {
		b.Out[0] = fp.Binary32.Round(float64(b.Out[0]*(1+0x1p-20)), fp.NearestEven)
	}
	return err
}

// TestInvariantSeesRareTrees exchanges two neighbouring summands at one value,
// which random inputs seldom show.
func TestInvariantSeesRareTrees(t *testing.T) {
	const n = 600
	plain := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n)
	odd := swapLeaves(plain, 301, 302) // ((300 301) (302 303))
	s := sweepOf(t, "m", 1, 12, func(v int) probe.Target {
		if v == 7 {
			return fromTree(odd)
		}
		return fromTree(plain)
	})
	got, inv := classesOf(t, s)
	if got != "[1 2 3 4 5 6 8 9 10 11 12] verified=true [7] verified=true " {
		t.Fatal(got)
	}
	if len(inv.Boundaries) != 2 || inv.Boundaries[0].Witness == nil ||
		inv.Boundaries[1].Witness != nil {
		t.Errorf("boundaries %+v", inv.Boundaries)
	}
}

// TestInvariantRandomTrees sweeps over random classes of random trees.
func TestInvariantRandomTrees(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 6 {
		n := 2 + rng.IntN(60)
		trees := make([]*sumtree.Tree, 1+rng.IntN(3))
		for k := range trees {
			trees[k] = probetest.RandomTree(rng, n, probetest.Shapes()[rng.IntN(3)])
		}
		pick := make([]int, 9)
		for v := range pick {
			pick[v] = rng.IntN(len(trees))
		}
		_, inv := classesOf(t, sweepOf(t, "m", 0, 8, func(v int) probe.Target {
			return fromTree(trees[pick[v]])
		}))
		for a, c := range inv.Classes {
			for b, d := range inv.Classes {
				same := trees[pick[c.Indices[0]]].Equal(trees[pick[d.Indices[0]]])
				if same != (a == b) {
					t.Errorf("n=%d: %v and %v: equal trees %v", n, c.Members, d.Members, same)
				}
			}
			for _, i := range c.Indices {
				if !c.Verified || !trees[pick[i]].Equal(c.Representative.Tree) {
					t.Errorf("n=%d: %s is in a class of another tree", n, inv.Values[i])
				}
			}
		}
	}
}

// TestInvariantArithmetic sweeps over targets of one tree that differ in their
// arithmetic, or have no tree.
func TestInvariantArithmetic(t *testing.T) {
	const n = 20
	chain := probetest.Chain(n)
	refusal := func(name string) probe.Target {
		for _, c := range probetest.Refusals(n, fp.Binary32) {
			if c.Name == name {
				return c.Target
			}
		}
		t.Fatal("there is no refusal " + name)
		return nil
	}
	for _, c := range []struct {
		name   string
		target func(v int) probe.Target
		want   string
	}{
		{"flushes", func(v int) probe.Target {
			return probetest.FromTree(chain, probetest.Options{DAZ: v > 2, FTZ: v > 2})
		}, "[1 2] verified=true [3 4] verified=true "},
		{"wider", func(v int) probe.Target {
			if v == 1 {
				return probetest.FromTree(chain, probetest.Options{Acc: fp.Binary64})
			}
			return fromTree(chain)
		}, "[1] verified=true [2 3 4] verified=true "},
		{"exact", func(int) probe.Target { return refusal("exact") },
			"[1 2 3 4] verified=true "},
		{"exact in part", func(v int) probe.Target {
			if v < 3 {
				return refusal("exact")
			}
			return fromTree(chain)
		}, "[1 2] verified=true [3 4] verified=true "},
		{"Kahan", func(int) probe.Target { return refusal("kahan") }, "[1 2 3 4] verified=false "},
		{"random order", func(int) probe.Target { return refusal("random order") },
			"[1 2 3 4] verified=false "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, inv := classesOf(t, sweepOf(t, "threads", 1, 4, c.target))
			if got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			if inv.Invariant != (c.want == "[1 2 3 4] verified=true ") {
				t.Errorf("invariant is %v", inv.Invariant)
			}
		})
	}
}

// TestInvariantRules sweeps over numbers of summands: the rule changes where a
// block ends.
func TestInvariantRules(t *testing.T) {
	pairwise := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
	s := sweepOf(t, reveal.AxisN, 60, 69, func(n int) probe.Target {
		if n < 64 {
			return fromTree(probetest.Chain(n))
		}
		return fromTree(pairwise.Tree(n))
	})
	got, inv := classesOf(t, s)
	if got != "[60 61 62 63] verified=true [64 65 66 67 68 69] verified=true " {
		t.Fatal(got)
	}
	edge := inv.Boundaries[0]
	if edge.From != "63" || edge.To != "64" || edge.Witness == nil || edge.FirstNode == "" {
		t.Fatalf("boundary %+v", edge)
	}
	for k, tree := range []*sumtree.Tree{probetest.Chain(64), pairwise.Tree(64)} {
		by := revealtest.By(tree, fp.Binary32, edge.Witness.X)
		if !revealtest.EqualBits(by, edge.Witness.Outs[k]) {
			t.Errorf("tree %d does not give %v", k, edge.Witness.Outs[k])
		}
	}
	exact := sweepOf(t, reveal.AxisN, 1, 9, func(n int) probe.Target {
		return revealtest.Sum(n, fp.Binary64, rounded)
	})
	if got, inv := classesOf(t, exact); !inv.Invariant {
		t.Error(got)
	}
}

// rounded returns the correctly rounded sum.
func rounded(x []float64) float64 {
	var s big.Float
	s.SetPrec(2200)
	for _, v := range x {
		s.Add(&s, big.NewFloat(v))
	}
	v, _ := s.Float64()
	return v
}

// TestInvariantRefuses gives targets that take different inputs, and one that
// cannot be opened.
func TestInvariantRefuses(t *testing.T) {
	s := sweepOf(t, "m", 3, 4, func(v int) probe.Target { return fromTree(probetest.Chain(v)) })
	_, err := reveal.Invariant(context.Background(), s, reveal.Options{})
	var f *probe.Fault
	if !errors.As(err, &f) || f.ID != "not-comparable" {
		t.Errorf("targets of 3 and 4 summands: %v", err)
	}
	s = sweepOf(t, "m", 3, 9, func(int) probe.Target { return fromTree(probetest.Chain(9)) })
	_, err = reveal.Invariant(context.Background(), s, reveal.Options{MaxCalls: 60})
	if !errors.As(err, &f) || f.ID != "call-limit" {
		t.Errorf("at most 60 calls: %v", err)
	}
}
