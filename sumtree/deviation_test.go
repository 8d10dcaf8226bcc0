package sumtree

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestDeviants compares the deviations that an input shows with replays where
// that one node rounds otherwise.
func TestDeviants(t *testing.T) {
	modes := map[Deviation]NodeArith{
		Unrounded:  {Acc: fp.Binary64},
		TowardZero: {Acc: fp.Binary32, Mode: fp.TowardZero},
		Upward:     {Acc: fp.Binary32, Mode: fp.Up},
		Downward:   {Acc: fp.Binary32, Mode: fp.Down},
		Narrowed:   {Acc: fp.Binary32, Store: fp.BFloat16},
	}
	rng := rand.New(rand.NewPCG(21, 22))
	for range 60 {
		n := 2 + rng.IntN(12)
		tree := Family{Kind: Chain}.Tree(n)
		if rng.IntN(2) == 0 {
			tree = Family{Kind: Pairwise, Block: 1, Unroll: 1}.Tree(n)
		}
		a := Arithmetic{In: fp.BFloat16, Out: fp.BFloat16, Nodes: NodeArith{Acc: fp.Binary32}}
		x := make([]float64, n)
		for i := range x {
			x[i] = fp.BFloat16.Round(math.Ldexp(rng.NormFloat64(), -rng.IntN(24)), fp.NearestEven)
		}
		r, err := NewReplayer(tree, a)
		if err != nil {
			t.Fatal(err)
		}
		left := make([]Deviation, tree.Nodes())
		for id := n; id < tree.Nodes(); id++ {
			left[id] = OfNodes
		}
		out, err := NewDeviants(r).Remove(left, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range tree.Inner() {
			for d, other := range modes {
				b := a
				b.Except = []Exception{{Inner: Ranges{{k, k + 1}}, Arith: other}}
				if k == tree.Inner()-1 && other.Mode != fp.NearestEven {
					continue // the root's mode rounds the result as well
				}
				got, err := tree.Replay(b, x, nil)
				if err != nil {
					t.Fatal(err)
				}
				shows := math.Float64bits(got) != math.Float64bits(out)
				if shown := left[n+k]&d == 0; shown != shows {
					t.Errorf("%v of node %d of %s: shown %v, want %v for %v", d, k, tree, shown,
						shows, x)
				}
			}
		}
	}
}

// TestDeviationsOfFusedProducts holds that inputs show each fused product that
// might be rounded, where a float64 does not hold the products, too.
func TestDeviationsOfFusedProducts(t *testing.T) {
	tree, err := Parse("((0 1) 2)")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []fp.Format{fp.Binary32, fp.Binary64} {
		claimed := Plain(in)
		claimed.Products, claimed.FMA = true, FMAEarlier // leaves 0 and 2
		r, err := NewReplayer(tree, claimed)
		if err != nil {
			t.Fatal(err)
		}
		rounded := claimed
		rounded.FMA, rounded.Fused = FMAMixed, Ranges{{2, 3}}
		rng := rand.New(rand.NewPCG(1, 2))
		x, y := make([]float64, 3), make([]float64, 3)
		shown := 0
		for range 1000 {
			for i := range x {
				x[i] = in.Round(rng.NormFloat64(), fp.NearestEven)
				y[i] = in.Round(rng.NormFloat64(), fp.NearestEven)
			}
			left := []Deviation{OtherProduct, 0, 0, 0, 0}
			got, err := NewDeviants(r).Remove(left, x, y)
			want, no := tree.Replay(rounded, x, y)
			if err != nil || no != nil {
				t.Fatal(err, no)
			}
			if (left[0] == 0) != (got != want) {
				t.Fatalf("%v: predicted %v of %v and %v", in, left[0] == 0, got, want)
			}
			if left[0] == 0 {
				shown++
			}
		}
		if shown == 0 {
			t.Errorf("%v: no input shows a product that is rounded", in)
		}
	}
}
