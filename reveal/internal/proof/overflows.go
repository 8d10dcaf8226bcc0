package proof

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxOverflows is the largest number of summands whose additions are each asked
// for a sum that overflows.
const maxOverflows = 1 << 7

// askOverflows asks each addition for two summands whose sum overflows, all
// others being zero: an addition that returns the largest number in place of an
// infinity shows in that input only.
func (x *deviator) askOverflows() error {
	if x.c.N <= maxEachNode || x.c.N > maxOverflows || x.c.Key.Op.Positive() {
		return nil
	}
	var samples []ask.Sample
	for id := x.t.Leaves(); id < x.t.Nodes(); id++ {
		if len(x.t.Children(id)) > 2 {
			continue
		}
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: ones(x.c)}
		i, j := x.pair(id)
		s.X[i], s.X[j] = x.c.Key.DType.Max(), x.c.Key.DType.Max()
		left := make([]sumtree.Deviation, x.t.Nodes())
		left[id] = sumtree.Saturates
		if _, err := x.found.Remove(left, s.X, s.Y); err == nil && left[id] == 0 {
			samples = append(samples, s)
		}
	}
	if len(samples) == 0 {
		return nil
	}
	fills := make([]ask.Fill, len(samples))
	for k := range samples {
		fills[k] = ask.Values(samples[k].X)
	}
	x.c.ExpectQuestions("overflow", len(fills))
	out, err := x.c.Ask(ones(x.c), fills...)
	for k := range out {
		samples[k].Out, samples[k].Elsewhere = out[k], k%len(x.c.Pool()) > 0
	}
	x.asked = append(x.asked, samples[:len(out)]...)
	return err
}
