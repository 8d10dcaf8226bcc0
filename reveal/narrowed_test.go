package reveal_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestNarrowAccumulators holds that sums of float64 in a float32 accumulator
// are verified, whether each summand is rounded first or each sum, and that one
// which skips a rounding is verified with its own bits only.
func TestNarrowAccumulators(t *testing.T) {
	const f, g = fp.Binary32, fp.Binary64
	store := func(s float64) float64 { return f.Round(s, fp.NearestEven) }
	for name, sum := range map[string]func(x []float64) float64{
		"summands": func(x []float64) (s float64) {
			for _, v := range x {
				s = store(s + store(v))
			}
			return s
		},
		"sums": func(x []float64) (s float64) {
			for _, v := range x {
				s = store(s + v)
			}
			return s
		},
		"lanes": func(x []float64) float64 {
			var s [2]float64
			for i, v := range x[:len(x)-1] {
				s[i%2] = store(s[i%2] + v)
			}
			return store(store(s[0]+s[1]) + x[len(x)-1])
		},
		"one kept": func(x []float64) (s float64) {
			for i, v := range x {
				if s = store(s + store(v)); i == 1 {
					s = store(store(x[0]) + v)
				}
			}
			return s
		},
	} {
		for _, n := range []int{3, 5, 20} {
			target := revealtest.Sum(n, g, sum)
			got := revealtest.Find(t, target, 0)
			if !got.Verified && name != "one kept" {
				t.Errorf("%s of %d: %s, not verified", name, n, got.Verdict)
			}
			if got.Verified {
				revealtest.Replays(t, target, got, 50)
			}
		}
	}
}

// TestNarrowerFormats holds that sums and dot products that compute in a
// narrower format than their inputs have are verified, wherever the rounding
// is.
func TestNarrowerFormats(t *testing.T) {
	k := 0
	for _, wide := range []fp.Format{fp.Binary64, fp.Binary32} {
		for _, narrow := range []fp.Format{fp.Binary32, fp.Binary16, fp.BFloat16} {
			if narrow == wide || narrow == fp.Binary16 && wide == fp.Binary64 {
				continue // or sums of rounded summands are exact
			}
			steps := narrowSteps(wide, narrow)
			for _, name := range slices.Sorted(maps.Keys(steps)) {
				step := steps[name]
				n := []int{2, 3, 9, 33}[k%4]
				if k++; !revealtest.IsOfToday(k) {
					continue
				}
				loop := func(x, y []float64) (s float64) {
					for i := range x {
						s = step(s, x[i], y[i])
					}
					return s
				}
				target := revealtest.Dot(n, wide, loop)
				if strings.HasPrefix(name, "sum") {
					ones := slices.Repeat([]float64{1}, n)
					target = revealtest.Sum(n, wide, func(x []float64) float64 {
						return loop(x, ones)
					})
				}
				f := revealtest.Find(t, target, 0)
				if !f.Verified || f.Verdict != reveal.TreeVerdict {
					t.Errorf("%s, %v in %v, n = %d: %s, verified %v", name, wide, narrow, n,
						f.Verdict, f.Verified)
					continue
				}
				revealtest.Replays(t, target, f, 50)
			}
		}
	}
}

// narrowSteps returns steps of loops over numbers of a wide format.
func narrowSteps(wide, narrow fp.Format) map[string]func(s, x, y float64) float64 {
	const rne = fp.NearestEven
	short := func(v float64) float64 { return narrow.Round(v, rne) }
	return map[string]func(s, x, y float64) float64{
		"sum of rounded": func(s, x, _ float64) float64 { return wide.Add(s, short(x), rne) },
		"sum, stored":    func(s, x, _ float64) float64 { return short(wide.Add(s, x, rne)) },
		"products, stored": func(s, x, y float64) float64 {
			return short(wide.Add(s, wide.Mul(x, y, rne), rne))
		},
		"fused, stored": func(s, x, y float64) float64 { return short(wide.FMA(x, y, s, rne)) },
		"products, rounded": func(s, x, y float64) float64 {
			return narrow.Add(s, short(wide.Mul(x, y, rne)), rne)
		},
		"factors, rounded": func(s, x, y float64) float64 {
			return narrow.Add(s, narrow.Mul(short(x), short(y), rne), rne)
		},
		"factors, rounded, then wide": func(s, x, y float64) float64 {
			return wide.Add(s, wide.Mul(short(x), short(y), rne), rne)
		},
	}
}

// TestWideSumsRoundedToZero holds that the zero of a product which only the
// result is too short for shows a +0 that is added in the end.
func TestWideSumsRoundedToZero(t *testing.T) {
	const n = 5
	tree := probetest.Chain(n)
	for _, plus := range []bool{false, true} {
		a := sumtree.Arithmetic{In: fp.Binary32, Out: fp.Binary32, Products: true, Significand: 64,
			Nodes: sumtree.NodeArith{Acc: fp.Binary64}, PlusZero: true, PlusZeroOut: plus}
		target := revealtest.Dot(n, fp.Binary32, func(x, y []float64) float64 {
			s, err := tree.Replay(a, x, y)
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
		f := revealtest.Must(t, target, reveal.Options{}, tree)
		if f.Arithmetic.PlusZeroOut != plus {
			t.Errorf("+0 added in the end: %v, want %v", f.Arithmetic.PlusZeroOut, plus)
		}
	}
}
