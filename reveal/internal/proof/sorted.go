package proof

import (
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of AskSorted: inputs, and summands.
const (
	sortedInputs = 12
	maxSortedSum = 1 << 12
)

// AskSorted asks for sums of ascending and of descending summands whose total
// is close to zero. No rounding error is lost beside it, so that an
// implementation which adds sorted inputs in another order shows that. Products
// have the second factor of oddFactor.
func AskSorted(c *ask.Channel, a sumtree.Arithmetic) ([]ask.Sample, error) {
	if c.N < 3 || c.N > maxSortedSum || c.Key.Op.Positive() {
		return nil, nil
	}
	rng := ask.RandApart(c, "sorted")
	samples := make([]ask.Sample, sortedInputs)
	y := equalFactors(c, oddFactor(c, a))
	for k := range samples {
		s := ask.Sample{Kind: ask.Edge, X: sortedNumbers(c, rng), Y: y}
		if k%3 == 2 {
			slices.Reverse(s.X)
		}
		samples[k] = s
	}
	return samples, askTogether(c, "sorted", samples)
}

// oddFactor returns the second factor that sums of products are asked with
// which have something in common: one of all the places of its format where the
// accumulator is wider, so that it holds sums of first factors of moderate size
// exactly, and rounds sums of products; and otherwise 1.
func oddFactor(c *ask.Channel, a sumtree.Arithmetic) float64 {
	f := c.Key.DType
	if !c.Key.Op.Products() || accumulatorBits(a) <= f.Precision() {
		return 1
	}
	return f.Round(1.7, fp.ToOdd)
}

// accumulatorBits returns the places of most sums.
func accumulatorBits(a sumtree.Arithmetic) int {
	return max(held(a.Nodes).Precision(), a.Significand)
}

// equalFactors returns second factors that are all equal, nil for sums.
func equalFactors(c *ask.Channel, factor float64) []float64 {
	if !c.Key.Op.Products() {
		return nil
	}
	return slices.Repeat([]float64{factor}, c.N)
}

// askTogether asks samples that share their second factors, and fills in their
// results. Lanes share a call.
func askTogether(c *ask.Channel, step string, samples []ask.Sample) error {
	fills := make([]ask.Fill, len(samples))
	for k := range samples {
		fills[k] = ask.Values(samples[k].X)
	}
	c.ExpectQuestions(step, len(fills))
	if len(samples) == 0 {
		return nil
	}
	out, err := c.Ask(samples[0].Y, fills...)
	for k := range out {
		samples[k].Out, samples[k].Elsewhere = out[k], k%len(c.Pool()) > 0
	}
	return err
}

// sortedNumbers returns ascending numbers, about as many negative as positive
// ones, that nearly add up to zero.
func sortedNumbers(c *ask.Channel, rng *rand.Rand) []float64 {
	x := make([]float64, c.N)
	var mean float64
	for i := range x {
		x[i] = rng.NormFloat64() //lastbit:ignore libm inputs need no last bit
		mean += x[i] / float64(c.N)
	}
	for i := range x {
		x[i] = c.Key.DType.Round(x[i]-mean, fp.NearestEven)
	}
	slices.Sort(x)
	return x
}
