package proof

import (
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// The limits of AskSorted: inputs, and summands.
const (
	sortedInputs = 12
	maxSortedSum = 1 << 12
)

// AskSorted asks for sums of ascending and of descending summands whose total
// is close to zero. No rounding error is lost beside it, so that an
// implementation which adds sorted inputs in another order shows that.
func AskSorted(c *ask.Channel) ([]ask.Sample, error) {
	if c.N < 3 || c.N > maxSortedSum || c.Key.Op.Positive() {
		return nil, nil
	}
	rng := ask.RandApart(c, "sorted")
	samples := make([]ask.Sample, sortedInputs)
	for k := range samples {
		s := ask.Sample{Kind: ask.Edge, X: sortedNumbers(c, rng), Y: ones(c)}
		if k%3 == 2 {
			slices.Reverse(s.X)
		}
		samples[k] = s
	}
	return samples, askTogether(c, "sorted", samples)
}

// askTogether asks samples whose second factors are all 1, and fills in their
// results. Lanes share a call.
func askTogether(c *ask.Channel, step string, samples []ask.Sample) error {
	fills := make([]ask.Fill, len(samples))
	for k := range samples {
		fills[k] = ask.Values(samples[k].X)
	}
	c.ExpectQuestions(step, len(fills))
	out, err := c.Ask(ones(c), fills...)
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
