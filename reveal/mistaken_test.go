package reveal_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// laned is a sum over the rows of a matrix; lane 0 is the one asked about.
type laned struct {
	key   probe.Key
	lanes int
	f     func(lane int, x []float64) float64
}

func (t laned) Key() probe.Key { return t.key }
func (t laned) Lanes() int     { return t.lanes }
func (t laned) Close() error   { return nil }
func (t laned) Call(_ context.Context, b *probe.Batch) error {
	for l := range b.Out {
		b.Out[l] = t.f(l, b.X[l*t.key.N:(l+1)*t.key.N])
	}
	return nil
}
func newLaned(n, lanes int, d fp.Format, f func(int, []float64) float64) laned {
	return laned{probe.Key{Target: "laned", Op: probe.Sum, Axis: "1", DType: d, Out: d, N: n, M: lanes, OutIndex: []int{0}, Threads: 1}, lanes, f}
}
func by(t *sumtree.Tree, f fp.Format, x []float64) float64 {
	v, _ := t.Replay(sumtree.Plain(f), x, nil)
	return v
}
func find(t *testing.T, target probe.Target, seed uint64) *reveal.Finding {
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
func sum(n int, d fp.Format, f func(x []float64) float64) probe.Target {
	return probetest.FromFunc("x", n, d, func(_ fp.Format, x []float64, _ int) float64 { return f(x) })
}
func wrong(t *testing.T, f *reveal.Finding) {
	t.Errorf("%s verified=%v calls=%d %s arith=%+v witness=%v warn=%v", f.Verdict, f.Verified, f.Calls, f.Traits, f.Arithmetic, f.Witness != nil, f.Warnings)
}

// the lane asked about has two neighbours exchanged.
func TestMainLaneHasAnotherTree(t *testing.T) {
	chain := probetest.Chain(64)
	mine := swapLeaves(chain, 30, 31)
	badTree, badVerdict := 0, 0
	for seed := range uint64(40) {
		f := find(t, newLaned(64, 64, fp.Binary32, func(l int, x []float64) float64 {
			if l == 0 {
				return by(mine, fp.Binary32, x)
			}
			return by(chain, fp.Binary32, x)
		}), seed)
		if f.Verified && !f.Tree.Equal(mine) {
			badTree++
		}
		if f.Verdict != reveal.TreeVerdict {
			badVerdict++
		}
	}
	if badTree+badVerdict > 0 {
		t.Errorf("of 40 seeds: %d verified wrong trees, %d false refusals", badTree, badVerdict)
	}
}

// the lane asked about accumulates in bf16, all others in f32, same tree.
func TestMainLaneHasAnotherAccumulator(t *testing.T) {
	chain := probetest.Chain(15)
	wide := sumtree.Arithmetic{In: fp.BFloat16, Out: fp.BFloat16, Nodes: sumtree.NodeArith{Acc: fp.Binary32}}
	bad := 0
	for seed := range uint64(40) {
		f := find(t, newLaned(15, 128, fp.BFloat16, func(l int, x []float64) float64 {
			if l == 0 {
				return by(chain, fp.BFloat16, x)
			}
			v, _ := chain.Replay(wide, x, nil)
			return v
		}), seed)
		if f.Verified && f.Arithmetic.Nodes.Acc == fp.Binary32 && f.Arithmetic.Nodes.Store == 0 {
			bad++
		}
	}
	if bad > 0 {
		t.Errorf("%d of 40 seeds say that the bf16 accumulator is f32", bad)
	}
}

// another lane differs for tiny values only; lane 0 is a plain chain.
func TestOtherLanesDifferRarely(t *testing.T) {
	chain, rev := probetest.Chain(24), probetest.ReverseChain(24)
	target := newLaned(24, 8, fp.Binary32, func(l int, x []float64) float64 {
		m := 0.0
		for _, v := range x {
			m = max(m, math.Abs(v))
		}
		if l != 0 && m < 0x1p-100 {
			return by(rev, fp.Binary32, x)
		}
		return by(chain, fp.Binary32, x)
	})
	f := find(t, target, 0)
	if f.Verdict != reveal.TreeVerdict {
		b := probe.NewBatch(target)
		copy(b.X, f.Witness.X)
		target.Call(context.Background(), b)
		t.Errorf("a plain chain is %s: %s; witness saw %x, gives %x", f.Verdict, f.Witness.What, f.Witness.Seen, b.Out[0])
	}
}

// exact sums that are none.
func TestAlmostExactSums(t *testing.T) {
	quad := func(n int) func(x []float64) float64 {
		return func(x []float64) float64 {
			s := new(big.Float).SetPrec(113)
			for _, v := range x {
				s.Add(s, new(big.Float).SetFloat64(v))
			}
			v, _ := s.Float32()
			return float64(v)
		}
	}
	if f := find(t, sum(24, fp.Binary32, quad(24)), 1); f.Verdict == reveal.Exact {
		x := make([]float64, 24)
		x[0], x[1], x[2] = 0x1p120, 1, -0x1p120
		t.Errorf("float32 in a quad accumulator is exact; 2^120 + 1 - 2^120 gives %v", quad(24)(x))
	}
	twice := func(x []float64) float64 { // fsum in binary64, then a cast
		s := new(big.Float).SetPrec(4400)
		for _, v := range x {
			s.Add(s, new(big.Float).SetFloat64(v))
		}
		v, _ := s.Float64()
		return float64(float32(v))
	}
	if f := find(t, sum(24, fp.Binary32, twice), 1); f.Verdict == reveal.Exact {
		x := make([]float64, 24)
		x[0], x[1], x[2] = 1, 0x1p-24, 0x1p-80
		t.Errorf("float32(fsum) is exact; 1 + 2^-24 + 2^-80 gives %v, not %v", twice(x), 1+0x1p-23)
	}
	neu := func(x []float64) float64 {
		var s, c float64
		for _, v := range x {
			u := s + v
			if math.Abs(s) >= math.Abs(v) {
				c += (s - u) + v
			} else {
				c += (v - u) + s
			}
			s = u
		}
		return s + c
	}
	for _, n := range []int{3, 4} {
		if f := find(t, sum(n, fp.Binary64, neu), 1); f.Verdict == reveal.Exact {
			x := append([]float64{1, 0x1p-53, 0x1p-108}, make([]float64, n-3)...)
			t.Errorf("Neumaier of %d is exact; 1 + 2^-53 + 2^-108 gives %x", n, neu(x))
		}
	}
}

// single-lane verified findings whose replay is wrong.
func TestAccumulatorsOfOtherWidths(t *testing.T) {
	prec := func(p uint, n int) probe.Target {
		return sum(n, fp.Binary32, func(x []float64) float64 {
			s := new(big.Float).SetPrec(p)
			for _, v := range x {
				s.Add(s, new(big.Float).SetFloat64(v))
			}
			v, _ := s.Float32()
			return float64(v)
		})
	}
	for _, p := range []uint{26, 32, 40, 48, 64} {
		for _, n := range []int{24, 100} {
			if f := find(t, prec(p, n), 1); f.Verified && f.Verdict == reveal.TreeVerdict && f.Traits.Accumulator != "unknown" || f.Verdict == reveal.ValueDependent || f.Verdict == reveal.Compensated {
				t.Errorf("%d-bit accumulator, n=%d: %s verified=%v %s", p, n, f.Verdict, f.Verified, f.Traits)
			}
		}
	}
}

func TestZerosSignsAndFlushing(t *testing.T) {
	chain, pair := probetest.Chain(24), sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
	f := find(t, sum(24, fp.Binary32, func(x []float64) float64 {
		var z []float64
		for _, v := range x {
			if v != 0 {
				z = append(z, v)
			}
		}
		if len(z) == 0 {
			return 0
		}
		return by(pair.Tree(len(z)), fp.Binary32, z)
	}), 1)
	if f.Verified {
		t.Error("zeros are compacted away before a pairwise sum:")
		wrong(t, f)
	}
	f = find(t, sum(24, fp.Binary32, func(x []float64) float64 {
		for _, v := range x {
			if v > 0 {
				return by(chain, fp.Binary32, x)
			}
		}
		return by(pair.Tree(24), fp.Binary32, x)
	}), 1)
	if f.Verified {
		t.Error("another order where all are negative:")
		wrong(t, f)
	}
	// FTZ and FromZero: replay gives +0, the implementation −0. FTZ without DAZ, in
	// products, is said to flush inputs.
	zeros, inputs, refused := 0, 0, 0
	for seed := range uint64(20) {
		tree := probetest.RandomTree(rand.New(rand.NewPCG(seed, 2)), 24, probetest.Uniform)
		target := probetest.FromTree(tree, probetest.Options{FTZ: true, FromZero: true})
		f := find(t, target, seed)
		root := tree.Children(tree.Root())
		order, lo, _ := tree.LeafOrder()
		x := make([]float64, 24)
		x[order[lo[root[0]]]], x[order[lo[root[1]]]] = -1.5*0x1p-126, 0x1p-126
		b := probe.NewBatch(target)
		copy(b.X, x)
		target.Call(context.Background(), b)
		if !f.Verified {
			refused++
		} else if v, _ := f.Tree.Replay(*f.Arithmetic, x, nil); math.Signbit(v) != math.Signbit(b.Out[0]) {
			zeros++
		}
		f = find(t, probetest.FromTree(tree, probetest.Options{Products: true, FTZ: true, DType: fp.Binary64}), seed)
		if f.Verified && f.Traits.Subnormals != "results flushed" {
			inputs++
		}
	}
	if zeros+inputs+refused > 0 {
		t.Errorf("FTZ from +0: %d of 20 replay +0 for −0, %d refused; dot with FTZ alone: %d of 20 say inputs are flushed", zeros, refused, inputs)
	}
	// One node flushes.
	f = find(t, sum(24, fp.Binary32, func(x []float64) float64 {
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
		wrong(t, f)
	}
	// Starts at the smallest subnormal.
	f = find(t, sum(2, fp.Binary32, func(x []float64) float64 { return fp.Binary32.Add(fp.Binary32.Add(0x1p-149, x[0], 0), x[1], 0) }), 1)
	if f.Verified {
		t.Error("starts at 2^-149:")
		wrong(t, f)
	}
}

func TestOneProductRounded(t *testing.T) {
	bad := 0
	for seed := range uint64(10) {
		n := 66
		d := fp.BFloat16
		target := laned{key: probe.Key{Target: "dot", Op: probe.Dot, DType: d, Out: d, N: n, Threads: 1}, lanes: 1}
		dot := dotTarget{target, func(x, y []float64) float64 {
			s := d.Mul(x[0], y[0], 0)
			for i := 1; i < n; i++ {
				if i == 30 {
					s = d.Add(s, d.Mul(x[i], y[i], 0), 0)
				} else {
					s = d.FMA(x[i], y[i], s, 0)
				}
			}
			return s
		}}
		if f := find(t, dot, seed); f.Verified && f.Traits.FMA == reveal.Fused {
			bad++
		}
	}
	if bad > 0 {
		t.Errorf("%d of 10 seeds: all products fused, though one is rounded", bad)
	}
}

type dotTarget struct {
	laned
	g func(x, y []float64) float64
}

func (t dotTarget) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.g(b.X, b.Y)
	return nil
}

// refusals that are untrue.
func TestNoFalseRefusals(t *testing.T) {
	n := 24
	tree := probetest.RandomTree(rand.New(rand.NewPCG(1, 2)), n, probetest.Uniform)
	for name, target := range map[string]probe.Target{
		"fused, exact inside": probetest.FromTree(sumtree.Family{Kind: sumtree.Fused, Block: 4}.Tree(n), probetest.Options{DType: fp.Binary16, Acc: fp.Binary32, Out: fp.Binary32, Products: true}),
		"ftz of the result only": sum(n, fp.Binary32, func(x []float64) float64 {
			s := by(tree, fp.Binary32, x)
			if math.Abs(s) < 0x1p-126 {
				return math.Copysign(0, s)
			}
			return s
		}),
		"dot f16 in f64, ftz+daz": probetest.FromTree(tree, probetest.Options{DType: fp.Binary16, Acc: fp.Binary64, Products: true, FTZ: true, DAZ: true}),
		"mean f64 n=300":          mean(300, fp.Binary64, func(s float64) float64 { return s / 300 }),
		"mean times reciprocal":   mean(24, fp.Binary32, func(s float64) float64 { return float64(float32(s) * (1 / float32(24))) }),
		"node in bf16": probetest.FromTree(tree, probetest.Options{NodeAcc: func(id int) fp.Format {
			if id == n+5 {
				return fp.BFloat16
			}
			return 0
		}}),
	} {
		f := find(t, target, 1)
		if f.Verdict != reveal.TreeVerdict && f.Verdict != reveal.Unsupported {
			t.Errorf("%s is %s: %s %v", name, f.Verdict, f.Witness.What, f.Warnings)
		}
	}
	means := 0
	for seed := range uint64(20) {
		tree := probetest.RandomTree(rand.New(rand.NewPCG(seed, 2)), 300, probetest.Uniform)
		target := meanTree{laned{probe.Key{Target: "mean", Op: probe.Sum, DType: fp.Binary64, Out: fp.Binary64, N: 300, Mean: true, Threads: 1}, 1, nil}, tree}
		if f := find(t, target, seed); f.Verdict != reveal.TreeVerdict {
			means++
		}
	}
	if means > 0 {
		t.Errorf("%d of 20 plain float64 means of 300 are refused", means)
	}
	f, err := reveal.Reveal(context.Background(), probetest.FromTree(tree, probetest.Options{}), reveal.Options{Algorithm: "family"})
	if err != nil || f.Verdict != reveal.Unsupported {
		t.Errorf("--algorithm family on another tree: %s (%v)", f.Verdict, err)
	}
	// one glitch, and a change, while the bank is filled
	glitches, changes := 0, 0
	for k := range 80 {
		calls := 0
		f := find(t, sum(20, fp.Binary32, func(x []float64) float64 {
			calls++
			if calls == k+1 {
				return -1
			}
			return by(probetest.Chain(20), fp.Binary32, x)
		}), 1)
		if f.Verdict == reveal.ValueDependent {
			glitches++
		}
		calls = 0
		other := swapLeaves(probetest.Chain(24), 3, 23)
		f = find(t, sum(24, fp.Binary32, func(x []float64) float64 {
			calls++
			if calls > k {
				return by(other, fp.Binary32, x)
			}
			return by(probetest.Chain(24), fp.Binary32, x)
		}), 1)
		if f.Verdict == reveal.ValueDependent {
			changes++
		}
	}
	if glitches+changes > 0 {
		t.Errorf("value-dependent: %d of 80 single glitches, %d of 80 changes", glitches, changes)
	}
}

type meanTarget struct {
	laned
	g func(s float64) float64
}

func (t meanTarget) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.g(by(probetest.Chain(t.key.N), t.key.DType, b.X))
	return nil
}
func mean(n int, d fp.Format, g func(float64) float64) probe.Target {
	return meanTarget{laned{probe.Key{Target: "mean", Op: probe.Sum, DType: d, Out: d, N: n, Mean: true, Threads: 1}, 1, nil}, g}
}

// a witness whose Want is no mean.
func TestWitnessOfAMean(t *testing.T) {
	target := meanDropped{laned{probe.Key{Target: "mean", Op: probe.Sum, DType: fp.Binary32, Out: fp.Binary32, N: 8, Mean: true, Threads: 1}, 1, nil}}
	f := find(t, target, 1)
	if f.Verdict == reveal.NotASum && (*f.Witness.Want)[0] != 0.125 {
		t.Errorf("mean of a single 1 among 8: want %v (%s)", *f.Witness.Want, f.Witness.What)
	}
}

type meanDropped struct{ laned }

func (meanDropped) Call(_ context.Context, b *probe.Batch) error {
	x := append([]float64(nil), b.X...)
	x[4] = 0
	b.Out[0] = by(probetest.Chain(8), fp.Binary32, x) / 8
	return nil
}

// a fused sum is said to be exact though the certificate has just seen it lose what a mask covers.
func TestWideAlignment(t *testing.T) {
	tree := sumtree.Family{Kind: sumtree.Fused, Block: 8}.Tree(24)
	for _, bits := range []int{30, 37, 38, 40} {
		f := find(t, probetest.FromTree(tree, probetest.Options{DType: fp.BFloat16, Acc: fp.Binary32, Out: fp.Binary32, Products: true, AlignBits: bits}), 1)
		if !f.Verified || f.Arithmetic.Nodes.Align != bits {
			t.Errorf("aligned to %d bits: %s verified=%v %s", bits, f.Verdict, f.Verified, f.Traits)
		}
	}
}

type meanTree struct {
	laned
	tree *sumtree.Tree
}

func (t meanTree) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = by(t.tree, fp.Binary64, b.X) / float64(t.key.N)
	return nil
}
