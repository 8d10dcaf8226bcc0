package reveal_test

import (
	"context"
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

func TestEveryAlgorithmOnRandomTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, algorithm := range reveal.Algorithms() {
		for _, shape := range probetest.Shapes() {
			if !shape.Binary() && (algorithm == "naive" || algorithm == "fprev-binary") {
				continue
			}
			for range 12 {
				n := 1 + rng.IntN(60)
				if algorithm == "naive" {
					n = 1 + rng.IntN(6)
				}
				tree := probetest.RandomTree(rng, n, shape)
				if algorithm == "family" {
					tree = sumtree.Candidates(n)[rng.IntN(len(sumtree.Candidates(n)))].Tree(n)
				}
				t.Run(fmt.Sprintf("%s/%v/%d", algorithm, shape, n), func(t *testing.T) {
					revealtest.Must(t, probetest.FromTree(tree, probetest.Options{AlignBits: 24}), reveal.Options{Algorithm: algorithm}, tree)
				})
			}
		}
	}
}

func TestArithmetics(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for name, o := range map[string]probetest.Options{
		"f32":             {},
		"f64":             {DType: fp.Binary64},
		"f16":             {DType: fp.Binary16},
		"bf16":            {DType: fp.BFloat16},
		"f16 in f32":      {DType: fp.Binary16, Acc: fp.Binary32},
		"bf16 in f32":     {DType: fp.BFloat16, Acc: fp.Binary32},
		"f16 to f32":      {DType: fp.Binary16, Acc: fp.Binary32, Out: fp.Binary32},
		"f32 in f64":      {Acc: fp.Binary64},
		"f32 to f64":      {Acc: fp.Binary64, Out: fp.Binary64},
		"dot f32":         {Products: true},
		"dot f32 fma":     {Products: true, FMA: true},
		"dot f64":         {Products: true, DType: fp.Binary64},
		"dot f64 fma":     {Products: true, DType: fp.Binary64, FMA: true},
		"dot f16 in f32":  {Products: true, DType: fp.Binary16, Acc: fp.Binary32},
		"dot f32 in f64":  {Products: true, Acc: fp.Binary64},
		"ftz":             {FTZ: true},
		"daz ftz":         {FTZ: true, DAZ: true},
		"from zero":       {FromZero: true},
		"down":            {Mode: fp.Down},
		"up":              {Mode: fp.Up},
		"up f64":          {Mode: fp.Up, DType: fp.Binary64},
		"gemm":            {Op: probe.Gemm, Lanes: 20, Cols: 3},
		"gemm f64 fma":    {Op: probe.Gemm, DType: fp.Binary64, FMA: true, Lanes: 20, Cols: 3},
		"axis sum 30":     {Lanes: 30},
		"f16 axis sum 30": {DType: fp.Binary16, Lanes: 30},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 8, 33, 150} {
				shape := probetest.Shapes()[rng.IntN(3)]
				tree := probetest.RandomTree(rng, n, shape)
				revealtest.Must(t, probetest.FromTree(tree, o), reveal.Options{}, tree)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16, fp.BFloat16} {
		for _, n := range []int{8, 40, 200} {
			for _, c := range probetest.Refusals(n, dtype) {
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					revealtest.Refuses(t, c, reveal.Options{})
				})
			}
		}
	}
}

// TestCalls holds the numbers of calls that the documentation states.
func TestCalls(t *testing.T) {
	numpy, _ := sumtree.ParseFamily("pairwise(block=128, unroll=8)")
	rng := rand.New(rand.NewPCG(9, 10))
	most := map[string]int{}
	for _, shape := range probetest.Shapes()[:4] {
		for range 3 {
			tree := probetest.RandomTree(rng, 1024, shape)
			for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
				f := revealtest.Must(t, probetest.FromTree(tree, probetest.Options{DType: dtype}), reveal.Options{}, tree)
				what := fmt.Sprintf("random tree, %v", dtype)
				if shape == probetest.Caterpillar {
					what = fmt.Sprintf("random chain, %v", dtype)
				}
				most[what] = max(most[what], f.Calls)
			}
		}
	}
	for _, c := range []struct {
		what        string
		calls, most int
	}{
		{"np.sum n=1024", revealtest.Must(t, probetest.FromTree(numpy.Tree(1024), probetest.Options{}), reveal.Options{}, numpy.Tree(1024)).Calls, 300},
		{"chain n=1024", revealtest.Must(t, probetest.FromTree(probetest.Chain(1024), probetest.Options{}), reveal.Options{}, nil).Calls, 2200},
		{"reverse chain n=1024", revealtest.Must(t, probetest.FromTree(probetest.ReverseChain(1024), probetest.Options{}), reveal.Options{}, nil).Calls, 2200},
		{"random tree, f32", most["random tree, f32"], 900},
		{"random tree, f64", most["random tree, f64"], 700},
		{"random chain, f32", most["random chain, f32"], 2900}, // its certificate alone takes 850
		{"random chain, f64", most["random chain, f64"], 2700},
	} {
		t.Logf("%s: %d calls", c.what, c.calls)
		if c.calls > c.most {
			t.Errorf("%s: %d calls, more than %d", c.what, c.calls, c.most)
		}
	}
}

// FuzzRandomTrees reveals random trees, binary and fused, of up to 300 leaves.
func FuzzRandomTrees(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed, uint16(seed*13), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, kind uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		shape := probetest.Shapes()[int(kind)%len(probetest.Shapes())]
		tree := probetest.RandomTree(rng, 1+int(n)%300, shape)
		o := probetest.Options{DType: []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16}[rng.IntN(3)], AlignBits: 24, FromZero: rng.IntN(2) == 0}
		if o.DType != fp.Binary16 && shape.Binary() {
			o.Products, o.FMA = rng.IntN(2) == 0, rng.IntN(2) == 0
		}
		target := probetest.FromTree(tree, o)
		found := revealtest.Must(t, target, reveal.Options{Seed: seed}, tree)
		revealtest.Replays(t, target, found, 10)
	})
}

// TestCancel ends a revelation in the middle.
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
