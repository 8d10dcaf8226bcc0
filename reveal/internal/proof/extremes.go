package proof

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// AskExtremes asks for sums of squares at the edges of the formats. An
// implementation that scales its summands by a power of two differs from the
// plain one only there: in the plain one, squares overflow or underflow.
func AskExtremes(c *ask.Channel) ([]ask.Sample, error) {
	if !c.Key.Op.Squares() || c.N > maxEdges {
		return nil, nil
	}
	rng := ask.RandApart(c, "extre")
	var samples []ask.Sample
	var fills []ask.Fill
	for _, size := range extremes(c) {
		for _, x := range [][]float64{oneOf(c, rng, size), allOf(c, rng, size)} {
			samples = append(samples, ask.Sample{Kind: ask.Edge, X: x})
			fills = append(fills, ask.Values(x))
		}
	}
	c.ExpectQuestions("edges", len(fills))
	out, err := c.Ask(nil, fills...)
	for k := range out {
		samples[k].Out = out[k]
	}
	return samples, err
}

// nearBoundary is the number of samples that AskNear asks.
const nearBoundary = 64

// AskNear asks for sums of squares whose short results are very close to a
// rounding boundary. There are none where results are not short.
func AskNear(c *ask.Channel) ([]ask.Sample, error) {
	if !ask.IsShort(c) || !c.Key.Op.Squares() || c.N > maxEdges {
		return nil, nil
	}
	var samples []ask.Sample
	var fills []ask.Fill
	for range nearBoundary {
		s := ask.NearBoundary(c)
		samples, fills = append(samples, s), append(fills, ask.Values(s.X))
	}
	c.ExpectQuestions("replay", len(fills))
	out, err := c.Ask(nil, fills...)
	for k := range out {
		samples[k].Out = out[k]
	}
	return samples, err
}

// extremes returns the magnitudes of inputs that are subnormal or nearly
// infinite, or whose squares are in one of the formats that sums may be held
// in; and for sums of squares infinity, and sizes whose root of all squares is
// finite, which an accumulator of a wider range holds. A norm is asked for
// zeros, and for mean squares about as large as an ε that may be added to them,
// or to their root.
func extremes(c *ask.Channel) []float64 {
	in := c.Key.DType
	sizes := []float64{in.Smallest(), in.MinNormal() / 2, in.MinNormal(), in.Max() / 2}
	if c.Key.Op == probe.SumSq {
		large := in.Max() / 4 / math.Sqrt(float64(c.N)) // all may have it
		sizes = append(sizes, math.Inf(1), large, large, math.Ldexp(large, -in.Precision()/2))
	}
	for _, f := range append(ask.Accumulators(c.Key), c.Key.Out) {
		for _, square := range []float64{f.MinNormal(), f.Smallest(), f.Max()} {
			root := math.Sqrt(square)
			sizes = append(sizes, root/4, root, 2*root)
		}
	}
	fit := sizes[:0]
	for _, v := range sizes {
		if v >= in.Smallest() && (v <= in.Max() || math.IsInf(v, 1)) {
			fit = append(fit, v)
		}
	}
	if c.Key.Op == probe.RMSNorm {
		fit = append(fit, 0)
		for _, eps := range epsilons {
			fit = append(fit, math.Sqrt(eps), 3*math.Sqrt(eps))
		}
	}
	return fit
}

// epsilons are sizes of the ε of norms.
var epsilons = []float64{1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12}

// oneOf returns an input of one summand of a size.
func oneOf(c *ask.Channel, rng *rand.Rand, size float64) []float64 {
	x := make([]float64, c.N)
	x[rng.IntN(c.N)] = near(c, rng, size)
	return x
}

// allOf returns an input of summands of a size.
func allOf(c *ask.Channel, rng *rand.Rand, size float64) []float64 {
	x := make([]float64, c.N)
	for i := range x {
		x[i] = near(c, rng, size)
	}
	return x
}

// near returns a random input of the size, of either sign.
func near(c *ask.Channel, rng *rand.Rand, size float64) float64 {
	v := c.Key.DType.Round(size*(0.5+float64(0.5*rng.Float64())), fp.NearestEven)
	if rng.IntN(2) == 0 {
		return -v
	}
	return v
}
