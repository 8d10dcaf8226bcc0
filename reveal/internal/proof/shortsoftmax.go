package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Short results of a softmax hide the exponentials, and nearly all roundings of
// the sum. Inputs of a round then have zeros, −∞ and one value v, in numbers
// such that the result is close to a rounding boundary. There are more rounds,
// since the exponential of v, which is not known, takes up some of the evidence
// in each.
const (
	shortRounds  = 12
	shortValues  = 32   // values that a round is chosen from
	shortMixes   = 1024 // numbers of zeros and of v that are tried with each
	mixesOfRound = 4
)

// mix is the numbers of zeros and of v in an input.
type mix struct {
	zeros, others int
	off           float64 // distance from a boundary
}

// shortRound asks samples of the value with the mixes that are closest to a
// boundary, in random places.
func shortRound(c *ask.Channel, size int) (*expRound, error) {
	r := &expRound{}
	var mixes []mix
	for range shortValues {
		v := c.Key.DType.Round(-0.1-float64(9*c.Rand.Float64()), fp.NearestEven)
		if m := bestMixes(c, v); len(mixes) == 0 || total(m) < total(mixes) {
			r.v, mixes = v, m
		}
	}
	fills := make([]ask.Fill, size)
	for k := range fills {
		m := mixes[k%len(mixes)]
		x, summands := make([]float64, c.N), make([]float64, c.N)
		for at, i := range c.Rand.Perm(c.N) {
			switch {
			case at < m.zeros:
				summands[i] = 1
			case at < m.zeros+m.others:
				x[i], summands[i] = r.v, math.NaN()
			default:
				x[i] = math.Inf(-1)
			}
		}
		r.samples = append(r.samples, ask.Sample{Kind: ask.Sparse, X: x})
		r.summands = append(r.summands, summands)
		fills[k] = ask.Values(x)
	}
	out, err := c.Ask(nil, fills...)
	for k, o := range out {
		r.samples[k].Out = o
	}
	return r, err
}

// bestMixes returns the mixes of a value whose results are closest to a
// boundary. Each has a zero, so that no input of the maximum is unknown.
func bestMixes(c *ask.Channel, v float64) []mix {
	e := math.Exp(v) //lastbit:ignore libm inputs need no last bit
	var all []mix
	for range shortMixes {
		m := mix{zeros: 1 + c.Rand.IntN(c.N-1)}
		m.others = 1 + c.Rand.IntN(c.N-m.zeros)
		m.off = ask.FromBoundary(c.Key.Out, e/(float64(m.zeros)+float64(float64(m.others)*e)))
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b mix) int {
		switch {
		case a.off < b.off:
			return -1
		case a.off > b.off:
			return 1
		}
		return a.zeros - b.zeros
	})
	return slices.CompactFunc(all, func(a, b mix) bool {
		return a.zeros == b.zeros && a.others == b.others
	})[:min(mixesOfRound, len(all))]
}

// total returns the sum of the distances.
func total(mixes []mix) float64 {
	sum := 0.0
	for _, m := range mixes {
		sum += m.off
	}
	return sum
}

// roundedExponentials returns the arithmetics with the formats that the
// exponentials may be rounded to: where results are short, the format of the
// inputs and the format of the sums.
func roundedExponentials(c *ask.Channel, all []sumtree.Arithmetic) []sumtree.Arithmetic {
	if !ask.IsShort(c) {
		return all
	}
	var out []sumtree.Arithmetic
	for _, a := range all {
		for _, f := range []fp.Format{fp.Binary32, c.Key.DType} {
			if a.Nodes.Acc.Precision() >= f.Precision() {
				a.In = f
				out = append(out, a)
			}
		}
	}
	return out
}
