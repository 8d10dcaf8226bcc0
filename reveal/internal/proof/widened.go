package proof

import (
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// maxWidth is the largest accumulator that IsWidened tries, in bits.
const maxWidth = 128

// IsWidened reports whether an accumulator of some width, along the certified
// tree, gives all results of moderate size. Then results that no arithmetic
// known here gives are no evidence of another order: a wide accumulator often
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
	in := c.Key.DType
	top := in.MaxExp() - 4
	if c.N < 3 || top-apart < in.MinExp() || c.Key.Op.Positive() || c.Key.Mean {
		return nil, nil
	}
	mask, speck := math.Ldexp(1, top), math.Ldexp(1, top-apart)
	i, j, l := 0, c.N/2, c.N-1
	for _, q := range [][3]int{{i, j, l}, {i, l, j}, {j, l, i}} {
		out, err := c.AskMain(nil, func(row []float64) {
			row[q[0]], row[q[1]], row[q[2]] = mask, -mask, speck
		})
		if err != nil || out[0] != speck {
			return nil, err
		}
	}
	return &verdict.Fact{Reason: verdict.NotRoundedWide,
		What: "the accumulator is wider than masks can show"}, nil
}
