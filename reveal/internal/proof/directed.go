package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// The largest numbers of pairs that Directed asks, of pairs that it chooses
// from, and of summands that it asks all pairs of.
const (
	maxDirected = 1 << 10
	maxSearched = 1 << 14
	maxAllPairs = 1 << 4
)

// Directed returns the fact TowardZero if some addition of two summands, all
// others being zero, moves a large one by a tiny one: it rounds toward zero, up
// or down, or the result does when it is converted. A mask that absorbs a count
// moves there. So where counts contradict each other, read as remainders or
// not, they prove nothing about the order.
func Directed(c *ask.Channel) (*verdict.Fact, error) {
	large, tiny, ok := absorbed(c)
	if !ok || c.N < 2 || c.Key.Op.Positive() || c.Key.Mean {
		return nil, nil
	}
	// The first shows sums rounded toward zero or down, the other one up.
	signs := [][2]float64{{large, -tiny}, {-large, tiny}}
	var fills []ask.Fill
	pairs := directedPairs(c)
	for _, p := range pairs {
		for _, v := range signs {
			fills = append(fills, func(row []float64) { row[p.A], row[p.B] = v[0], v[1] })
		}
	}
	c.ExpectQuestions("rounding", len(fills))
	out, err := c.Ask(nil, fills...)
	if err != nil {
		return nil, err
	}
	for k, o := range out {
		want := signs[k%len(signs)][0]
		if o == want || math.Abs(o-want) > math.Abs(want)/4 {
			continue // absorbed, or lost in another way than by rounding
		}
		p := pairs[k/len(signs)]
		alone, err := c.AskMain(ones(c), func(row []float64) { row[p.A] = want })
		if err != nil {
			return nil, err
		}
		if alone[0] != want {
			continue // scaled
		}
		const what = "an addition rounds in one direction: " +
			"a large summand moves when a tiny one is added to it"
		return &verdict.Fact{Reason: verdict.TowardZero, What: what,
			Witness: c.Witness(what, ones(c), fills[k], out[k:k+1], &want)}, nil
	}
	return nil, nil
}

// DirectedSquares returns the fact TowardZero if a sum of two squares, one far
// below the last place of the other, is not the other one: it is rounded up.
// The large one is 2.25: one last place more is two thirds of one of its root.
func DirectedSquares(c *ask.Channel) (*verdict.Fact, error) {
	if c.N < 2 || c.Key.Op != probe.SumSq || c.Key.Mean {
		return nil, nil
	}
	in := c.Key.DType
	large, tiny := 1.5, math.Ldexp(1, max(in.MinExp()/2, -40))
	pair := func(a, b float64) ask.Fill {
		return func(row []float64) { row[0], row[c.N-1] = a, b }
	}
	out, err := c.AskMain(nil, pair(large, 0), pair(large, tiny), pair(0, large),
		pair(tiny, large))
	if err != nil {
		return nil, err
	}
	for k := 0; k < len(out); k += 2 {
		alone, both := out[k], out[k+1]
		if both == alone || !(both > alone && both < alone*(1+0x1p-7)) {
			continue
		}
		const what = "a square far below the last place of another one changes it: " +
			"additions are rounded up"
		return &verdict.Fact{Reason: verdict.TowardZero, What: what,
			Witness: c.Witness(what, nil, pair(tiny, large), out[3:], &out[2])}, nil
	}
	return nil, nil
}

// ones returns second factors of 1, nil for sums.
func ones(c *ask.Channel) []float64 {
	if !c.Key.Op.Products() {
		return nil
	}
	return ask.Ones(c.N)
}

// absorbed returns a power of two and a tiny one that the widest format of sums
// holds no bit of beside it, or where the format of summands has no room for
// both, the format of results. ok is false where it has none for these either.
func absorbed(c *ask.Channel) (large, tiny float64, ok bool) {
	widest := 0
	for _, f := range ask.Accumulators(c.Key) {
		widest = max(widest, f.Precision())
	}
	in := c.Key.DType
	top := in.MaxExp() / 2
	if in.MaxExp() < 64 {
		top = in.MaxExp() - 1
	}
	const apart = 8
	low, least := top-widest-apart, in.MinExp()-in.Precision()+1
	if low < least {
		low = top - c.Key.Out.Precision() - apart
	}
	return math.Ldexp(1, top), math.Ldexp(1, low), low >= least
}

// directedPairs returns pairs of summands that meet in all additions of a few
// summands: all pairs; of more the first with each other, and summands a power
// of two apart, as the lanes of vectors and blocks are; of many some.
func directedPairs(c *ask.Channel) []ask.Pair {
	var all []ask.Pair
	for i := range c.N {
		for j := i + 1; j < c.N; j++ {
			if apart := j - i; i == 0 || apart&(apart-1) == 0 || c.N <= maxAllPairs {
				all = append(all, ask.Pair{A: i, B: j})
			}
		}
		if len(all) > maxSearched {
			break
		}
	}
	step := (len(all) + maxDirected - 1) / maxDirected
	some := all[:0]
	for k := 0; k < len(all); k += step {
		some = append(some, all[k])
	}
	return slices.Clip(some)
}
