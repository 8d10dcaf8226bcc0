package arithmetic_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// inFamily adds x in the order of a family.
func inFamily(f fp.Format, kind sumtree.Family, x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s, _ := kind.Tree(len(x)).Replay(sumtree.Plain(f), x, nil)
	return s
}

// zeroDroppers returns implementations whose order changes with zeros among the
// summands.
func zeroDroppers() map[string]func(f fp.Format, x []float64) float64 {
	drop := func(x []float64) []float64 {
		return slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v == 0 })
	}
	pairwise, _ := sumtree.ParseFamily("pairwise")
	strided, _ := sumtree.ParseFamily("strided(4)+halving")
	chain := sumtree.Family{Kind: sumtree.Chain}
	return map[string]func(f fp.Format, x []float64) float64{
		"drops zeros, then pairwise": func(f fp.Format, x []float64) float64 {
			return inFamily(f, pairwise, drop(x))
		},
		"drops zeros, then strided": func(f fp.Format, x []float64) float64 {
			return inFamily(f, strided, drop(x))
		},
		"adds backwards if there are zeros": func(f fp.Format, x []float64) float64 {
			if slices.Contains(x, 0) {
				x = slices.Clone(x)
				slices.Reverse(x)
			}
			return inFamily(f, chain, x)
		},
	}
}

// TestZerosThatChangeTheOrder holds that such an implementation is
// value-dependent, with an input that shows it.
func TestZerosThatChangeTheOrder(t *testing.T) {
	for name, add := range zeroDroppers() {
		for j, dtype := range []fp.Format{fp.Binary64, fp.Binary32, fp.BFloat16, fp.Binary16} {
			for k, n := range []int{6, 8, 12, 40, 150} {
				if !revealtest.IsOfToday(k + j) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/%d", name, dtype, n), func(t *testing.T) {
					checkZeros(t, probetest.FromFunc(name, n, dtype,
						func(f fp.Format, x []float64, _ int) float64 { return add(f, x) }))
				})
			}
		}
	}
}

// checkZeros demands the verdict value-dependent, and runs its witness.
func checkZeros(t *testing.T, target probe.Target) {
	t.Helper()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict != reveal.ValueDependent || f.Witness == nil {
		t.Fatalf("verdict %s, verified %v, %d of %d replays, witness %v",
			f.Verdict, f.Verified, f.Evidence.ReplayMatched, f.Evidence.ReplayTried, f.Witness)
	}
	b := probe.NewBatch(target)
	copy(b.X, f.Witness.X)
	if err := target.Call(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if !revealtest.EqualBits(b.Out[0], f.Witness.Seen[0]) {
		t.Errorf("the witness saw %v, and now %v", f.Witness.Seen[0], b.Out[0])
	}
}

// TestHarmlessZeros holds that a target which skips zeros and keeps its order
// is a verified tree.
func TestHarmlessZeros(t *testing.T) {
	for _, n := range []int{6, 8, 12, 40, 150} {
		target := probetest.FromFunc(
			"skips zeros",
			n,
			fp.Binary32,
			func(f fp.Format, x []float64, _ int) float64 {
				s := 0.0
				for _, v := range x {
					if v != 0 {
						s = f.Add(s, v, fp.NearestEven)
					}
				}
				return s
			},
		)
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err != nil || f.Verdict != reveal.TreeVerdict || !f.Verified {
			t.Errorf("n = %d: %+v, %v", n, f, err)
		}
	}
}

const skipZeroC = `
#include <stddef.h>
static double half(const double *x, size_t n) {
	return n == 1 ? x[0] : half(x, n/2) + half(x + n/2, n - n/2);
}
double skipzero(const double *x, size_t n) {
	double y[4096];
	size_t m = 0;
	for (size_t i = 0; i < n; i++) if (x[i] != 0) y[m++] = x[i];
	return m ? half(y, m) : 0;
}
`

// TestSkipzeroInC is the same for a C function in a shared library.
func TestSkipzeroInC(t *testing.T) {
	library := require.Library(t, skipZeroC)
	spec := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 40}
	target, err := clib.Open(context.Background(), library+":skipzero", spec)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	checkZeros(t, target)
}
