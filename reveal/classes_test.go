package reveal_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// changes lists classes of values that change the order of a function.
func changes() map[string]func(x []float64) bool {
	size := func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) }
	return map[string]func(x []float64) bool{
		"all positive":    func(x []float64) bool { return slices.Min(x) > 0 },
		"all negative":    func(x []float64) bool { return slices.Max(x) < 0 },
		"one subnormal":   func(x []float64) bool { return least(x) < 0x1p-126 },
		"ascending":       func(x []float64) bool { return slices.IsSortedFunc(x, size) },
		"narrow":          func(x []float64) bool { return largest(x) < 2*least(x) },
		"huge":            func(x []float64) bool { return largest(x) > 0x1p60 },
		"equal neighbour": func(x []float64) bool { return x[0] == x[1] && x[0] != 0 },
		"last and first": func(x []float64) bool {
			return math.Abs(x[len(x)-1]) > 1024*math.Abs(x[0])
		},
		"first is odd": func(x []float64) bool { return math.Float32bits(float32(x[0]))&1 == 1 },
	}
}

// largest returns the largest magnitude of x.
func largest(x []float64) (m float64) {
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// least returns the smallest magnitude of x that is not zero.
func least(x []float64) float64 {
	m := math.Inf(1)
	for _, v := range x {
		if v != 0 {
			m = min(m, math.Abs(v))
		}
	}
	return m
}

// TestClassesOfValues holds that sums and sums of squares of float32 which are
// added from the last to the first for one class of values are not verified.
func TestClassesOfValues(t *testing.T) {
	const f = fp.Binary32
	for name, change := range changes() {
		for k, n := range []int{20, 6, 100} {
			if !revealtest.IsOfToday(k) {
				continue
			}
			for _, op := range []probe.Op{probe.Sum, probe.SumSq} {
				if op == probe.SumSq && (name == "one subnormal" || name == "equal neighbour") {
					continue // their squares vanish, or are exchanged for equal ones
				}
				key := probe.Key{Target: name, Op: op, DType: f, Out: f, N: n, Threads: 1}
				target := revealtest.SumOf(key, func(x []float64) float64 {
					x = slices.Clone(x)
					if change(x) {
						slices.Reverse(x)
					}
					for i, v := range x {
						if op == probe.SumSq {
							x[i] = f.Mul(v, v, fp.NearestEven)
						}
					}
					return revealtest.Added(f, x)
				})
				for seed := range revealtest.Everyday(3) {
					if found := revealtest.Find(t, target, seed); found.Verified {
						t.Errorf("%s, %v of %d, seed %d:", name, op, n, seed)
						revealtest.Wrong(t, found)
					}
				}
			}
		}
	}
}

// TestPatternsOfShortResults holds that a sum of bfloat16 in float32, whose
// result hides most roundings, is not verified where signs change its order.
func TestPatternsOfShortResults(t *testing.T) {
	for _, negative := range []bool{false, true} {
		revealtest.NeverVerified(t, 6, func() probe.Target {
			return revealtest.Sum(12, fp.BFloat16, func(x []float64) float64 {
				x = slices.Clone(x)
				if !slices.ContainsFunc(x, func(v float64) bool { return v < 0 != negative }) {
					slices.Reverse(x)
				}
				return fp.BFloat16.Round(revealtest.Added(fp.Binary32, x), fp.NearestEven)
			})
		})
	}
}

// TestSwapsOfManySummands holds that a sum of thousands that exchanges two
// halves where most summands are negative is not verified.
func TestSwapsOfManySummands(t *testing.T) {
	t.Parallel()
	const n = 5000
	revealtest.NeverVerified(t, 3, func() probe.Target {
		return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			negative := 0
			for _, v := range x {
				if v < 0 {
					negative++
				}
			}
			if negative > n*3/4 {
				return revealtest.Added(fp.Binary32, slices.Concat(x[n/2:], x[:n/2]))
			}
			return revealtest.Added(fp.Binary32, x)
		})
	})
}

// TestInfinities holds that a sum of two that has another result for opposite
// infinities is not verified, and that one that cannot be asked for infinities
// is.
func TestInfinities(t *testing.T) {
	revealtest.NeverVerified(t, 4, func() probe.Target {
		return revealtest.Sum(2, fp.Binary32, func(x []float64) float64 {
			if x[0] == -x[1] {
				return 0
			}
			return revealtest.Added(fp.Binary32, x)
		})
	})
	tree := probetest.Chain(5)
	target := infiniteFault{probetest.FromTree(tree, probetest.Options{})}
	revealtest.Must(t, target, reveal.Options{}, tree)
	for _, n := range []int{1, 2} {
		revealtest.NeverVerified(t, 4, func() probe.Target {
			return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
				return min(fp.Binary32.Max(), revealtest.Added(fp.Binary32, x))
			})
		})
	}
}

// TestArrangedExponentials holds that a softmax which adds from the last to the
// first where no summand is zero is not verified.
func TestArrangedExponentials(t *testing.T) {
	const f, n = fp.Binary32, 40
	key := probe.Key{Target: "softmax", Op: probe.Softmax, DType: f, Out: f, N: n, Threads: 1}
	for _, always := range []bool{false, true} {
		target := revealtest.SumOf(key, func(x []float64) float64 {
			e, smallest := make([]float64, n), math.Inf(1)
			zero := false
			for i, v := range x {
				e[i] = f.Round(math.Exp(v-slices.Max(x)), fp.NearestEven)
				if zero = zero || e[i] == 0; e[i] > 0 {
					smallest = min(smallest, e[i])
				}
			}
			if always || !zero {
				slices.Reverse(e)
			}
			return f.Round(smallest/revealtest.Added(f, e), fp.NearestEven)
		})
		for seed := range revealtest.Everyday(3) {
			if found := revealtest.Find(t, target, seed); found.Verified != always {
				t.Errorf("always %v, seed %d:", always, seed)
				revealtest.Wrong(t, found)
			}
		}
	}
}

// TestClassIsNamed holds that a function whose order one class of values
// reverses is value-dependent, and that the witness tells so.
func TestClassIsNamed(t *testing.T) {
	f := revealtest.Find(t, revealtest.Sum(20, fp.Binary32, func(x []float64) float64 {
		if x = slices.Clone(x); slices.Contains(x, 0) || largest(x) >= 2*least(x) {
			return revealtest.Added(fp.Binary32, x)
		}
		slices.Reverse(x)
		return revealtest.Added(fp.Binary32, x)
	}), 1)
	const what = "added in another order"
	if f.Verdict != reveal.ValueDependent || f.Witness == nil ||
		!strings.Contains(f.Witness.What, what) {
		revealtest.Wrong(t, f)
	}
}
