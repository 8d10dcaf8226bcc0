package reveal_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// weighing returns a float32 chain of products of the summands and of weights,
// and multiplies its sum by factor.
func weighing(n int, factor float32, weight func(i int) float32) probe.Target {
	return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
		var s float32
		for i, v := range x {
			s += float32(weight(i) * float32(v))
		}
		return float64(s * factor)
	})
}

// ends returns the weights of summands: end for the first and the last, and
// others for the rest.
func ends(n int, end, others float32) func(int) float32 {
	return func(i int) float32 {
		if i == 0 || i == n-1 {
			return end
		}
		return others
	}
}

// TestWeights reveals trees whose summands have weights that follow a rule.
func TestWeights(t *testing.T) {
	const n = 20
	for name, c := range map[string]struct {
		factor, end, others float32
		want                string
	}{
		"trapezoid": {1, 0.5, 1, "0.5 for the summands 0,19"},
		"trapezoid of step": {1, 0.25, 0.5,
			"0.25 for the summands 0,19, 0.5 for the summands 1-18"},
		"half":            {0.5, 1, 1, "0.5 for the sum"},
		"quarter of each": {1, 0.25, 0.25, "0.25 for the summands 0-19"},
	} {
		target := weighing(n, c.factor, ends(n, c.end, c.others))
		f := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		if f.Traits.Weights != c.want {
			t.Errorf("%s: weights %q, want %q", name, f.Traits.Weights, c.want)
		}
		replaysAll(t, target, f)
	}
	for _, n := range []int{2, 3, 4, n} {
		undeclared := revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			return float64(float32(revealtest.By(probetest.Chain(n), fp.Binary32, x)) / float32(n))
		})
		f := revealtest.Must(t, undeclared, reveal.Options{}, probetest.Chain(n))
		if !f.IsMean() || f.Key.Mean {
			t.Errorf("a mean of %d that its key does not name: %+v", n, f.Arithmetic)
		}
		revealtest.Replays(t, undeclared, f, 100)
	}
}

// TestScaledOnTheWay holds that a sum is not verified whose summands are
// doubled before they are added, and the sum halved: large ones overflow.
func TestScaledOnTheWay(t *testing.T) {
	for _, n := range []int{2, 3, 8} {
		target := revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			var s float32
			for _, v := range x {
				s += 2 * float32(v)
			}
			return float64(s / 2)
		})
		if f := revealtest.Find(t, target, 1); f.Verified {
			t.Errorf("n=%d:", n)
			revealtest.Wrong(t, f)
		}
	}
}

// TestWeightsWithoutARule reveals trees whose weights follow no rule, and last
// steps.
func TestWeightsWithoutARule(t *testing.T) {
	const n = 12
	rng := rand.New(rand.NewPCG(37, 38))
	random := make([]float32, n)
	for i := range random {
		random[i] = float32(rng.NormFloat64())
	}
	for name, c := range map[string]struct {
		weight func(i int) float32
		want   string
	}{
		"ends quartered": {ends(n, 0.25, 1), "0.25 for the summands 0,11"},
		"ends doubled":   {ends(n, 2, 1), "2 for the summands 0,11"},
		"all tripled":    {ends(n, 3, 3), "3 for the summands 0-11"},
		"every second": {func(i int) float32 { return float32(1 + i%2) },
			"2 for the summands 1,3,5,7,9,11"},
		"tenths": {func(i int) float32 { return float32(i+1) / 10 },
			"0.1 for summand 0, 0.2 for summand 1, 0.3 for summand 2, 6 others, " +
				"1.1 for summand 10, 1.2 for summand 11"},
		"random": {func(i int) float32 { return random[i] }, ""},
	} {
		target := weighing(n, 1, c.weight)
		f := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		if c.want != "" && f.Traits.Weights != c.want {
			t.Errorf("%s: weights %q, want %q", name, f.Traits.Weights, c.want)
		}
		replaysAll(t, target, f)
	}
}

// TestWeightsInAnyOrder reveals random trees of weighted summands in float32
// and float64, divided or multiplied in the end.
func TestWeightsInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 40))
	for k := range 12 {
		n := 2 + rng.IntN(150)
		f := []fp.Format{fp.Binary32, fp.Binary64}[k%2]
		tree := probetest.RandomTree(rng, n, probetest.Uniform)
		a := sumtree.Plain(f)
		a.PlusZero = true
		for i := range n {
			w := f.Round(rng.NormFloat64()*math.Ldexp(1, rng.IntN(12)), fp.NearestEven)
			a.Weights = append(a.Weights,
				sumtree.Weight{Leaves: sumtree.Ranges{{i, i + 1}}, Factor: w})
		}
		last := f.Round(1+9*rng.Float64(), fp.NearestEven)
		switch k / 2 % 3 {
		case 1:
			a.Divisor = last
		case 2:
			a.Factor = last
		}
		target := weighted(t, tree, a)
		g := revealtest.Must(t, target, reveal.Options{}, tree)
		if g.Arithmetic.Divisor != a.Divisor || g.Arithmetic.Factor != a.Factor {
			t.Errorf("%d: last step %v, %v, want %v, %v", k, g.Arithmetic.Divisor,
				g.Arithmetic.Factor, a.Divisor, a.Factor)
		}
		replaysAll(t, target, g)
	}
}

// weighted returns a target that replays a tree in an arithmetic.
func weighted(t *testing.T, tree *sumtree.Tree, a sumtree.Arithmetic) probe.Target {
	r, err := sumtree.NewReplayer(tree, a)
	if err != nil {
		t.Fatal(err)
	}
	return revealtest.Sum(tree.Leaves(), a.In, func(x []float64) float64 {
		v, _ := r.Sum(x, nil)
		return v
	})
}

// TestOtherWeightedSumsAreRefused holds that weights that no finding names are
// never verified, and that the finding gives the reason.
func TestOtherWeightedSumsAreRefused(t *testing.T) {
	const n = 12
	one := func(at int, w float32) func(int) float32 {
		return func(i int) float32 {
			if i == at {
				return w
			}
			return 1
		}
	}
	for name, c := range map[string]struct {
		weight func(i int) float32
		want   string
	}{
		"drops the first":    {one(0, 0), "no weight"},
		"drops the last":     {one(n-1, 0), "no weight"},
		"drops one":          {one(5, 0), "no weight"},
		"doubles the first":  {one(0, 2), "except for summand 0"},
		"doubles the last":   {one(n-1, 2), "except for summand 11"},
		"doubles one":        {one(5, 2), "except for summand 5"},
		"halves the first":   {one(0, 0.5), "except for summand 0"},
		"halves the last":    {one(n-1, 0.5), "except for summand 11"},
		"halves the second":  {one(1, 0.5), "except for summand 1"},
		"scales one":         {one(7, 1+0x1p-23), "except for summand 7"},
		"none":               {ends(n, 0, 0), "no weight"},
		"one without limits": {one(3, float32(math.Inf(1))), ""},
	} {
		f := revealtest.Find(t, weighing(n, 1, c.weight), 1)
		if f.Verdict == reveal.TreeVerdict || f.Witness == nil ||
			!strings.Contains(strings.Join(f.Warnings, " "), c.want) {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, f)
		}
	}
	for _, at := range []int{0, 1, 2} {
		if f := revealtest.Find(t, weighing(3, 1, one(at, 2)), 1); f.Verdict != reveal.NotASum {
			t.Errorf("doubles summand %d of 3:", at)
			revealtest.Wrong(t, f)
		}
	}
}

// TestWeightsThatDependOnTheSummands holds that functions that are almost
// weighted sums are not verified.
func TestWeightsThatDependOnTheSummands(t *testing.T) {
	const n = 20
	w := func(i int) float32 { return 0.1 * float32(i+1) }
	chain := func(x []float64, term func(i int, v float32) float32) float64 {
		var s float32
		for i, v := range x {
			s += term(i, float32(v))
		}
		return float64(s)
	}
	for name, f := range map[string]func(x []float64) float64{
		"large ones halved": func(x []float64) float64 {
			return chain(x, func(i int, v float32) float32 {
				if v > 5e3 {
					v /= 2
				}
				return float32(w(i) * v)
			})
		},
		"negative ones": func(x []float64) float64 {
			return chain(x, func(i int, v float32) float32 {
				if v < 0 {
					return float32(w(n-1-i) * v)
				}
				return float32(w(i) * v)
			})
		},
		"the last bit of one product": func(x []float64) float64 {
			return chain(x, func(i int, v float32) float32 {
				p := float32(w(i) * v)
				if i == 7 && v > 1 {
					p = math.Nextafter32(p, 0)
				}
				return p
			})
		},
		"another order for ordinary numbers": func(x []float64) float64 {
			y := x
			if math.Abs(x[0]) < 0x1p40 && math.Abs(x[n-1]) < 0x1p40 && x[0] != 0 && x[1] != 0 {
				y = append([]float64(nil), x...)
				y[0], y[1], y[2] = 0, 0, 0
				head := float32(w(1)*float32(x[1])) + float32(w(2)*float32(x[2]))
				head += float32(w(0) * float32(x[0]))
				return float64(head + float32(chain(y, func(i int, v float32) float32 {
					return float32(w(i) * v)
				})))
			}
			return chain(y, func(i int, v float32) float32 { return float32(w(i) * v) })
		},
	} {
		if g := revealtest.Find(t, revealtest.Sum(n, fp.Binary32, f), 1); g.Verified {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, g)
		}
	}
}

// rows is m rows of a sum.
type rows struct {
	probe.Target
	m int
}

func (r rows) Key() probe.Key {
	k := r.Target.Key()
	k.M, k.Axis = r.m, "1"
	return k
}

func (r rows) Lanes() int { return r.m }

func (r rows) Call(ctx context.Context, b *probe.Batch) error {
	n := r.Target.Key().N
	for i := range b.Out {
		one := &probe.Batch{X: b.X[i*n : (i+1)*n], Out: b.Out[i : i+1]}
		if err := r.Target.Call(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// TestInvariantWeights sweeps over the rows of a weighted sum, as the product
// with a fixed vector is.
func TestInvariantWeights(t *testing.T) {
	const n = 16
	rng := rand.New(rand.NewPCG(1, 2))
	weights := make([]float32, n)
	for i := range weights {
		weights[i] = float32(rng.NormFloat64())
	}
	forward := func() probe.Target {
		return weighing(n, 1, func(i int) float32 { return weights[i] })
	}
	backward := func() probe.Target {
		return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			var s float32
			for i := n - 1; i >= 0; i-- {
				s += float32(weights[i] * float32(x[i]))
			}
			return float64(s)
		})
	}
	for from, want := range map[int]string{
		5: "[1 2 3 4] verified=true ", 3: "[1 2] verified=true [3 4] verified=true ",
	} {
		classes, inv := classesOf(t, sweepOf(t, "m", 1, 4, func(v int) probe.Target {
			if v >= from {
				return rows{backward(), v}
			}
			return rows{forward(), v}
		}))
		if classes != want || inv.Conclusion == reveal.Open {
			t.Errorf("%s: %s, want %s", inv.Conclusion, classes, want)
		}
	}
}
