package reveal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// mustReveal reveals and demands a verified tree equal to want.
func mustReveal(t *testing.T, target probe.Target, opt Options, want *sumtree.Tree) *Finding {
	t.Helper()
	f, err := Reveal(context.Background(), target, opt)
	if err != nil {
		t.Fatalf("%s: %v", target.Key(), err)
	}
	if f.Verdict != TreeVerdict || !f.Verified {
		w := ""
		if f.Witness != nil {
			w = f.Witness.What
		}
		t.Fatalf("%s (%s): verdict %s, verified %v, %d of %d replays, witness %q, warnings %v, want %.200s", target.Key(), f.Algorithm, f.Verdict, f.Verified,
			f.Evidence.ReplayMatched, f.Evidence.ReplayTried, w, f.Warnings, want)
	}
	if want != nil && !f.Tree.Equal(want) {
		t.Fatalf("%s (%s): revealed %.300s\nwant %.300s", target.Key(), f.Algorithm, f.Tree, want)
	}
	return f
}

func TestEveryAlgorithmOnRandomTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, algorithm := range Algorithms {
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
					mustReveal(t, probetest.FromTree(tree, probetest.Options{AlignBits: 24}), Options{Algorithm: algorithm}, tree)
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
				mustReveal(t, probetest.FromTree(tree, o), Options{}, tree)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{16, 40, 200} {
			for _, c := range probetest.Refusals(n, dtype) {
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					f, err := Reveal(context.Background(), c.Target, Options{})
					var fault *probe.Fault
					if err != nil {
						if c.Want != "error" || !errors.As(err, &fault) {
							t.Errorf("error %v, want %s", err, c.Want)
						}
						return
					}
					if !c.Accepts(string(f.Verdict)) {
						t.Errorf("verdict %s (verified %v, algorithm %s, warnings %v), want %s", f.Verdict, f.Verified, f.Algorithm, f.Warnings, c.Want)
					}
					if f.Verdict == TreeVerdict && f.Verified {
						t.Errorf("a verified tree for %s", c.Name)
					}
					if f.Verdict != Exact && f.Witness == nil {
						t.Errorf("no witness")
					}
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
				f := mustReveal(t, probetest.FromTree(tree, probetest.Options{DType: dtype}), Options{}, tree)
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
		{"np.sum n=1024", mustReveal(t, probetest.FromTree(numpy.Tree(1024), probetest.Options{}), Options{}, numpy.Tree(1024)).Calls, 300},
		{"chain n=1024", mustReveal(t, probetest.FromTree(probetest.Chain(1024), probetest.Options{}), Options{}, nil).Calls, 2200},
		{"reverse chain n=1024", mustReveal(t, probetest.FromTree(probetest.ReverseChain(1024), probetest.Options{}), Options{}, nil).Calls, 2200},
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
