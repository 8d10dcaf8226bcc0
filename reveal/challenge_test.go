package reveal_test

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// kahanSum is Kahan's summation in f, whose last correction is added too.
func kahanSum(f fp.Format, x []float64) float64 {
	add := func(a, b float64) float64 { return f.Add(a, b, fp.NearestEven) }
	var s, c float64
	for _, v := range x {
		y := add(v, -c)
		t := add(s, y)
		c = add(add(t, -s), -y)
		s = t
	}
	return add(s, -c)
}

// nonzero returns the values of x that are not zero, or one zero.
func nonzero(x []float64) []float64 {
	z := slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v == 0 })
	if len(z) == 0 {
		return []float64{0}
	}
	return z
}

// pairs adds x by halves.
func pairs(f fp.Format, x []float64) float64 {
	if len(x) == 1 {
		return x[0]
	}
	h := len(x) / 2
	return f.Add(pairs(f, x[:h]), pairs(f, x[h:]), fp.NearestEven)
}

// signs adds the positive summands and the others apart.
func signs(f fp.Format, x []float64) float64 {
	var p, q float64
	for _, v := range x {
		if v > 0 {
			p = f.Add(p, v, fp.NearestEven)
		} else {
			q = f.Add(q, v, fp.NearestEven)
		}
	}
	return f.Add(p, q, fp.NearestEven)
}

// TestOrdersOfFewSummands holds that functions of few summands whose order
// depends on their values are not verified.
func TestOrdersOfFewSummands(t *testing.T) {
	t.Parallel()
	byValue := func(f fp.Format, x []float64) float64 {
		return revealtest.Added(f, slices.Sorted(slices.Values(x)))
	}
	bySize := func(f fp.Format, x []float64) float64 {
		return revealtest.Added(f, slices.SortedFunc(slices.Values(x), func(a, b float64) int {
			return int(math.Copysign(1, math.Abs(a)-math.Abs(b)))
		}))
	}
	dropped := func(f fp.Format, x []float64) float64 { return pairs(f, nonzero(x)) }
	for _, c := range []struct {
		name string
		n    int
		d    fp.Format
		f    func(fp.Format, []float64) float64
	}{
		{"by value", 3, fp.BFloat16, byValue}, {"by value", 4, fp.BFloat16, byValue},
		{"by value", 3, fp.Binary16, byValue}, {"by size", 3, fp.BFloat16, bySize},
		{"signs apart", 3, fp.BFloat16, signs}, {"signs apart", 4, fp.BFloat16, signs},
		{"signs apart", 4, fp.Binary32, signs},
		{"drops zeros", 4, fp.Binary32, dropped}, {"drops zeros", 5, fp.BFloat16, dropped},
	} {
		t.Run(c.name+" "+c.d.String(), func(t *testing.T) {
			revealtest.NeverVerified(t, 20, func() probe.Target {
				return revealtest.Sum(c.n, c.d, func(x []float64) float64 {
					return c.d.Round(c.f(fp.Binary32, x), fp.NearestEven)
				})
			})
		})
	}
}

// TestCompensatedSumsOfFew holds that compensated sums of few summands are not
// verified as plain ones.
func TestCompensatedSumsOfFew(t *testing.T) {
	for _, c := range []struct {
		n      int
		d, acc fp.Format
	}{
		{2, fp.Binary64, fp.Binary64}, {2, fp.Binary32, fp.Binary32},
		{3, fp.BFloat16, fp.Binary32}, {4, fp.BFloat16, fp.Binary32},
	} {
		t.Run(c.d.String(), func(t *testing.T) {
			revealtest.NeverVerified(t, 20, func() probe.Target {
				return revealtest.Sum(c.n, c.d, func(x []float64) float64 {
					return c.d.Round(kahanSum(c.acc, x), fp.NearestEven)
				})
			})
		})
	}
}

// TestOneNodeOfAKind lets one addition of a chain deviate from the others. A
// verified finding has to give the bits of the function.
func TestOneNodeOfAKind(t *testing.T) {
	const n, at = 7, 4
	add := func(f fp.Format, a, b float64) float64 { return f.Add(a, b, fp.NearestEven) }
	for name, one := range map[string]func(f fp.Format, a, b float64) float64{
		"toward zero": func(f fp.Format, a, b float64) float64 {
			return f.Add(a, b, fp.TowardZero)
		},
		"up":   func(f fp.Format, a, b float64) float64 { return f.Add(a, b, fp.Up) },
		"wide": func(_ fp.Format, a, b float64) float64 { return add(fp.Binary64, a, b) },
		"inputs flush": func(f fp.Format, a, b float64) float64 {
			return add(f, a, revealtest.Flushed(b))
		},
		"corrects": func(f fp.Format, a, b float64) float64 {
			s := add(f, a, b)
			return add(f, s, add(f, b, -add(f, s, -a)))
		},
	} {
		for _, d := range []fp.Format{fp.Binary32, fp.BFloat16} {
			t.Run(name+" "+d.String(), func(t *testing.T) {
				for seed := range revealtest.Everyday(20) {
					target := revealtest.Sum(n, d, func(x []float64) float64 {
						s := x[0]
						for i, v := range x[1:] {
							if i == at {
								s = one(fp.Binary32, s, v)
							} else {
								s = add(fp.Binary32, s, v)
							}
						}
						return d.Round(s, fp.NearestEven)
					})
					f := revealtest.Find(t, target, seed)
					if !f.Verified {
						continue
					}
					if err := revealtest.Mismatch(t.Context(), target, f, seed, 60); err != nil {
						t.Errorf("seed %d: %v", seed, err)
						revealtest.Wrong(t, f)
					}
				}
			})
		}
	}
}

// lanedProducts sums products in every lane.
type lanedProducts struct {
	laned
	g func(lane int, x, y []float64) float64
}

func (t lanedProducts) Call(_ context.Context, b *probe.Batch) error {
	for l := range b.Out {
		b.Out[l] = t.g(l, b.X[l*t.key.N:(l+1)*t.key.N], b.Y)
	}
	return nil
}

// TestMainLaneDeviates lets the lane asked about differ from all others on some
// values only. A verified finding has to give that lane's bits.
func TestMainLaneDeviates(t *testing.T) {
	const n, lanes = 8, 40
	rows := func(x, y []float64, back bool) float64 {
		var s float64
		for i := range x {
			if back {
				i = len(x) - 1 - i
			}
			p := fp.Binary32.Mul(x[i], y[i], fp.NearestEven)
			s = fp.Binary32.Add(s, p, fp.NearestEven)
		}
		return s
	}
	someAbove := func(v []float64, least float64) bool {
		return slices.ContainsFunc(v, func(a float64) bool { return math.Abs(a) > least })
	}
	negative := func(a float64) bool { return a < 0 }
	for name, main := range map[string]func(x, y []float64) float64{
		"flushes": func(x, y []float64) float64 { return revealtest.Flushed(rows(x, y, false)) },
		"saturates": func(x, y []float64) float64 {
			most := fp.Binary32.Max()
			return max(-most, min(most, rows(x, y, false)))
		},
		"y above 4": func(x, y []float64) float64 { return rows(x, y, someAbove(y, 4)) },
		"x negative": func(x, y []float64) float64 {
			return rows(x, y, slices.ContainsFunc(x, negative))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range revealtest.Everyday(20) {
				key := probe.Key{Target: "lanes", Op: probe.Gemv, DType: fp.Binary32,
					Out: fp.Binary32, N: n, M: lanes, OutIndex: []int{0}, Threads: 1}
				target := lanedProducts{laned{key: key, lanes: lanes},
					func(lane int, x, y []float64) float64 {
						if lane == 0 {
							return main(x, y)
						}
						return rows(x, y, false)
					}}
				f := revealtest.Find(t, target, seed)
				if !f.Verified {
					continue
				}
				if err := revealtest.Mismatch(t.Context(), target, f, seed, 100); err != nil {
					t.Errorf("seed %d: %v", seed, err)
					revealtest.Wrong(t, f)
					return
				}
			}
		})
	}
}

// exactOf returns the sum of x, rounded once to float64.
func exactOf(x []float64) float64 {
	s := new(big.Float).SetPrec(4400)
	for _, v := range x {
		s.Add(s, new(big.Float).SetFloat64(v))
	}
	return fp.Binary64.RoundBig(s, fp.NearestEven)
}

// TestExactOnlyWhereRoundedOnce holds that a sum that is exact, and rounded to
// float32 on the way to a float16, is not verified as exact, and neither is a
// sum of rounded squares.
func TestExactOnlyWhereRoundedOnce(t *testing.T) {
	t.Parallel()
	for n := 3; n < 8; n++ {
		revealtest.NeverVerified(t, 20, func() probe.Target {
			return revealtest.Sum(n, fp.BFloat16, func(x []float64) float64 {
				e := fp.Binary32.Round(exactOf(x), fp.NearestEven)
				return fp.BFloat16.Round(e, fp.NearestEven)
			})
		})
		for seed := range revealtest.Everyday(20) {
			f := revealtest.Find(t, revealtest.Sum(n, fp.Binary16, func(x []float64) float64 {
				s := fp.Binary32.Round(revealtest.Added(fp.Binary64, x), fp.NearestEven)
				return fp.Binary16.Round(s, fp.NearestEven)
			}), seed)
			if f.Verdict == reveal.Exact {
				t.Errorf("n = %d, seed %d:", n, seed)
				revealtest.Wrong(t, f)
			}
		}
	}
	key := probe.Key{Target: "squares", Op: probe.SumSq, DType: fp.Binary16, Out: fp.Binary16,
		N: 3, Threads: 1}
	for seed := range revealtest.Everyday(20) {
		f := revealtest.Find(t, revealtest.SumOf(key, func(x []float64) float64 {
			var s float64
			for _, v := range x {
				s = fp.Binary32.Add(s, fp.Binary16.Mul(v, v, fp.NearestEven), fp.NearestEven)
			}
			return fp.Binary16.Round(s, fp.NearestEven)
		}), seed)
		if f.Verdict == reveal.Exact {
			t.Errorf("squares, seed %d:", seed)
			revealtest.Wrong(t, f)
		}
	}
}

// TestChallengesOfPlainSums holds that plain sums of few summands are verified
// with every seed.
func TestChallengesOfPlainSums(t *testing.T) {
	t.Parallel()
	for n := 2; n < 7; n++ {
		for _, d := range []fp.Format{fp.BFloat16, fp.Binary16, fp.Binary32, fp.Binary64} {
			for seed := range revealtest.Everyday(10) {
				tree := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n)
				o := probetest.Options{DType: d, Products: seed%2 == 1}
				if d.Precision() < fp.Binary32.Precision() {
					o.Acc = fp.Binary32
				}
				target := probetest.FromTree(tree, o)
				revealtest.Must(t, target, reveal.Options{Seed: seed}, tree)
			}
		}
	}
}
