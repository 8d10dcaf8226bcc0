package reveal_test

import (
	"context"
	"errors"
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

// TestCalls holds the numbers of calls that the documentation states.
func TestCalls(t *testing.T) {
	numpy, _ := sumtree.ParseFamily("pairwise(block=128, unroll=8)")
	rng := rand.New(rand.NewPCG(9, 10))
	most := map[string]int{}
	for _, shape := range probetest.Shapes()[:4] {
		for range 3 {
			tree := probetest.RandomTree(rng, 1024, shape)
			for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
				target := probetest.FromTree(tree, probetest.Options{DType: dtype})
				f := revealtest.Must(t, target, reveal.Options{}, tree)
				what := fmt.Sprintf("random tree, %v", dtype)
				if shape == probetest.Caterpillar {
					what = fmt.Sprintf("random chain, %v", dtype)
				}
				most[what] = max(most[what], f.Calls)
			}
		}
	}
	calls := func(tree *sumtree.Tree) int {
		target := probetest.FromTree(tree, probetest.Options{})
		return revealtest.Must(t, target, reveal.Options{}, tree).Calls
	}
	for _, c := range []struct {
		what        string
		calls, most int
	}{
		{"np.sum n=1024", calls(numpy.Tree(1024)), 430},
		{"chain n=1024", calls(probetest.Chain(1024)), 2200},
		{"reverse chain n=1024", calls(probetest.ReverseChain(1024)), 2200},
		{"chain n=20000", calls(probetest.Chain(20000)), 300},
		{"reverse chain n=20000", calls(probetest.ReverseChain(20000)), 300},
		{"random tree, f32", most["random tree, f32"], 940},
		{"random tree, f64", most["random tree, f64"], 690},
		{"random chain, f32", most["random chain, f32"], 2500}, // its certificate alone takes 850
		{"random chain, f64", most["random chain, f64"], 2350},
	} {
		t.Logf("%s: %d calls", c.what, c.calls)
		if c.calls > c.most {
			t.Errorf("%s: %d calls, more than %d", c.what, c.calls, c.most)
		}
	}
}

// TestCallsAreThoseMade holds Finding.Calls and Options.MaxCalls against a
// count of their own.
func TestCallsAreThoseMade(t *testing.T) {
	for _, c := range probetest.Refusals(16, fp.Binary32) {
		target := &counting{Target: c.Target}
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err == nil && f.Calls != target.calls {
			t.Errorf("%s: %d calls were made, and %d are reported", c.Name, target.calls, f.Calls)
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

// TestChangesDuringTheSearch exchanges two leaves after some calls. A verified
// tree is the one before if at most one call came after, and else the other.
func TestChangesDuringTheSearch(t *testing.T) {
	const n = 24
	chain := probetest.Chain(n)
	other := swapLeaves(chain, 3, n-1)
	for after := range 90 {
		target := &turning{Target: probetest.FromTree(chain, probetest.Options{}),
			then: probetest.FromTree(other, probetest.Options{}), after: after}
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

// TestCancel cancels Reveal in the middle.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	target := probetest.FromTree(probetest.Chain(100), probetest.Options{})
	_, err := reveal.Reveal(ctx, target, reveal.Options{Progress: func(string, int, int) {
		if calls++; calls == 20 {
			cancel()
		}
	}})
	if err == nil || calls > 21 {
		t.Errorf("after cancellation: error %v, %d calls", err, calls)
	}
}
