package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// AskWeighted asks for size ordinary inputs of a weighted sum along t, and for
// as many whose weighted summands are near to ordinary summands of t, so that
// the rounding error of each addition reaches the result.
func AskWeighted(
	c *ask.Channel, t *sumtree.Tree, w *Weighting, size int,
) ([]ask.Sample, error) {
	own := t
	if w.Neighbours {
		own = nil // it has other leaves than there are inputs
	}
	samples, _, err := AskReplays(c, own, size)
	if err != nil {
		return nil, err
	}
	leaves := make([]int, t.Leaves())
	for i := range leaves {
		leaves[i] = i
	}
	var more []ask.Sample
	shape, kinds := ask.NewShape(t), ask.ReplayKinds()
	err = c.Within(leaves, func(part *ask.Channel) error {
		for k := range size {
			more = append(more, part.Inputs.Sample(kinds[k%len(kinds)], shape, nil))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var fills []ask.Fill
	for k := range more {
		s := &more[k]
		for i, v := range s.X {
			if x := c.Key.DType.Round(v/w.Factors[i], fp.NearestEven); x-x == 0 {
				s.X[i] = x
			}
		}
		if w.Neighbours {
			s.X = spread(c, s.X)
		}
		fills = append(fills, ask.Values(s.X))
	}
	c.ExpectQuestions("replay", len(fills))
	out, err := c.Ask(nil, fills...)
	for k := range out {
		more[k].Out = out[k]
	}
	return append(samples, more...), err
}

// SettleWeighted returns the arithmetics of a weighted sum along t that give
// the samples, and asks more where several do, as Settle does.
func SettleWeighted(
	c *ask.Channel, t *sumtree.Tree, w *Weighting, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	extremes, err := askExtremes(c, w)
	if err != nil {
		return nil, err
	}
	*samples = append(*samples, extremes...)
	for _, fused := range slices.Compact([]bool{w.Fused, true}) {
		all, err := weightedArithmetics(c, t, w, fused)
		if err != nil {
			return nil, err
		}
		left, err := Settle(c, t, all, samples)
		if len(left) > 0 || err != nil {
			return left, err
		}
	}
	all, err := mixedWeights(c, t, w)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return Settle(c, t, all, samples)
}

// weightedArithmetics returns the arithmetics that a weighted sum may have,
// with products that are fused or not.
func weightedArithmetics(
	c *ask.Channel, t *sumtree.Tree, w *Weighting, fused bool,
) ([]sumtree.Arithmetic, error) {
	var all []sumtree.Arithmetic
	scales := []int{0}
	if w.Last != (LastStep{}) {
		for k := 1; k <= maxWeightScale; k++ {
			scales = append(scales, k, -k)
		}
	}
	var ways []*Weighting
	for _, k := range scales {
		ways = append(ways, w.scaled(k))
	}
	if w.Last != (LastStep{}) { // the sign of a sum that is zero shows
		for _, v := range ways[:len(scales)] {
			ways = append(ways, v.negated())
		}
	}
	for _, v := range ways {
		for _, base := range summandRules(v, weightedBases(c, v)) {
			uniform, err := Uniform(c, t, base)
			if err != nil {
				return nil, err
			}
			for _, a := range uniform {
				all = append(all, weightedProducts(a, fused)...)
			}
		}
	}
	return all, nil
}

// maxWeightScale bounds the powers of two that weights and a last step may have
// in common, which show only where sums overflow or are subnormal.
const maxWeightScale = 14

// askExtremes asks sums at both ends of the range of the summands' format,
// where the size of weights shows, and a sum of zeros.
func askExtremes(c *ask.Channel, w *Weighting) ([]ask.Sample, error) {
	rng := ask.RandApart(c, "extreme")
	f := c.Key.DType
	largest := 0
	for i, v := range w.Factors {
		if math.Abs(v) > math.Abs(w.Factors[largest]) {
			largest = i
		}
	}
	zero := make([]float64, c.N)
	for i := range zero {
		zero[i] = math.Copysign(0, -w.Factors[min(i, len(w.Factors)-1)])
	}
	samples := []ask.Sample{{Kind: ask.Edge, X: zero}}
	at := math.Ilogb(w.Factors[largest])
	for k := -2 * maxWeightScale; k <= 2*maxWeightScale; k++ {
		for _, e := range []int{f.MaxExp() - at + k, f.MinExp() - at + k} {
			v := f.Round(math.Ldexp(1+rng.Float64(), max(e, f.MinExp())), fp.TowardZero)
			if e > f.MaxExp() || e < f.MinExp()-f.Precision() {
				continue
			}
			x := make([]float64, c.N)
			x[largest] = v
			samples = append(samples, ask.Sample{Kind: ask.Edge, X: x})
		}
	}
	for k := range weightedEnds {
		samples = append(samples, atEnd(c, rng, at, k%2 == 0))
	}
	samples = append(samples, twoAtEnds(c, w)...)
	fills := make([]ask.Fill, len(samples))
	for k, s := range samples {
		fills[k] = ask.Values(s.X)
	}
	out, err := c.Ask(nil, fills...)
	for k := range out {
		samples[k].Out = out[k]
	}
	return samples, err
}

// maxTwoAtEnds bounds the weights that twoAtEnds makes inputs of.
const maxTwoAtEnds = 6

// twoAtEnds returns inputs of two summands of one weight, next to each other
// and far apart: the largest number and its opposite, and two of the smallest.
// A program may multiply their sum, which then neither overflows nor vanishes.
func twoAtEnds(c *ask.Channel, w *Weighting) (samples []ask.Sample) {
	if w.Neighbours {
		return nil
	}
	at := map[float64][]int{}
	var weights []float64
	for i, f := range w.Factors {
		if at[f] == nil {
			weights = append(weights, f)
		}
		at[f] = append(at[f], i) //lastbit:ignore nankey factors are numbers
	}
	most, least := c.Key.DType.Max(), c.Key.DType.Smallest()
	for _, f := range weights[:min(len(weights), maxTwoAtEnds)] {
		leaves := at[f]
		for _, k := range slices.Compact([]int{1, len(leaves) - 1}) {
			if k < 1 || k >= len(leaves) {
				continue
			}
			for _, v := range [][2]float64{{most, -most}, {least, least}} {
				s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N)}
				s.X[leaves[0]], s.X[leaves[k]] = v[0], v[1]
				samples = append(samples, s)
			}
		}
	}
	return samples
}

// weightedEnds is the number of inputs whose summands all lie at an end of the
// format: a fused product of a power of two shows only there, and so do steps
// that multiply in another order.
const weightedEnds = 24

// atEnd returns an input of summands at an end of the format, for weights of up
// to 2^at.
func atEnd(c *ask.Channel, rng *rand.Rand, at int, top bool) ask.Sample {
	f := c.Key.DType
	exp := f.MaxExp() - rng.IntN(3)
	if !top {
		exp = f.MinExp() - at + 3 - rng.IntN(f.Precision())
	}
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N)}
	for i := range s.X {
		v := f.Round(math.Ldexp(1+rng.Float64(), exp-rng.IntN(3)), fp.TowardZero)
		s.X[i] = math.Copysign(v, rng.Float64()-0.5)
	}
	return s
}

// weightedBases returns the arithmetics of a weighting, before any rounding is
// chosen: with the subnormals and the sign of zero that no probe has shown.
func weightedBases(c *ask.Channel, w *Weighting) []sumtree.Arithmetic {
	a := baseArithmetic(c)
	a.Factor, a.Divisor = w.Last.Factor, w.Last.Divisor
	a.Weights = weightRanges(w.Factors)
	var all []sumtree.Arithmetic
	for _, flush := range [][2]bool{{false, false}, {true, true}, {false, true}, {true, false}} {
		for _, plus := range []bool{true, false} {
			a.DAZ, a.FTZ, a.PlusZero, a.PlusZeroOut = flush[0], flush[1], plus, false
			all = append(all, a)
			if a.FTZ && plus {
				a.PlusZeroOut = true
				all = append(all, a)
			}
		}
	}
	return all
}

// summandRules returns the arithmetics, and where summands are sums of
// neighbours, with each way to compute these, and to apply a step h and the
// weight 1/2 one after the other, or to the sum.
func summandRules(w *Weighting, all []sumtree.Arithmetic) []sumtree.Arithmetic {
	if !w.Neighbours {
		return all
	}
	n := len(w.Factors)
	same := slices.Max(w.Factors) == slices.Min(w.Factors)
	var out []sumtree.Arithmetic
	for _, a := range all {
		for _, f := range slices.Compact([]fp.Format{a.In, fp.Binary64}) {
			a.Neighbours = f
			out = append(out, a)
			b := a
			if b.Weights = weightRanges(times(w.Factors, 2)); len(b.Weights) > 0 {
				b.Rescale = 0.5
				out = append(out, b)
			}
			if !same || w.Factors[0] == 1 {
				continue
			}
			if w.Factors[0] != 0.5 {
				b.Weights = []sumtree.Weight{{Leaves: sumtree.Ranges{{0, n}}, Factor: 0.5}}
				b.Rescale = 2 * w.Factors[0]
				out = append(out, b)
			}
			if w.Last == (LastStep{}) {
				b = a
				b.Weights, b.Factor = nil, w.Factors[0]
				out = append(out, b)
			}
		}
	}
	return out
}

// times returns the factors multiplied by v.
func times(factors []float64, v float64) []float64 {
	all := slices.Clone(factors)
	for i := range all {
		all[i] *= v
	}
	return all
}

// weightRanges lists the leaves of every weight except for 1.
func weightRanges(factors []float64) []sumtree.Weight {
	at := map[float64]int{}
	var all []sumtree.Weight
	for i, f := range factors {
		if f == 1 {
			continue
		}
		k, ok := at[f]
		if !ok {
			k = len(all)
			at[f] = k //lastbit:ignore nankey factors are numbers
			all = append(all, sumtree.Weight{Factor: f})
		}
		r := &all[k].Leaves
		if last := len(*r) - 1; last >= 0 && (*r)[last][1] == i {
			(*r)[last][1]++
		} else {
			*r = append(*r, [2]int{i, i + 1})
		}
	}
	return all
}

// weightedProducts returns the ways that weighted summands may enter the
// additions of a.
func weightedProducts(a sumtree.Arithmetic, fused bool) []sumtree.Arithmetic {
	if len(a.Weights) == 0 && a.Rescale == 0 {
		return []sumtree.Arithmetic{a}
	}
	fused = fused && a.Rescale == 0
	rules := []sumtree.FMA{sumtree.FMANone}
	if fused {
		rules = append(rules, sumtree.FMALater, sumtree.FMAChain, sumtree.FMAEarlier,
			sumtree.FMAAll)
	}
	var all []sumtree.Arithmetic
	for _, f := range slices.Compact([]fp.Format{a.In, a.Nodes.Acc}) {
		for _, rule := range rules {
			b := a
			b.Product, b.FMA = f, rule
			if f == a.In {
				b.Product = 0
			}
			all = append(all, b)
		}
	}
	return all
}
