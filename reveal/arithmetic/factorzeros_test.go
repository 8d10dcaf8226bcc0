package arithmetic_test

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// unsigned returns v with +0 in the place of each −0 that is among some.
func unsigned(v []float64, some func(i int) bool) []float64 {
	v = slices.Clone(v)
	for i, x := range v {
		if x == 0 && some(i) {
			v[i] = 0
		}
	}
	return v
}

// TestFactorsThatLoseTheirSign holds that a dot product is not verified if −0
// counts as +0 among its first factors or among its second ones, or if it
// leaves out products whose first factor is zero: zeros of the other factors
// keep their signs.
func TestFactorsThatLoseTheirSign(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	every := func(int) bool { return true }
	odd := func(i int) bool { return i%2 == 1 }
	skipping := func(x, y []float64) (kept []float64) {
		for i, v := range x {
			if v != 0 {
				kept = append(kept, f.Mul(v, y[i], fp.NearestEven))
			}
		}
		if len(kept) == 0 {
			return []float64{0}
		}
		return kept
	}
	for name, terms := range map[string]func(x, y []float64) []float64{
		"first": func(x, y []float64) []float64 {
			return revealtest.Products(f, unsigned(x, every), y)
		},
		"second": func(x, y []float64) []float64 {
			return revealtest.Products(f, x, unsigned(y, every))
		},
		"each second one": func(x, y []float64) []float64 {
			return revealtest.Products(f, unsigned(x, odd), y)
		},
		"skipped": skipping,
	} {
		for _, n := range []int{2, 4, 40} {
			if n == 2 && name == "each second one" {
				continue // the other one's sign shows it
			}
			t.Run(name, func(t *testing.T) {
				revealtest.NeverVerified(t, 3, func() probe.Target {
					return revealtest.Dot(n, f, func(x, y []float64) float64 {
						return revealtest.Added(f, terms(x, y))
					})
				})
			})
		}
	}
}

// TestSortedFactorsOfShortFormats holds that sums of short summands in float32
// are not verified if they are added in another order where they ascend: sums
// of summands of like sizes are exact there, and only products are not.
func TestSortedFactorsOfShortFormats(t *testing.T) {
	t.Parallel()
	acc := fp.Binary32
	for _, c := range []struct {
		in, out fp.Format
		n       int
	}{
		{fp.Binary16, fp.Binary32, 17}, {fp.BFloat16, fp.Binary32, 9},
		{fp.Binary16, fp.Binary16, 12}, {fp.BFloat16, fp.BFloat16, 40},
	} {
		sorted := func(x, terms []float64) float64 {
			if slices.IsSorted(x) {
				slices.Reverse(terms)
			}
			return c.out.Round(revealtest.Added(acc, terms), fp.NearestEven)
		}
		t.Run(c.in.String()+" "+c.out.String(), func(t *testing.T) {
			revealtest.NeverVerified(t, 5, func() probe.Target {
				key := probe.Key{Target: "dot", Op: probe.Dot, DType: c.in, Out: c.out, N: c.n,
					Threads: 1}
				return revealtest.DotOf(key, func(x, y []float64) float64 {
					return sorted(x, revealtest.Products(acc, x, y))
				})
			})
			if c.out == fp.Binary16 {
				return // its sums are seldom rounded in float32, and hide that
			}
			revealtest.NeverVerified(t, 5, func() probe.Target {
				key := probe.Key{Target: "sum", Op: probe.Sum, DType: c.in, Out: c.out, N: c.n,
					Threads: 1}
				return revealtest.SumOf(key, func(x []float64) float64 {
					return sorted(x, slices.Clone(x))
				})
			})
		})
	}
}

// TestZerosBeforeConversion holds that the replay has the sign of a bfloat16
// result that float32's sum is too small for, where +0 is added to that sum.
func TestZerosBeforeConversion(t *testing.T) {
	t.Parallel()
	acc, out := fp.Binary32, fp.BFloat16
	for _, fused := range []int{1, 2, -1} {
		for _, n := range []int{3, 7} {
			target := revealtest.Dot(n, out, func(x, y []float64) float64 {
				s := acc.Mul(x[0], y[0], fp.NearestEven)
				for i := 1; i < len(x); i++ {
					if i == fused {
						s = acc.FMA(x[i], y[i], s, fp.NearestEven)
						continue
					}
					s = acc.Add(s, acc.Mul(x[i], y[i], fp.NearestEven), fp.NearestEven)
				}
				return out.Round(acc.Add(s, 0, fp.NearestEven), fp.NearestEven)
			})
			for seed := range revealtest.Everyday(3) {
				got := revealtest.Find(t, target, seed)
				if !got.Verified {
					t.Logf("n = %d: not verified", n)
					continue
				}
				b := probe.NewBatch(target)
				b.X[1], b.Y[1] = -out.MinNormal(), 0x1p-9
				_ = target.Call(t.Context(), b)
				r, err := got.Tree.Replay(*got.Arithmetic, b.X, b.Y)
				if err != nil || !revealtest.EqualBits(r, b.Out[0]) || !math.Signbit(r) {
					t.Errorf("n = %d, seed %d: the replay gives %v, not %v (%v)", n, seed, r,
						b.Out[0], err)
				}
			}
		}
	}
}

// TestMasks holds that a dot product is not verified if it adds the second
// factors in another order where each first one is 0 or 1.
func TestMasks(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	isMask := func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 })
	}
	for _, n := range []int{6, 20} {
		revealtest.NeverVerified(t, 5, func() probe.Target {
			return revealtest.Dot(n, f, func(x, y []float64) float64 {
				p := revealtest.Products(f, x, y)
				if isMask(x) {
					slices.Reverse(p)
				}
				return revealtest.Added(f, p)
			})
		})
	}
}

// TestTruncatedProducts holds that products which are rounded toward zero, and
// sums which are not, are not verified to be rounded twice, to 64 bits first.
func TestTruncatedProducts(t *testing.T) {
	t.Parallel()
	f := fp.Binary64
	for _, n := range []int{2, 3} {
		revealtest.NeverVerified(t, 5, func() probe.Target {
			return revealtest.Dot(n, f, func(x, y []float64) float64 {
				var s float64
				for i := range x {
					s += f.Mul(x[i], y[i], fp.TowardZero)
				}
				return s
			})
		})
	}
}

// TestProductsThatKeepSubnormals holds that a dot product is not verified if it
// flushes its sums and some products only.
func TestProductsThatKeepSubnormals(t *testing.T) {
	t.Parallel()
	f := fp.Binary64
	flush := func(v float64) float64 {
		if math.Abs(v) < f.MinNormal() {
			return math.Copysign(0, v)
		}
		return v
	}
	var halves func(v []float64) float64
	halves = func(v []float64) float64 {
		if len(v) == 1 {
			return v[0]
		}
		return flush(halves(v[:len(v)/2]) + halves(v[len(v)/2:]))
	}
	for _, kept := range []int{0b1, 0b10010, 0b1010101, 0b1101000, 0b0110011} {
		revealtest.NeverVerified(t, 3, func() probe.Target {
			return revealtest.Dot(7, f, func(x, y []float64) float64 {
				p := revealtest.Products(f, x, y)
				for i, v := range p {
					if kept>>i&1 == 0 {
						p[i] = flush(v)
					}
				}
				return halves(p)
			})
		})
	}
}
