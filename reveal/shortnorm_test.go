package reveal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestShortModels reveals softmax and norms in float32 whose results are
// rounded to 16 bits, next to rounding boundaries of these.
func TestShortModels(t *testing.T) {
	t.Parallel()
	for _, dtype := range []fp.Format{fp.BFloat16, fp.Binary16} {
		for i, n := range []int{6, 20} {
			for j, block := range []int{1, 3, 8} {
				if (i+j)%2 == 1 && !revealtest.IsWhole() {
					continue
				}
				s := probe.Spec{Op: probe.Softmax, DType: dtype, N: n, M: 16}
				softmax := opened(t, fmt.Sprintf("go:softmax:%d", block), s)
				revealtest.Must(t, softmax, reveal.Options{}, blocks(n, block))
				s.Op = probe.RMSNorm
				norm := opened(t, fmt.Sprintf("go:rmsnorm:%d", block), s)
				f := revealtest.Must(t, norm, reveal.Options{}, nil)
				revealtest.Replays(t, norm, f, 100)
			}
		}
	}
}

// opened opens a target until the end of the test.
func opened(t *testing.T, address string, s probe.Spec) probe.Target {
	t.Helper()
	target, err := open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

// TestShortRoots reveals roots of sums of squares whose format is shorter than
// the format of the sum.
func TestShortRoots(t *testing.T) {
	t.Parallel()
	for k, o := range []probetest.Options{
		{DType: fp.BFloat16, Acc: fp.Binary32},
		{DType: fp.Binary16, Acc: fp.Binary32},
	} {
		o.Op, o.Root = probe.SumSq, true
		for _, n := range []int{5, 20} {
			for _, shape := range probetest.Shapes() {
				if !shape.Binary() {
					continue
				}
				t.Run(fmt.Sprintf("%d/%v/%d", k, shape, n), func(t *testing.T) {
					tree := probetest.RandomTree(rand.New(rand.NewPCG(uint64(n), 3)), n, shape)
					target := probetest.FromTree(tree, o)
					f := revealtest.Must(t, target, reveal.Options{}, tree)
					revealtest.Replays(t, target, f, 100)
				})
			}
		}
	}
}

// TestScaledNorms holds that a norm is not a verified tree of squares where it
// scales its summands, so that squares neither overflow nor underflow, except
// where that makes no difference.
func TestScaledNorms(t *testing.T) {
	scaled := func(x []float64, low, high float64) float64 {
		top, scale, sum := 0.0, 1.0, 0.0
		for _, v := range x {
			top = max(top, math.Abs(v))
		}
		if top > high || top < low {
			scale = 0x1p600
			if top > high {
				scale = 0x1p-600
			}
		}
		for _, v := range x {
			v *= scale
			sum += float64(v * v)
		}
		return math.Sqrt(sum) / scale
	}
	for _, n := range []int{1, 2, 3, 4, 20} {
		for name, norm := range map[string]func(x []float64) float64{
			"both": func(x []float64) float64 { return scaled(x, 1e-140, 1e150) },
			"huge": func(x []float64) float64 { return scaled(x, 0, 1e153) },
			"tiny": func(x []float64) float64 { return scaled(x, 1e-160, math.MaxFloat64) },
		} {
			f, err := reveal.Reveal(t.Context(), gofunc.NewSquares(name, norm, n), reveal.Options{})
			if err != nil || f.Verified || f.Verdict == reveal.Exact {
				t.Errorf("%s of %d: verdict %s, verified %v, %v", name, n, f.Verdict, f.Verified,
					err)
			}
		}
	}
}

// TestWideNorm reveals norms whose squares are added in float64 and whose sum
// is rounded to float32 before its root. The sum of three squares is hidden,
// but not taken for an exact sum.
func TestWideNorm(t *testing.T) {
	norm := func(x []float32) float32 {
		sum := 0.0
		for _, v := range x {
			sum += float64(v) * float64(v)
		}
		return float32(math.Sqrt(float64(float32(sum))))
	}
	for _, n := range []int{4, 7, 30} {
		target := gofunc.NewSquares("wide", norm, n)
		f := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		revealtest.Replays(t, target, f, 100)
	}
	for seed := range revealtest.Everyday(8) {
		f, err := reveal.Reveal(t.Context(), gofunc.NewSquares("wide", norm, 3),
			reveal.Options{Seed: seed})
		if err != nil || f.Verdict == reveal.Exact {
			t.Errorf("verdict %s, %v", f.Verdict, err)
		}
	}
}

// TestShortOfWide holds that sums in float64 whose results are rounded to 16
// bits are refused: no result shows the last place of such a sum.
func TestShortOfWide(t *testing.T) {
	for _, n := range []int{5, 20} {
		o := probetest.Options{Op: probe.SumSq, DType: fp.BFloat16, Acc: fp.Binary64, Root: true}
		f, err := reveal.Reveal(t.Context(), probetest.FromTree(probetest.Chain(n), o),
			reveal.Options{})
		if err != nil || f.Verified || f.Verdict == reveal.Exact {
			t.Errorf("n = %d: verdict %s, verified %v, %v", n, f.Verdict, f.Verified, err)
		}
	}
}
