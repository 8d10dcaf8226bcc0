package reveal_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestRefusals demands a true verdict, with a witness, for every implementation
// that is not one fixed tree.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for i, dtype := range []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16, fp.BFloat16} {
		for j, n := range []int{8, 40, 200} {
			if (i+j)%2 == 1 && !revealtest.IsWhole() {
				continue
			}
			for _, c := range probetest.Refusals(n, dtype) {
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					revealtest.Refuses(t, c, reveal.Options{})
				})
			}
		}
	}
}

// pure names the refusals that are functions of their input.
var pure = []string{
	"kahan", "neumaier", "double-double", "sorted by value", "rescales when huge",
	"order by size of the largest", "order by sign of the first", "skips small summands",
	"drops the middle", "drops the last", "doubles the first", "counts one twice",
	"scales one slightly", "adds a constant", "sum of absolute values", "maximum",
	"constant zero", "NaN when huge", "infinite when huge",
}

// TestWitnessesWitness runs every witness again: the implementation gives the
// output seen, and not the one that a sum must give.
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
					if !revealtest.EqualBits(b.Out[0], w.Seen[0]) {
						t.Errorf("%s: %q saw %v, and now %v",
							f.Verdict, w.What, w.Seen[0], b.Out[0])
					}
					if w.Want != nil && revealtest.EqualBits(b.Out[0], (*w.Want)[0]) {
						t.Errorf("%s: %q wants the output seen, %v", f.Verdict, w.What, b.Out[0])
					}
				})
			}
		}
	}
}

// TestFlushedUnits holds that a tree is found although its smallest summands
// are flushed, in the conversion of the result or before.
func TestFlushedUnits(t *testing.T) {
	flush := func(v float64) float64 {
		if math.Abs(v) < fp.Binary16.MinNormal() {
			return 0
		}
		return v
	}
	for _, acc := range []fp.Format{fp.Binary16, fp.Binary32} {
		for _, inputs := range []bool{false, true} {
			chain := func(x []float64) float64 {
				var s float64
				for _, v := range x {
					if inputs {
						v = flush(v)
					}
					s = acc.Add(s, v, fp.NearestEven)
				}
				return flush(fp.Binary16.Round(s, fp.NearestEven))
			}
			for seed := range revealtest.Everyday(3) {
				f := revealtest.Find(t, revealtest.Sum(20, fp.Binary16, chain), seed)
				if f.Verdict != reveal.TreeVerdict || f.Family != "chain" || !f.Verified {
					t.Errorf("accumulator %s, inputs flushed %v: %s %s: %+v", acc, inputs,
						f.Verdict, f.Family, f.Witness)
				}
			}
		}
	}
}

// TestAlmostExactSums holds that a sum is not exact because it is so on most
// inputs.
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
	target := revealtest.Sum(24, fp.Binary32, quad(24))
	if f := revealtest.Find(t, target, 1); f.Verdict == reveal.Exact {
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
	target = revealtest.Sum(24, fp.Binary32, twice)
	if f := revealtest.Find(t, target, 1); f.Verdict == reveal.Exact {
		x := make([]float64, 24)
		x[0], x[1], x[2] = 1, 0x1p-24, 0x1p-80
		t.Errorf("float32(fsum) is exact; 1 + 2^-24 + 2^-80 gives %v, not %v", twice(x), 1+0x1p-23)
	} else if !strings.Contains(f.Witness.What, "rounded twice, to f64 and then to f32") {
		t.Errorf("float32(fsum): %s: %s", f.Verdict, f.Witness.What)
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
		target := revealtest.Sum(n, fp.Binary64, neu)
		if f := revealtest.Find(t, target, 1); f.Verdict == reveal.Exact {
			x := append([]float64{1, 0x1p-53, 0x1p-108}, make([]float64, n-3)...)
			t.Errorf("Neumaier of %d is exact; 1 + 2^-53 + 2^-108 gives %x", n, neu(x))
		}
	}
}

// TestNoFalseRefusals holds that an unusual arithmetic does not make a tree
// anything else.
func TestNoFalseRefusals(t *testing.T) {
	n := 24
	tree := probetest.RandomTree(rand.New(rand.NewPCG(1, 2)), n, probetest.Uniform)
	fused := sumtree.Family{Kind: sumtree.Fused, Block: 4}.Tree(n)
	for name, target := range map[string]probe.Target{
		"fused, exact inside": probetest.FromTree(fused, probetest.Options{DType: fp.Binary16,
			Acc: fp.Binary32, Out: fp.Binary32, Products: true}),
		"ftz of the result only": revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			s := revealtest.By(tree, fp.Binary32, x)
			if math.Abs(s) < 0x1p-126 {
				return math.Copysign(0, s)
			}
			return s
		}),
		"dot f16 in f64, ftz+daz": probetest.FromTree(tree, probetest.Options{DType: fp.Binary16,
			Acc: fp.Binary64, Products: true, FTZ: true, DAZ: true}),
		"mean f64 n=300": mean(300, fp.Binary64, func(s float64) float64 { return s / 300 }),
		"mean times reciprocal": mean(24, fp.Binary32, func(s float64) float64 {
			return float64(float32(s) * (1 / float32(24)))
		}),
		"node in bf16": probetest.FromTree(tree, probetest.Options{NodeAcc: func(id int) fp.Format {
			if id == n+5 {
				return fp.BFloat16
			}
			return 0
		}}),
	} {
		f := revealtest.Find(t, target, 1)
		if f.Verdict != reveal.TreeVerdict && f.Verdict != reveal.Unsupported {
			t.Errorf("%s is %s: %s %v", name, f.Verdict, f.Witness.What, f.Warnings)
		}
	}
	means := 0
	for seed := range revealtest.Everyday(20) {
		tree := probetest.RandomTree(rand.New(rand.NewPCG(seed, 2)), 300, probetest.Uniform)
		target := meanTree{meanOf(300, fp.Binary64), tree}
		if f := revealtest.Find(t, target, seed); f.Verdict != reveal.TreeVerdict {
			means++
		}
	}
	if means > 0 {
		t.Errorf("%d plain float64 means of 300 are refused", means)
	}
	target := probetest.FromTree(tree, probetest.Options{})
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{Algorithm: "family"})
	if err != nil || f.Verdict != reveal.Unsupported {
		t.Errorf("--algorithm family on another tree: %s (%v)", f.Verdict, err)
	}
}

// TestNoFalseValueDependence holds that one wrong result, or a change during
// the search, is not taken for a dependence on values.
func TestNoFalseValueDependence(t *testing.T) {
	t.Parallel()
	glitches, changes := 0, 0
	for k := range 80 {
		if !revealtest.IsOfToday(k) {
			continue
		}
		calls := 0
		f := revealtest.Find(t, revealtest.Sum(20, fp.Binary32, func(x []float64) float64 {
			calls++
			if calls == k+1 {
				return -1
			}
			return revealtest.By(probetest.Chain(20), fp.Binary32, x)
		}), 1)
		if f.Verdict == reveal.ValueDependent {
			glitches++
		}
		calls = 0
		other := swapLeaves(probetest.Chain(24), 3, 23)
		f = revealtest.Find(t, revealtest.Sum(24, fp.Binary32, func(x []float64) float64 {
			calls++
			if calls > k {
				return revealtest.By(other, fp.Binary32, x)
			}
			return revealtest.By(probetest.Chain(24), fp.Binary32, x)
		}), 1)
		if f.Verdict == reveal.ValueDependent {
			changes++
		}
	}
	if glitches+changes > 0 {
		t.Errorf("value-dependent: %d single glitches, %d changes", glitches, changes)
	}
}

// TestWitnessOfAMean holds that a witness expects a mean, not a sum.
func TestWitnessOfAMean(t *testing.T) {
	target := meanDropped{meanOf(8, fp.Binary32)}
	f := revealtest.Find(t, target, 1)
	if f.Verdict == reveal.NotASum && (*f.Witness.Want)[0] != 0.125 {
		t.Errorf("mean of a single 1 among 8: want %v (%s)", *f.Witness.Want, f.Witness.What)
	}
}
