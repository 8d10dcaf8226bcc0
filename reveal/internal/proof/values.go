package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// SignsMatter looks for masks and counts of other signs and sizes whose result
// the certified tree does not predict: then the order depends on the values.
// Rounding plays no part in it.
func (m *Mismatch) SignsMatter(c *ask.Channel) (*verdict.Fact, error) {
	return m.vary(c, variation{
		step: "variations", reason: verdict.SignsMatter, signed: true,
		what: "counts of other signs, or masks of another size, are added in another order",
		change: func(k int, s *ask.Structure) {
			for i := range s.Weights {
				if c.Rand.IntN(2) == 0 {
					s.Weights[i] = -s.Weights[i]
				}
			}
			if k%3 == 0 {
				s.Plus, s.Minus = s.Minus, s.Plus
			}
			s.Exp -= c.Rand.IntN(1 + max(0, s.Exp-90)/2)
		},
	})
}

// ZerosMatter looks for zeros among masks and counts such that the certified
// tree does not predict the result: an implementation that drops zeros adds the
// others in another order. A zero leaf changes no count in any fixed tree, so a
// target that skips zeros and keeps its order (gonum's gemm) passes. It asks
// only when the closest arithmetic misses a sample that has zeros. When that
// arithmetic reproduces every sample without zeros, and every sample with fewer
// than three other summands, which all orders add alike, an experiment with
// zeros is witness enough.
func (m *Mismatch) ZerosMatter(c *ask.Channel) (*verdict.Fact, error) {
	const what = "zeros among the summands change the order of the others"
	missed, others := m.missesZeros(c.Key.Out)
	if !missed {
		return nil, nil
	}
	f, err := m.vary(c, variation{
		step: "zeros", reason: verdict.ZerosMatter, what: what,
		change: func(_ int, s *ask.Structure) {
			for i := range s.Weights {
				if c.Rand.IntN(2) == 0 {
					s.Weights[i] = 0
				}
			}
		},
	})
	if f != nil || err != nil || others {
		return f, err
	}
	d := newPropertyDrawer(c, m.Tree, m.Closest)
	if d == nil {
		return nil, nil
	}
	with, err := experiment(m, c, d, someZero())
	if with == nil || err != nil {
		return nil, err
	}
	return m.fact(verdict.ZerosMatter, what), nil
}

// someZero returns the property that some summands are zero.
func someZero() property {
	isZero := func(x float64) bool { return x == 0 }
	return property{where: "where some summands are zero",
		holds: func(v []float64) bool { return slices.ContainsFunc(v, isZero) },
		shape: func(d *propertyDrawer, v []float64) {
			d.signs(v)
			for _, i := range d.rng.Perm(len(v))[:1+d.rng.IntN(len(v)/2)] {
				v[i] = 0
			}
		},
		spoil: func(d *propertyDrawer, v []float64) {
			for i := range v {
				if isZero(v[i]) {
					v[i] = d.magnitude()
				}
			}
		}}
}

// missesZeros reports whether the closest arithmetic misses a sample with a
// zero among its summands, and whether it misses any other: one without zeros,
// one of less than three other summands, which all orders add alike, or one
// whose result is at an end of the format.
func (m *Mismatch) missesZeros(out fp.Format) (zeros, others bool) {
	for k, s := range m.Samples {
		if matches(m.Tree, m.Closest, m.Samples[k:k+1]) {
			continue
		}
		size := math.Abs(s.Out)
		ordinary := size >= out.MinNormal() && size < out.Max()/2
		if slices.Contains(s.X, 0) && countNonzero(s.X) > 2 && ordinary {
			zeros = true
		} else {
			others = true
		}
	}
	return zeros, others
}

// countNonzero returns the number of values that are not zero.
func countNonzero(x []float64) (n int) {
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}

// variation is a way to change structures that no fixed tree notices.
type variation struct {
	step   string
	what   string // the meaning of an output that the tree does not predict
	reason verdict.Reason
	signed bool // counts may be negative
	change func(k int, s *ask.Structure)
}

// variations is the number of structures that vary tries.
const variations = 24

// vary looks for a changed structure whose count the tree does not predict.
func (m *Mismatch) vary(c *ask.Channel, v variation) (*verdict.Fact, error) {
	if c.N < 3 {
		return nil, nil
	}
	r, err := sumtree.NewReplayer(m.Tree, maskedArithmetic(m.Tree))
	if err != nil {
		return nil, err
	}
	c.Expect(v.step, variations)
	for k := range variations {
		s := c.Inputs.Structure(k%2 == 1)
		v.change(k, &s)
		out, err := c.AskMain(nil, s.Input(c))
		if err != nil {
			return nil, err
		}
		count, err := r.Sum(s.Logical(), nil)
		if err != nil {
			return nil, err
		}
		if v.signed && c.Key.Mean {
			continue // the quotient of a negative count is not read back
		}
		if isCount(c, out[0], count) {
			continue
		}
		want := c.Scale.Output(count)
		return &verdict.Fact{Reason: v.reason, What: v.what,
			Witness: c.Witness(v.what, nil, s.Input(c), out, &want)}, nil
	}
	return nil, nil
}

// isCount reports whether out represents count, which may be negative unless
// the result is a mean.
func isCount(c *ask.Channel, out, count float64) bool {
	if c.Key.Mean {
		n, ok := c.Scale.Count(out)
		return ok && n == count
	}
	return out == c.Scale.Output(count)
}
