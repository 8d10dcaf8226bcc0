package arithmetic_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestArithmetics reveals trees in every arithmetic that probetest can compute.
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
		"dot f64 fma daz": {Products: true, DType: fp.Binary64, FMA: true, FTZ: true, DAZ: true},
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
			from := rng.IntN(2)
			for i, n := range []int{1, 2, 3, 8, 33, 150} {
				if i%2 != from && !revealtest.IsWhole() {
					continue
				}
				shape := probetest.Shapes()[rng.IntN(3)]
				tree := probetest.RandomTree(rng, n, shape)
				revealtest.Must(t, probetest.FromTree(tree, o), reveal.Options{}, tree)
			}
		})
	}
}

// TestAccumulatorsOfOtherWidths holds that an accumulator of a width that no
// format of a processor has is not mistaken for one of a format, or for another
// algorithm.
func TestAccumulatorsOfOtherWidths(t *testing.T) {
	prec := func(p uint, n int) probe.Target {
		return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			s := new(big.Float).SetPrec(p)
			for _, v := range x {
				s.Add(s, new(big.Float).SetFloat64(v))
			}
			v, _ := s.Float32()
			return float64(v)
		})
	}
	for _, p := range []uint{26, 32, 40, 48, 72} {
		for _, n := range []int{24, 100} {
			f := revealtest.Find(t, prec(p, n), 1)
			tree := f.Verified && f.Verdict == reveal.TreeVerdict
			named := tree && f.Traits.Accumulator != "unknown"
			if named || f.Verdict == reveal.ValueDependent || f.Verdict == reveal.Compensated {
				t.Errorf("%d-bit accumulator, n=%d: %s verified=%v %s",
					p, n, f.Verdict, f.Verified, f.Traits)
			}
		}
	}
}

// TestOrdersThatDependOnValues holds that such an order is not verified.
func TestOrdersThatDependOnValues(t *testing.T) {
	chain, pair := probetest.Chain(24), sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
	f := revealtest.Find(t, revealtest.Sum(24, fp.Binary32, func(x []float64) float64 {
		var z []float64
		for _, v := range x {
			if v != 0 {
				z = append(z, v)
			}
		}
		if len(z) == 0 {
			return 0
		}
		return revealtest.By(pair.Tree(len(z)), fp.Binary32, z)
	}), 1)
	if f.Verified {
		t.Error("zeros are compacted away before a pairwise sum:")
		revealtest.Wrong(t, f)
	}
	f = revealtest.Find(t, revealtest.Sum(24, fp.Binary32, func(x []float64) float64 {
		for _, v := range x {
			if v > 0 {
				return revealtest.By(chain, fp.Binary32, x)
			}
		}
		return revealtest.By(pair.Tree(24), fp.Binary32, x)
	}), 1)
	if f.Verified {
		t.Error("another order where all are negative:")
		revealtest.Wrong(t, f)
	}
}

// TestFlushing holds that a replay keeps the sign of a flushed sum, and that
// flushed results are not mistaken for flushed inputs.
func TestFlushing(t *testing.T) {
	zeros, inputs, refused := 0, 0, 0
	for seed := range revealtest.Everyday(20) {
		tree := probetest.RandomTree(rand.New(rand.NewPCG(seed, 2)), 24, probetest.Uniform)
		target := probetest.FromTree(tree, probetest.Options{FTZ: true, FromZero: true})
		f := revealtest.Find(t, target, seed)
		root := tree.Children(tree.Root())
		order, lo, _ := tree.LeafOrder()
		x := make([]float64, 24)
		x[order[lo[root[0]]]], x[order[lo[root[1]]]] = -1.5*0x1p-126, 0x1p-126
		b := probe.NewBatch(target)
		copy(b.X, x)
		target.Call(context.Background(), b)
		if !f.Verified {
			refused++
		} else {
			v, _ := f.Tree.Replay(*f.Arithmetic, x, nil)
			if math.Signbit(v) != math.Signbit(b.Out[0]) {
				zeros++
			}
		}
		dot := probetest.Options{Products: true, FTZ: true, DType: fp.Binary64}
		f = revealtest.Find(t, probetest.FromTree(tree, dot), seed)
		if f.Verified && f.Traits.Subnormals != "results flushed" {
			inputs++
		}
	}
	if zeros+inputs+refused > 0 {
		t.Errorf("FTZ from +0: %d replay +0 for −0, %d refused", zeros, refused)
		t.Errorf("dot with FTZ alone: %d findings report flushed inputs", inputs)
	}
}

// TestOneNodeFlushes holds that a single node that flushes shows.
func TestOneNodeFlushes(t *testing.T) {
	f := revealtest.Find(t, revealtest.Sum(24, fp.Binary32, func(x []float64) float64 {
		s := x[0]
		for i, v := range x[1:] {
			s = fp.Binary32.Add(s, v, 0)
			if i == 11 && math.Abs(s) < 0x1p-126 {
				s = 0
			}
		}
		return s
	}), 1)
	if f.Verified {
		t.Error("one node flushes:")
		revealtest.Wrong(t, f)
	}
}

// TestStartsAtASubnormal holds that a sum that does not begin with 0 shows.
func TestStartsAtASubnormal(t *testing.T) {
	f := revealtest.Find(t, revealtest.Sum(2, fp.Binary32, func(x []float64) float64 {
		return fp.Binary32.Add(fp.Binary32.Add(0x1p-149, x[0], 0), x[1], 0)
	}), 1)
	if f.Verified {
		t.Error("starts at 2^-149:")
		revealtest.Wrong(t, f)
	}
}

// TestOneProductRounded holds that a dot product that rounds one product is not
// taken for one that fuses all.
func TestOneProductRounded(t *testing.T) {
	bad := 0
	for seed := range revealtest.Everyday(10) {
		n := 66
		d := fp.BFloat16
		dot := revealtest.Dot(n, d, func(x, y []float64) float64 {
			s := d.Mul(x[0], y[0], 0)
			for i := 1; i < n; i++ {
				if i == 30 {
					s = d.Add(s, d.Mul(x[i], y[i], 0), 0)
				} else {
					s = d.FMA(x[i], y[i], s, 0)
				}
			}
			return s
		})

		if f := revealtest.Find(t, dot, seed); f.Verified && f.Traits.FMA == reveal.Fused {
			bad++
		}
	}
	if bad > 0 {
		t.Errorf("%d seeds: all products fused, though one is rounded", bad)
	}
}

// TestWideAlignment holds the number of bits that a fused sum keeps, where it
// is close to the distance of masks.
func TestWideAlignment(t *testing.T) {
	tree := sumtree.Family{Kind: sumtree.Fused, Block: 8}.Tree(24)
	for _, bits := range []int{30, 37, 38, 40} {
		o := probetest.Options{DType: fp.BFloat16, Acc: fp.Binary32, Out: fp.Binary32,
			Products: true, AlignBits: bits}
		f := revealtest.Find(t, probetest.FromTree(tree, o), 1)
		if !f.Verified || f.Arithmetic.Nodes.Align != bits {
			t.Errorf("aligned to %d bits: %s verified=%v %s", bits, f.Verdict, f.Verified, f.Traits)
		}
	}
}

// TestOneNodeInAnotherFormat makes each node of a float32 tree in turn a
// float64 addition, which the arithmetic has to name. The root's format does
// not show. Random replays alone miss the node with the seeds listed.
func TestOneNodeInAnotherFormat(t *testing.T) {
	tree := probetest.RandomTree(rand.New(rand.NewPCG(13, 14)), 14, probetest.Uniform)
	seeds := map[int][]uint64{1: {114}, 2: {154}, 6: {38, 60, 69}, 8: {53}, 10: {0, 39, 57}}
	for at := range tree.Inner() {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			target := probetest.FromTree(tree, probetest.Options{NodeAcc: func(id int) fp.Format {
				if id == tree.Leaves()+at {
					return fp.Binary64
				}
				return 0
			}})
			for _, seed := range append([]uint64{1, 2, 3}, seeds[at]...) {
				f := revealtest.Must(t, target, reveal.Options{Seed: seed}, tree)
				revealtest.Replays(t, target, f, 40)
				if len(f.Arithmetic.Except) == 0 && at < tree.Inner()-1 {
					t.Errorf("seed %d: node %d is not named", seed, at)
				}
			}
		})
	}
}
