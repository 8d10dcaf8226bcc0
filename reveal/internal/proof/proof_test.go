package proof

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// opened returns a calibrated channel to a target.
func opened(t *testing.T, target probe.Target) *ask.Channel {
	t.Helper()
	c := ask.NewChannel(context.Background(), target, ask.Options{})
	if err := ask.Calibrate(c); err != nil {
		t.Fatal(err)
	}
	return c
}

// exchanged returns the tree with two leaves exchanged.
func exchanged(t *sumtree.Tree, a, b int) (*sumtree.Tree, error) {
	x, y := fmt.Sprint(a), fmt.Sprint(b)
	text := regexp.MustCompile(`\d+`).ReplaceAllStringFunc(t.String(), func(leaf string) string {
		switch leaf {
		case x:
			return y
		case y:
			return x
		}
		return leaf
	})
	return sumtree.Parse(text)
}

// TestCertificateRejectsMutants certifies every random tree, and no tree with
// two leaves exchanged.
func TestCertificateRejectsMutants(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, shape := range probetest.Shapes() {
		for range 8 {
			n := 3 + rng.IntN(60)
			tree := probetest.RandomTree(rng, n, shape)
			c := opened(t, probetest.FromTree(tree, probetest.Options{AlignBits: 24}))
			got, err := Certify(c, tree)
			if err != nil || got.Tests == 0 || got.Tests != got.Calls {
				t.Fatalf("%s: %+v, %v", tree, got, err)
			}
			mutant, err := exchanged(tree, rng.IntN(n), rng.IntN(n))
			if err != nil {
				t.Fatal(err)
			}
			if mutant.Equal(tree) {
				continue
			}
			_, err = Certify(c, mutant)
			var fact *verdict.Fact
			if !errors.As(err, &fact) || fact.Reason != verdict.NoTree || fact.Witness == nil {
				t.Errorf("%s certified as %s: %v", tree, mutant, err)
			}
		}
	}
}

// TestSeparate holds that for any two nodes some group holds the first and not
// the second, in no more groups than Sperner's bound asks for.
func TestSeparate(t *testing.T) {
	for n := 1; n <= 80; n++ {
		nodes := make([]tested, n)
		for i := range nodes {
			nodes[i].node = int32(i)
		}
		groups := separate(nodes)
		in := make([]uint64, n) // bit k: in group k
		for k, g := range groups {
			for _, v := range g {
				in[v.node] |= 1 << k
			}
		}
		for i := range in {
			for j := range in {
				if i != j && in[i]&^in[j] == 0 {
					t.Fatalf("%d nodes: %d is in no group without %d", n, i, j)
				}
			}
		}
		if k := len(groups); k > 1 && binomial(k-1, (k-1)/2) >= n {
			t.Errorf("%d nodes: %d groups, and one less would do", n, k)
		}
	}
}

// TestReplayNeedsTheArithmetic holds that Settle leaves the true arithmetic,
// and no other that differs on any input.
func TestReplayNeedsTheArithmetic(t *testing.T) {
	tree := probetest.Chain(20)
	for _, o := range []probetest.Options{{}, {Acc: fp.Binary64}, {Mode: fp.Down}} {
		c := opened(t, probetest.FromTree(tree, o))
		base, err := Basics(c, tree)
		if err != nil {
			t.Fatal(err)
		}
		all, err := Uniform(c, tree, base)
		if err != nil {
			t.Fatal(err)
		}
		samples, _, err := AskReplays(c, tree, 64)
		if err != nil {
			t.Fatal(err)
		}
		left, err := Settle(c, tree, all, &samples)
		if err != nil || len(left) == 0 {
			t.Fatalf("%+v: %d arithmetics left (%v)", o, len(left), err)
		}
		acc := o.Acc
		if acc == 0 {
			acc = fp.Binary32
		}
		if left[0].Nodes.Acc != acc || left[0].Nodes.Mode != o.Mode {
			t.Errorf("%+v: found %+v", o, left[0].Nodes)
		}
	}
}

// TestExactSum holds the reference of JudgeRounding on sums that need more than
// a float64.
func TestExactSum(t *testing.T) {
	c := opened(t, probetest.FromTree(probetest.Chain(3), probetest.Options{DType: fp.Binary64}))
	for _, tt := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{0x1p1000, 1, -0x1p1000}, nil, 1},
		{[]float64{1, 0x1p-53, 0x1p-1074}, nil, 1 + 0x1p-52},
		{[]float64{1, 0x1p-53, 0}, nil, 1},
		{[]float64{0x1p1000, 1, -0x1p1000}, []float64{0x1p1000, 1, 0x1p1000}, 1},
		{[]float64{1, -1, 0}, nil, 0},
	} {
		if got := exactSum(c, &ask.Sample{X: tt.x, Y: tt.y}); got != tt.want {
			t.Errorf("%v·%v: %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
}

// TestKahan holds Kahan's summation where it helps, and the order of a chain.
func TestKahan(t *testing.T) {
	x := []float64{1, 0x1p-24, 0x1p-24, 0x1p-24, 0x1p-24}
	order, ok := chainOrder(probetest.Chain(len(x)))
	if got := fmt.Sprint(order); !ok || got != "[0 1 2 3 4]" {
		t.Errorf("order %s, %v", got, ok)
	}
	if got := kahan(fp.Binary32, fp.Binary32, order, &ask.Sample{X: x}, false); got != 1+0x1p-22 {
		t.Errorf("Kahan's sum is %v", got)
	}
	pairs := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
	if _, ok := chainOrder(pairs.Tree(4)); ok {
		t.Error("a pairwise tree is a chain")
	}
}

// TestInTurn holds that values are used in order, whichever are created ahead,
// and that nothing is created after a failure except the next one.
func TestInTurn(t *testing.T) {
	for _, fails := range []int{-1, 0, 3, 6} {
		for _, long := range []int{1, 2, 100} {
			var used []int
			created := 0
			failure := errors.New("failed")
			err := inTurn(7, func(k int) bool { return k%long == 0 },
				func(k int) int { created++; return k },
				func(k int) error {
					used = append(used, k)
					if k == fails {
						return failure
					}
					return nil
				})
			want := 7
			if fails >= 0 {
				want = fails + 1
			}
			if (err != nil) != (fails >= 0) || len(used) != want || created > want+1 {
				t.Errorf("fails %d, long %d: used %v of %d created, %v",
					fails, long, used, created, err)
			}
			for k, v := range used {
				if v != k {
					t.Errorf("fails %d, long %d: used %v", fails, long, used)
				}
			}
		}
	}
}
