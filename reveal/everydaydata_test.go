package reveal_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// reversedWhere returns a chain that runs backward for inputs that holds
// accepts.
func reversedWhere(n int, f fp.Format, holds func(x []float64) bool) func() probe.Target {
	return func() probe.Target {
		return revealtest.Sum(n, f, func(x []float64) float64 {
			if !holds(x) {
				return revealtest.Added(f, x)
			}
			x = slices.Clone(x)
			slices.Reverse(x)
			return revealtest.Added(f, x)
		})
	}
}

// each returns a condition that holds where it does for each summand.
func each(holds func(v float64) bool) func(x []float64) bool {
	return func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return !holds(v) })
	}
}

// TestLongSumsOfAClass holds that a sum of thousands of summands is not
// verified if it is added in another order where they are sorted or whole.
func TestLongSumsOfAClass(t *testing.T) {
	t.Parallel()
	for name, holds := range map[string]func(x []float64) bool{
		"ascending": slices.IsSorted[[]float64],
		"whole":     each(func(v float64) bool { return v == math.Trunc(v) }),
	} {
		t.Run(name, func(t *testing.T) {
			revealtest.NeverVerified(t, 1, reversedWhere(5000, fp.Binary32, holds))
		})
	}
}

// TestNumbersOfFewDigits holds that a sum is not verified if it is added in
// another order, or in integers, where all summands have one decimal, or are
// values of a shorter format.
func TestNumbersOfFewDigits(t *testing.T) {
	t.Parallel()
	isTenth := each(func(v float64) bool { return v == math.Round(v*10)/10 })
	tenths := func(n int) func() probe.Target {
		return func() probe.Target {
			return revealtest.Sum(n, fp.Binary64, func(x []float64) float64 {
				if !isTenth(x) {
					return revealtest.Added(fp.Binary64, x)
				}
				var s float64
				for _, v := range x {
					s += math.Round(v * 10)
				}
				return s / 10
			})
		}
	}
	revealtest.NeverVerified(t, 1, tenths(5000))
	for _, n := range []int{5, 20, 100} {
		revealtest.NeverVerified(t, 5, tenths(n))
		revealtest.NeverVerified(t, 5, reversedWhere(n, fp.Binary64, each(fp.Binary32.Contains)))
		revealtest.NeverVerified(t, 5, reversedWhere(n, fp.Binary32, each(fp.Binary16.Contains)))
		revealtest.NeverVerified(t, 5, reversedWhere(n, fp.Binary32, each(fp.BFloat16.Contains)))
	}
}

// TestSparseInputs holds that a sum is not verified if it is added in another
// order where nine of ten summands are zero, or more.
func TestSparseInputs(t *testing.T) {
	t.Parallel()
	isSparse := func(x []float64) bool { return 10*len(nonzero(x)) < len(x) }
	for _, n := range []int{200, 1000} {
		revealtest.NeverVerified(t, 5, func() probe.Target {
			return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
				if !isSparse(x) || len(nonzero(x)) < 8 {
					return revealtest.Added(fp.Binary32, x)
				}
				x = nonzero(x)
				half := len(x) / 2
				return fp.Binary32.Add(revealtest.Added(fp.Binary32, x[:half]),
					revealtest.Added(fp.Binary32, x[half:]),
					fp.NearestEven)
			})
		})
	}
}

// TestSubnormalInputs holds that a sum that divides its summands by the largest
// one where all are subnormal is not verified.
func TestSubnormalInputs(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	revealtest.NeverVerified(t, 10, func() probe.Target {
		return revealtest.Sum(40, f, func(x []float64) float64 {
			var most float64
			for _, v := range x {
				most = max(most, math.Abs(v))
			}
			if most == 0 || most >= f.MinNormal() || most != most {
				return revealtest.Added(f, x)
			}
			x = slices.Clone(x)
			for i, v := range x {
				x[i] = f.Round(v/most, fp.NearestEven)
			}
			return f.Mul(revealtest.Added(f, x), most, fp.NearestEven)
		})
	})
}

// TestSizesOfSecondFactors holds that a dot product is not verified if it is
// added in another order where second factors are large, small or mostly zeros,
// or if it cuts large ones off.
func TestSizesOfSecondFactors(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	largest := func(y []float64) (most float64) {
		for _, v := range y {
			most = max(most, math.Abs(v))
		}
		return most
	}
	for _, n := range []int{6, 20} {
		for name, holds := range map[string]func(y []float64) bool{
			"above 1000":  func(y []float64) bool { return largest(y) > 1000 },
			"above 1e30":  func(y []float64) bool { return largest(y) > 1e30 },
			"below 1e-6":  func(y []float64) bool { return largest(y) < 1e-6 && largest(y) > 0 },
			"below 1e-30": func(y []float64) bool { return largest(y) < 1e-30 && largest(y) > 0 },
			"mostly zero": func(y []float64) bool {
				zeros := 0
				for _, v := range y {
					if v == 0 {
						zeros++
					}
				}
				return 2*zeros > len(y) && zeros < len(y)
			},
		} {
			if name == "mostly zero" && n == 6 {
				continue // two products left have one order
			}
			t.Run(name, func(t *testing.T) {
				revealtest.NeverVerified(t, 5, func() probe.Target {
					return revealtest.Dot(n, f, func(x, y []float64) float64 {
						p := revealtest.Products(f, x, y)
						if holds(y) {
							slices.Reverse(p)
						}
						return revealtest.Added(f, p)
					})
				})
			})
		}
		revealtest.NeverVerified(t, 5, func() probe.Target {
			return revealtest.Dot(n, f, func(x, y []float64) float64 {
				y = slices.Clone(y)
				for i, v := range y {
					y[i] = min(v, f.Round(1e37, fp.NearestEven))
				}
				return revealtest.Added(f, revealtest.Products(f, x, y))
			})
		})
	}
}

// TestSecondFactorsThatAreNaN holds that a dot product that skips second
// factors which are NaN, or infinite, is not the same as one that does not.
func TestSecondFactorsThatAreNaN(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	for _, n := range []int{2, 20} {
		skipping := func(skips func(v float64) bool) probe.Target {
			return revealtest.Dot(n, f, func(x, y []float64) float64 {
				p := revealtest.Products(f, x, y)
				for i, v := range y {
					if skips(v) {
						p[i] = 0
					}
				}
				return revealtest.Added(f, p)
			})
		}
		plain := skipping(func(float64) bool { return false })
		for _, skips := range []func(v float64) bool{
			func(v float64) bool { return v != v },
			func(v float64) bool { return math.IsInf(v, 0) },
		} {
			got, err := reveal.Compare(context.Background(),
				[]probe.Target{plain, skipping(skips)}, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Conclusion != reveal.Different || got.Findings[1].Traits.Special == "" {
				t.Errorf("n = %d: %s, special %q", n, got.Conclusion,
					got.Findings[1].Traits.Special)
			}
		}
	}
}

// TestShortProductsThatVanish holds that a dot product of bfloat16 in float32,
// whose sum is negative and too small for the result, is −0 in the replay as
// well.
func TestShortProductsThatVanish(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 6, 20} {
		target := revealtest.Dot(n, fp.BFloat16, func(x, y []float64) float64 {
			var s float64
			for i := range x {
				p := fp.Binary32.Mul(x[i], y[i], fp.NearestEven)
				s = fp.Binary32.Add(s, p, fp.NearestEven)
			}
			return fp.BFloat16.Round(s, fp.NearestEven)
		})
		f := revealtest.Find(t, target, 0)
		if !f.Verified {
			revealtest.Wrong(t, f)
			continue
		}
		b := probe.NewBatch(target)
		b.X[n-1], b.Y[n-1] = -fp.BFloat16.MinNormal(), 0x1p-9
		_ = target.Call(context.Background(), b)
		got, err := f.Tree.Replay(*f.Arithmetic, b.X, b.Y)
		if err != nil || !revealtest.EqualBits(got, b.Out[0]) || !math.Signbit(got) {
			t.Errorf("n = %d: the replay gives %v, not %v (%v)", n, got, b.Out[0], err)
		}
	}
}

// TestWiderParts holds that a sum of blocks is not verified to be added in
// float64 if its accumulator has more places, and is if it has not.
func TestWiderParts(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	for _, n := range []int{20, 40} {
		target := revealtest.Sum(n, f, func(x []float64) float64 {
			s, plain := new(big.Float).SetPrec(64), 0.0
			for i := 0; i < n; i += 8 {
				block := revealtest.Added(f, x[i:min(i+8, n)])
				if plain += block; plain-plain == 0 {
					s.Add(s, big.NewFloat(block))
				}
			}
			if plain-plain != 0 {
				return plain
			}
			return f.RoundBig(s, fp.NearestEven)
		})
		for seed := range uint64(3) {
			if got := revealtest.Find(t, target, seed); got.Verified {
				revealtest.Wrong(t, got)
			}
		}
	}
	target := revealtest.Sum(40, f, func(x []float64) float64 {
		var s float64
		for i := 0; i < 40; i += 8 {
			s += revealtest.Added(f, x[i:min(i+8, 40)])
		}
		return f.Round(s, fp.NearestEven)
	})
	if got := revealtest.Find(t, target, 0); !got.Verified {
		revealtest.Wrong(t, got)
	}
}

// TestWeightsOfPartialSums holds that the replay of Simpson's rule, where that
// multiplies its sums by the weights, is right at the ends of the format as
// well: the products of the summands would overflow there.
func TestWeightsOfPartialSums(t *testing.T) {
	t.Parallel()
	const n = 6
	f := fp.Binary32
	target := revealtest.Sum(n, f, func(x []float64) float64 {
		parts := [2]float64{}
		for i, v := range x[1 : n-1] {
			parts[i%2] = f.Add(parts[i%2], v, fp.NearestEven)
		}
		s := f.Add(x[0], f.Mul(4, parts[0], fp.NearestEven), fp.NearestEven)
		s = f.Add(s, f.Mul(2, parts[1], fp.NearestEven), fp.NearestEven)
		third := f.Round(1.0/3, fp.NearestEven)
		return f.Mul(f.Add(s, x[n-1], fp.NearestEven), third, fp.NearestEven)
	})
	for seed := range uint64(2) {
		got := revealtest.Find(t, target, seed)
		if !got.Verified {
			continue
		}
		b := probe.NewBatch(target)
		rng := rand.New(rand.NewPCG(seed, 7))
		for range 1000 {
			for i := range b.X {
				b.X[i] = f.Round((rng.Float64()-0.5)*f.Max(), fp.NearestEven)
			}
			_ = target.Call(context.Background(), b)
			out, err := got.Tree.Replay(*got.Arithmetic, b.X, nil)
			if err != nil || !revealtest.EqualBits(out, b.Out[0]) {
				t.Errorf("seed %d: the replay gives %v, not %v (%v)", seed, out, b.Out[0], err)
				break
			}
		}
	}
}

// TestSaturatedShortResults holds that a sum of bfloat16 that is cut off at the
// largest number is not verified.
func TestSaturatedShortResults(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 20} {
		revealtest.NeverVerified(t, 5, func() probe.Target {
			return revealtest.Sum(n, fp.BFloat16, func(x []float64) float64 {
				s := revealtest.Added(fp.Binary32, x)
				r := fp.BFloat16.Round(s, fp.NearestEven)
				if math.IsInf(r, 0) && !math.IsInf(s, 0) {
					r = math.Copysign(fp.BFloat16.Max(), s)
				}
				return r
			})
		})
	}
}

// TestSaturatedLastAdditions holds that a sum of a few float16 is not verified
// as one that overflows if its last addition ends at the largest number.
func TestSaturatedLastAdditions(t *testing.T) {
	t.Parallel()
	f := fp.Binary16
	last := func(a, b float64) float64 {
		s := f.Add(a, b, fp.NearestEven)
		if math.IsInf(s, 0) && a-a == 0 && b-b == 0 {
			return math.Copysign(f.Max(), s)
		}
		return s
	}
	for _, n := range []int{2, 3} {
		revealtest.NeverVerified(t, 5, func() probe.Target {
			return revealtest.Sum(n, f, func(x []float64) float64 {
				return last(revealtest.Added(f, x[:n-1]), x[n-1])
			})
		})
	}
	revealtest.NeverVerified(t, 5, func() probe.Target {
		return revealtest.Dot(2, f, func(x, y []float64) float64 {
			return last(f.Mul(x[0], y[0], fp.NearestEven), f.Mul(x[1], y[1], fp.NearestEven))
		})
	})
}

// TestOtherConversions reveals sums in float32 whose results of 16 bits are
// rounded by hand: the first bits of the sum, or of it and half a last place.
func TestOtherConversions(t *testing.T) {
	t.Parallel()
	for _, mode := range []fp.Mode{fp.TowardZero, fp.NearestAway} {
		for n, f := range map[int]fp.Format{
			2: fp.BFloat16, 5: fp.Binary16, 9: fp.BFloat16, 40: fp.BFloat16,
		} {
			for _, target := range []probe.Target{
				revealtest.Sum(n, f, func(x []float64) float64 {
					return f.Round(revealtest.Added(fp.Binary32, x), mode)
				}),
				revealtest.Dot(n, f, func(x, y []float64) float64 {
					var s float64
					for i := range x {
						p := fp.Binary32.Mul(x[i], y[i], fp.NearestEven)
						s = fp.Binary32.Add(s, p, fp.NearestEven)
					}
					return f.Round(s, mode)
				}),
			} {
				got := revealtest.Find(t, target, 1)
				if !got.Verified || got.Arithmetic.OutMode != mode {
					t.Errorf("%v, n=%d: verified %v, %v", mode, n, got.Verified, got.Arithmetic)
					continue
				}
				if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
					t.Errorf("%v, n=%d: %v", mode, n, err)
				}
			}
		}
	}
}

// TestExpansionsOfFewTerms holds that a sum of three-term expansions, which
// drops the smallest term of more, is not verified as exact.
func TestExpansionsOfFewTerms(t *testing.T) {
	t.Parallel()
	for _, n := range []int{6, 20} {
		revealtest.NeverVerified(t, 400, func() probe.Target {
			return revealtest.Sum(n, fp.Binary64, func(x []float64) float64 {
				var terms []float64 // from the smallest on, none overlapping
				for _, v := range x {
					terms = expand(terms, v)
					if k := len(terms); k > 3 {
						terms = terms[k-3:]
					}
				}
				return exactOf(terms)
			})
		})
	}
}

// expand adds a number to an expansion, by Shewchuk's algorithm.
func expand(terms []float64, v float64) (sum []float64) {
	for _, t := range terms {
		if math.Abs(v) < math.Abs(t) {
			v, t = t, v
		}
		s := v + t
		if low := t - (s - v); low != 0 {
			sum = append(sum, low)
		}
		v = s
	}
	return append(sum, v)
}
