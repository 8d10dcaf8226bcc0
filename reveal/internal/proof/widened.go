package proof

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/eft"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// maxWidth is the largest accumulator that IsWidened tries, in bits.
const maxWidth = 128

// IsWidened reports whether an accumulator of some width, along the certified
// tree, gives all results of moderate size. Then results that no arithmetic
// known here gives are not evidence of another order: a wide accumulator often
// rounds as if several summands were added at once.
func (m *Mismatch) IsWidened(c *ask.Channel, base sumtree.Arithmetic) bool {
	var moderate []ask.Sample
	for _, s := range m.Samples {
		if s.Kind.IsModerate() {
			moderate = append(moderate, s)
		}
	}
	if len(moderate) < 8 || c.N > maxAlone || c.Key.Mean || c.Key.Op.Positive() {
		return false
	}
	a := base
	a.DAZ, a.FTZ, a.FlushOut, a.Nodes = false, false, false, sumtree.NodeArith{Acc: c.Key.Out}
	for width := c.Key.Out.Precision() + 1; width <= maxWidth; width++ {
		a.Significand, a.Product = width, 0
		if matches(m.Tree, a, moderate) {
			return true
		}
		if a.Product = c.Key.DType; a.Products && matches(m.Tree, a, moderate) {
			return true
		}
	}
	return false
}

// WiderThanMasks returns the fact NotRoundedWide if an accumulator holds a
// summand 2^64 times smaller than a mask in whatever order three of them meet:
// then masks hide counts in part.
func WiderThanMasks(c *ask.Channel) (*verdict.Fact, error) {
	const apart = 64
	holds, err := holdsApart(c, apart)
	if err != nil || !holds {
		return nil, err
	}
	return &verdict.Fact{Reason: verdict.NotRoundedWide,
		What: "the accumulator is wider than masks can show"}, nil
}

// wideTriples is the number of triples that holdsApart asks.
const wideTriples = 24

// holdsApart reports whether a summand 2^apart times smaller than two opposite
// ones is the result, in whatever places the three are and of whatever signs.
func holdsApart(c *ask.Channel, apart int) (bool, error) {
	in := c.Key.DType
	top := in.MaxExp() - 4
	if c.N < 3 || top-apart < in.MinExp() || c.Key.Op.Positive() || c.Key.Mean {
		return false, nil
	}
	rng := ask.RandApart(c, "wider")
	for k := range wideTriples {
		at := rng.Perm(c.N)
		mask, speck := math.Ldexp(1, top), math.Ldexp(1, top-apart)
		if k&1 == 1 {
			mask = -mask
		}
		if k&2 == 2 {
			speck = -speck
		}
		out, err := c.AskMain(nil, func(row []float64) {
			row[at[0]], row[at[1]], row[at[2]] = mask, -mask, speck
		})
		if err != nil || out[0] != speck {
			return false, err
		}
	}
	return true, nil
}

// isFarFromWide reports whether the result of a sample is farther from the
// exact sum than an accumulator of a.Significand bits leads to in any order. It
// takes a hundredth of the time of a replay, and knows sums and exact products.
//
// With p bits, A the sum of all magnitudes and n summands, every sum is off by
// less than n·2^(1−p)·A, and the result by an ULP more, unless it overflows.
// The exact sum is Neumaier's, to within 2^-53 of itself and n²·2^-105·A.
func isFarFromWide(a *sumtree.Arithmetic, s *ask.Sample) bool {
	rounds := a.Products && (a.Product != 0 || a.In == fp.Binary64)
	if a.Significand == 0 || a.After != nil || rounds {
		return false
	}
	var sum, rest, size float64
	y := s.Y
	if a.Squares {
		y = s.X
	}
	for i, v := range s.X {
		if a.Products {
			v = float64(v * y[i])
		}
		var e float64
		sum, e = eft.TwoSum(sum, v)
		rest += e
		size += math.Abs(v)
	}
	n, ulp := float64(len(s.X)), a.Out.ULP(math.Max(math.Abs(sum), math.Abs(s.Out)))
	share := math.Ldexp(n, 2-a.Significand) + math.Ldexp(n*n, -105)
	bound := 2*ulp + float64(size*share)
	return math.Abs(sum) <= a.Out.Max() && math.Abs(s.Out-sum-rest) > bound // false for NaN
}
