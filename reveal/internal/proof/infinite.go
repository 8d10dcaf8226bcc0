package proof

import (
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// infinitePlaces is the number of places that AskInfinite puts infinities in.
const infinitePlaces = 4

// AskInfinite asks for sums of an infinity and other numbers, of two infinities
// that are the same or not, and of the largest numbers: weights and last steps
// show there whether they are applied to each summand.
func AskInfinite(c *ask.Channel) ([]ask.Sample, error) {
	rng := ask.RandApart(c, "inf")
	inf, most := math.Inf(1), c.Key.DType.Max()
	var samples []ask.Sample
	for k := range infinitePlaces {
		i, j := rng.IntN(c.N), rng.IntN(c.N)
		if k%2 == 0 && c.N > 1 {
			i = rng.IntN(c.N - 1)
			j = i + 1
		}
		for _, v := range [][2]float64{{inf, 1}, {-inf, -1}, {inf, -inf}, {inf, inf},
			{most, most}, {-most, most}, {-most, -most / 2}} {
			x := make([]float64, c.N)
			x[i], x[j] = v[0], v[1]
			samples = append(samples, ask.Sample{Kind: ask.Edge, X: x, Y: ones(c)})
		}
	}
	if c.N >= 3 { // sums of neighbours overflow, and no sum of those but one is not 0
		x := make([]float64, c.N)
		x[0], x[1], x[2] = most, most, -most
		for i := 3; i < c.N; i++ {
			x[i] = -x[i-1]
		}
		samples = append(samples, ask.Sample{Kind: ask.Edge, X: x, Y: ones(c)})
	}
	fills := make([]ask.Fill, len(samples))
	for k, s := range samples {
		fills[k] = ask.Values(s.X)
	}
	c.Expect("edges", len(fills))
	out, err := c.AskMain(ones(c), fills...)
	for k := range out {
		samples[k].Out = out[k]
	}
	return samples, err
}
