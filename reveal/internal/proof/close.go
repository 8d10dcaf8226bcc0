package proof

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// The limits of AskClose: summands, and inputs of few summands, of some, and of
// more. A sum of few close numbers has few roundings that could show another
// way to add.
const (
	maxCloseSum  = 1 << 12
	fewSummands  = 8
	someSummands = 32
	closeOfFew   = 48
	closeOfSome  = 24
	closeOfMany  = 8
)

// AskClose asks for sums of numbers of one sign that are close to each other:
// from within a factor of two to within some last places. Where all summands
// are alike an implementation may add their distances from one of them, or in
// another order, or format.
func AskClose(c *ask.Channel) ([]ask.Sample, error) {
	if c.N < 2 || c.N > maxCloseSum {
		return nil, nil
	}
	count := closeOfMany
	switch {
	case c.N <= fewSummands:
		count = closeOfFew
	case c.N <= someSummands:
		count = closeOfSome
	}
	rng := ask.RandApart(c, "close")
	f := c.Key.DType
	top := min(f.MaxExp(), c.Key.Out.MaxExp()) - bits.Len(uint(c.N)) - 1
	if c.Key.Op.Squares() {
		top = (top - 1) / 2
	}
	samples := make([]ask.Sample, count)
	for k := range samples {
		width := math.Ldexp(1, -k*(f.Precision()-1)/count)
		unit := math.Ldexp(1, min((rng.IntN(17)-8)*rng.IntN(2), top))
		if k%2 == 1 {
			unit = -unit
		}
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ones(c)}
		for i := range s.X {
			s.X[i] = f.Round(unit*(1+float64(width*rng.Float64())), fp.NearestEven)
		}
		samples[k] = s
	}
	return samples, askTogether(c, "close", samples)
}
