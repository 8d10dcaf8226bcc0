package proof

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxSwapped bounds the inputs that AskSwapped asks.
const maxSwapped = 12

// AskSwapped asks which of two products that meet first is fused: x·y + fl(u·v)
// and fl(x·y) + u·v are both so close to the exact sum that most inputs give
// one result for both. In each pair the product that is said to be rounded is
// added to its own rounded negative, which is exact, and leaves its rounding
// error where it is fused. Pairs share an input: each is so much smaller than
// the one before that it does not hide its error.
func AskSwapped(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	in := c.Key.DType
	precision := a.Nodes.Acc.Precision()
	if !a.Products || a.Squares || a.FMA == sumtree.FMANone || precision >= 2*in.Precision() ||
		a.Significand != 0 || c.N > maxDeviating {
		return nil, nil
	}
	rng, fused := ask.RandApart(c, "swapped"), a.FusedLeaves(t)
	var samples []ask.Sample
	exp := in.MinExp()
	pairs := leafPairs(t)
	rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for _, p := range pairs {
		i, j := p[0], p[1]
		if fused[i] == fused[j] {
			continue
		}
		if fused[j] {
			i, j = j, i
		}
		if exp -= precision + 2; exp < in.MinExp()+2*precision {
			if len(samples) == maxSwapped {
				break
			}
			exp = in.MaxExp() / 2
			samples = append(samples, ask.Sample{Kind: ask.Edge, X: make([]float64, c.N),
				Y: ask.Ones(c.N)})
		}
		s := &samples[len(samples)-1]
		for range maxTries {
			s.X[j] = in.Round(math.Ldexp(1+rng.Float64(), exp), fp.TowardZero)
			s.Y[j] = in.Round(1+rng.Float64(), fp.TowardZero)
			s.X[i] = -in.Mul(s.X[j], s.Y[j], fp.NearestEven)
			if math.FMA(s.X[j], s.Y[j], s.X[i]) != 0 {
				break
			}
		}
	}
	c.Expect("rounding", len(samples))
	return samples, ask.AskSamples(c, samples)
}

// maxBeyond bounds the additions that askBeyond asks.
const maxBeyond = 12

// askBeyond asks sums in a format wider than binary64 for the direction that
// they are rounded in: 1 and a number below its last place, or their negatives,
// with −1 or 1 added later. Ordinary numbers seldom fill so wide a format. Two
// sums are about halfway between two results, and are rounded twice.
func askBeyond(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	if a.Significand == 0 || c.N < 2 || t.MaxArity() > 2 || c.Key.Op.Positive() || c.Key.Mean ||
		len(a.Weights) > 0 {
		return nil, nil
	}
	rng, parent := ask.RandApart(c, "beyond"), t.Parents()
	order, lo, hi := t.LeafOrder()
	under := func(id int32) int { return int(order[int(lo[id])+rng.IntN(int(hi[id]-lo[id]))]) }
	var samples []ask.Sample
	for _, k := range rng.Perm(t.Inner() - 1)[:min(maxBeyond, t.Inner()-1)] {
		id := int32(t.Leaves() + k)
		kids, others := t.Children(int(id)), t.Children(int(parent[id]))
		sibling := others[0]
		if sibling == id {
			sibling = others[1]
		}
		big := math.Copysign(1, rng.Float64()-0.5)
		small := math.Copysign(math.Ldexp(1.5, -a.Significand-1-rng.IntN(2)), rng.Float64()-0.5)
		if !c.Key.DType.Contains(small) {
			continue
		}
		at := rng.IntN(2)
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ones(c)}
		s.X[under(kids[at])], s.X[under(kids[1-at])], s.X[under(sibling)] = big, small, -big
		samples = append(samples, s)
	}
	kids, tie := t.Children(t.Root()), math.Ldexp(1, -c.Key.Out.Precision())
	for _, sign := range []float64{1, -1} {
		small := tie + math.Ldexp(sign, -a.Significand-4)
		if c.Key.DType.Contains(small) {
			s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ones(c)}
			s.X[under(kids[0])], s.X[under(kids[1])] = 1, small
			samples = append(samples, s)
		}
	}
	c.Expect("rounding", len(samples))
	return samples, ask.AskSamples(c, samples)
}
