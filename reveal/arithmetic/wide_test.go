package arithmetic_test

import (
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// wideSum returns a loop over summands, or products, that are added in a number
// of bits and rounded to the format in the end.
func wideSum(n int, f fp.Format, bits uint, products bool) probe.Target {
	add := func(x, y []float64) float64 {
		var naive float64
		s := new(big.Float).SetPrec(bits)
		for i, v := range x {
			if y != nil {
				v = f.Mul(v, y[i], fp.NearestEven)
			}
			if naive += v; v-v == 0 {
				s.Add(s, new(big.Float).SetFloat64(v))
			}
		}
		if naive-naive != 0 {
			for _, v := range x {
				if v-v != 0 {
					return naive
				}
			}
		}
		return f.RoundBig(s, fp.NearestEven)
	}
	key := probe.Key{Target: "wide", Op: probe.Sum, DType: f, Out: f, N: n, Threads: 1}
	if products {
		key.Op = probe.Dot
		return revealtest.DotOf(key, add)
	}
	return revealtest.SumOf(key, func(x []float64) float64 { return add(x, nil) })
}

// TestWideAccumulators reveals loops with accumulators of the x87 and of
// binary128, and holds that an accumulator of an unknown width, or too wide for
// masks, is not taken for another order.
func TestWideAccumulators(t *testing.T) {
	for _, n := range []int{3, 7, 20} {
		for bits, want := range map[uint]string{64: "x87 (64 bits)", 113: "binary128 (113 bits)",
			40: "", 57: "", 72: ""} {
			for _, f := range []fp.Format{fp.Binary32, fp.Binary64} {
				if int(bits) <= f.Precision() {
					continue
				}
				got := revealtest.Find(t, wideSum(n, f, bits, n%2 == 0), uint64(n))
				known := want != "" && (bits < 100 || f == fp.Binary64)
				if got.Verdict != reveal.TreeVerdict && got.Verdict != reveal.Unsupported ||
					known && (!got.Verified || got.Traits.Accumulator != want) {
					t.Errorf("%d bits, %s, n = %d:", bits, f, n)
					revealtest.Wrong(t, got)
				}
			}
		}
	}
}

// TestWideSquares reveals sums of squares in accumulators of the x87 and of
// binary128, of squares that are rounded to the format of inputs first or not,
// and their roots.
func TestWideSquares(t *testing.T) {
	for k, n := range []int{3, 5, 8, 40} {
		for j, f := range []fp.Format{fp.Binary32, fp.Binary64} {
			for _, bits := range []int{64, 113} {
				a := sumtree.Arithmetic{In: f, Out: f, Products: true, Squares: true,
					Significand: bits, Nodes: sumtree.NodeArith{Acc: fp.Binary64}, PlusZero: true}
				if (k+j)%2 == 1 {
					a.Product = f
				}
				if n == 8 {
					a.After = &sumtree.Epilogue{Kind: sumtree.Root, Format: f}
				}
				tree := probetest.Chain(n)
				r, err := sumtree.NewReplayer(tree, a)
				if err != nil {
					t.Fatal(err)
				}
				key := probe.Key{Target: "squares", Op: probe.SumSq, DType: f, Out: f, N: n,
					Threads: 1}
				target := revealtest.SumOf(key, func(x []float64) float64 {
					s, _ := r.Sum(x, nil)
					return s
				})
				got := revealtest.Find(t, target, uint64(n))
				if n == 3 && a.Product != 0 {
					continue // no input has a tie
				}
				if !got.Verified || got.Arithmetic.Significand != bits || !got.Tree.Equal(tree) {
					t.Errorf("%d bits, %s, n = %d, squares in %v:", bits, f, n, a.Product)
					revealtest.Wrong(t, got)
				}
			}
		}
	}
}
