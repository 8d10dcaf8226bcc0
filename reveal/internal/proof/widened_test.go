package proof

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// TestFarFromWide holds that no result of a wide accumulator is called far from
// one, whatever cancels or overflows, and that many of another order and format
// are.
func TestFarFromWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 4))
	modes := []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down, fp.NearestAway}
	far := 0
	const rounds = 20000
	for k := range rounds {
		in, products := fp.Binary64, k%2 == 1
		if k%3 > 0 || products {
			in = fp.Binary32
		}
		n := 2 + rng.IntN(40)
		tree := probetest.RandomTree(rng, n, probetest.Shape(rng.IntN(4)))
		a := sumtree.Arithmetic{In: in, Out: in, Products: products,
			Significand: []int{26, 64, 113}[rng.IntN(3)], OutNearest: k%5 == 0,
			Nodes: sumtree.NodeArith{Acc: fp.Binary64, Mode: modes[rng.IntN(len(modes))]}}
		s := ask.Sample{X: wideSummands(rng, n, in)}
		if products {
			s.Y = wideSummands(rng, n, in)
		}
		var err error
		if s.Out, err = tree.Replay(a, s.X, s.Y); err != nil {
			t.Fatal(err)
		}
		if isFarFromWide(&a, &s) {
			t.Fatalf("%+v: the sum %v of %v by %v is called far", a, s.Out, s.X, s.Y)
		}
		s.Out = 0
		for i, v := range s.X {
			if products {
				v = in.Mul(v, s.Y[i], fp.NearestEven)
			}
			s.Out = in.Add(s.Out, v, fp.NearestEven)
		}
		if a.Significand == 113 && isFarFromWide(&a, &s) {
			far++
		}
	}
	if far < rounds/50 {
		t.Errorf("%d of about %d plain sums are far from wide ones", far, rounds/3)
	}
}

// wideSummands draws summands of few or many sizes, half of them opposite to
// another one, and some so large that a sum overflows.
func wideSummands(rng *rand.Rand, n int, f fp.Format) []float64 {
	x := make([]float64, n)
	top, spread := rng.IntN(60)-30, 1+rng.IntN(50)
	if rng.IntN(4) == 0 {
		top = f.MaxExp()
	}
	for i := range x {
		x[i] = f.Round(math.Ldexp(1+rng.Float64(), top-rng.IntN(spread)), fp.TowardZero)
		switch {
		case i > 0 && rng.IntN(2) == 0:
			x[i] = -x[rng.IntN(i)]
		case rng.IntN(2) == 0:
			x[i] = -x[i]
		}
	}
	return x
}
