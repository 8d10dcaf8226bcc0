package reveal_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// The implementations in this file are made to be mistaken for another one.

// swapLeaves returns the tree with the leaves a and b exchanged.
func swapLeaves(t *sumtree.Tree, a, b int) *sumtree.Tree {
	other := map[int]int{a: b, b: a}
	builder := sumtree.NewBuilder(t.Leaves())
	for id := t.Leaves(); id < t.Nodes(); id++ {
		var kids []int
		for _, c := range t.Children(id) {
			k := int(c)
			if o, ok := other[k]; ok {
				k = o
			}
			kids = append(kids, k)
		}
		builder.Node(kids...)
	}
	return builder.MustTree()
}

var mimicked = []string{"chain", "reverse chain", "pairwise", "pairwise(block=128, unroll=8)", "strided(8)+halving", "strided(4)+chain, tail apart", "chunks(8) of chain"}

// TestFamiliesWithTwoLeavesExchanged is for every place of the exchange: nothing
// short of the whole structure tells such a tree from the family.
func TestFamiliesWithTwoLeavesExchanged(t *testing.T) {
	const n = 21
	for k, name := range mimicked {
		family, err := sumtree.ParseFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		for a := range n {
			b := (a + 1 + k%3) % n
			t.Run(fmt.Sprintf("%s/%d-%d", name, a, b), func(t *testing.T) {
				tree := swapLeaves(family.Tree(n), a, b)
				dtype := []fp.Format{fp.Binary32, fp.Binary64, fp.BFloat16}[a%3]
				target := probetest.FromTree(tree, probetest.Options{DType: dtype})
				revealtest.Replays(t, target, revealtest.Must(t, target, reveal.Options{}, tree), 40)
			})
		}
	}
}

// TestLargeMimicsInFewBits is for sums of more summands than the format can
// count, where most leaves of a masked input carry nothing.
func TestLargeMimicsInFewBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, name := range mimicked {
		for _, dtype := range []fp.Format{fp.BFloat16, fp.Binary16} {
			t.Run(fmt.Sprintf("%s/%v", name, dtype), func(t *testing.T) {
				family, err := sumtree.ParseFamily(name)
				if err != nil {
					t.Fatal(err)
				}
				n := 270 + rng.IntN(100)
				a := rng.IntN(n - 1)
				tree := swapLeaves(family.Tree(n), a, a+1)
				revealtest.Must(t, probetest.FromTree(tree, probetest.Options{DType: dtype}), reveal.Options{}, tree)
			})
		}
	}
}

// TestOneNodeInAnotherFormat is for every node: a float64 addition inside a
// float32 tree is part of what has to be found.
func TestOneNodeInAnotherFormat(t *testing.T) {
	tree := probetest.RandomTree(rand.New(rand.NewPCG(13, 14)), 14, probetest.Uniform)
	for at := range tree.Inner() {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			target := probetest.FromTree(tree, probetest.Options{NodeAcc: func(id int) fp.Format {
				if id == tree.Leaves()+at {
					return fp.Binary64
				}
				return 0
			}})
			revealtest.Replays(t, target, revealtest.Must(t, target, reveal.Options{}, tree), 40)
		})
	}
}

// pure names the refusals that are functions of their input.
var pure = []string{"kahan", "neumaier", "double-double", "sorted by value", "rescales when huge", "order by size of the largest", "order by sign of the first",
	"skips small summands", "drops the middle", "drops the last", "doubles the first", "counts one twice", "scales one slightly", "adds a constant",
	"sum of absolute values", "maximum", "constant zero", "NaN when huge", "infinite when huge"}

// TestWitnessesWitness runs every witness again: the implementation gives what
// was seen, and not what a sum would have to give.
func TestWitnessesWitness(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{9, 30} {
			for _, c := range probetest.Refusals(n, dtype) {
				if !slices.Contains(pure, c.Name) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					f, err := reveal.Reveal(context.Background(), c.Target, reveal.Options{})
					if err != nil {
						t.Fatal(err)
					}
					w := f.Witness
					if w == nil || len(w.X) != n || len(w.Seen) == 0 {
						t.Fatalf("%s without a whole witness", f.Verdict)
					}
					b := probe.NewBatch(c.Target)
					copy(b.X, w.X)
					if err := c.Target.Call(context.Background(), b); err != nil {
						t.Fatal(err)
					}
					if !equalBits(b.Out[0], w.Seen[0]) {
						t.Errorf("%s: %q saw %v, and now %v", f.Verdict, w.What, w.Seen[0], b.Out[0])
					}
					if w.Want != nil && equalBits(b.Out[0], (*w.Want)[0]) {
						t.Errorf("%s: %q wants what it sees, %v", f.Verdict, w.What, b.Out[0])
					}
				})
			}
		}
	}
}

func equalBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// counting counts the calls of a target.
type counting struct {
	probe.Target
	calls int
}

func (c *counting) Call(ctx context.Context, b *probe.Batch) error {
	c.calls++
	return c.Target.Call(ctx, b)
}

// TestCallsAreThoseMade holds Finding.Calls and Options.MaxCalls against a count
// of their own.
func TestCallsAreThoseMade(t *testing.T) {
	for _, c := range probetest.Refusals(16, fp.Binary32) {
		target := &counting{Target: c.Target}
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err == nil && f.Calls != target.calls {
			t.Errorf("%s: %d calls are said to be %d", c.Name, target.calls, f.Calls)
		}
	}
	tree := probetest.RandomTree(rand.New(rand.NewPCG(15, 16)), 50, probetest.Uniform)
	for most := 1; most < 90; most += 8 {
		target := &counting{Target: probetest.FromTree(tree, probetest.Options{})}
		_, err := reveal.Reveal(context.Background(), target, reveal.Options{MaxCalls: most})
		var fault *probe.Fault
		if !errors.As(err, &fault) || fault.ID != "call-limit" || target.calls != most {
			t.Errorf("at most %d calls: %d made, error %v", most, target.calls, err)
		}
	}
}

// TestChangesDuringTheSearch exchanges two leaves after some calls: a verified
// tree is the one before where hardly a call came after, and else the other.
func TestChangesDuringTheSearch(t *testing.T) {
	const n = 24
	chain := probetest.Chain(n)
	other := swapLeaves(chain, 3, n-1)
	for after := range 90 {
		first, then := probetest.FromTree(chain, probetest.Options{}), probetest.FromTree(other, probetest.Options{})
		target := &turning{Target: first, then: then, after: after}
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := other
		if target.calls <= after+1 {
			want = chain
		}
		if f.Verified && !f.Tree.Equal(want) {
			t.Errorf("changed after %d of %d calls: verified %s", after, target.calls, f.Tree)
		}
	}
}

// turning is one target, and from some call on another.
type turning struct {
	probe.Target
	then  probe.Target
	after int
	calls int
}

func (t *turning) Call(ctx context.Context, b *probe.Batch) error {
	t.calls++
	if t.calls > t.after {
		return t.then.Call(ctx, b)
	}
	return t.Target.Call(ctx, b)
}
