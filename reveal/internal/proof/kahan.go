package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// minCompensated is the least n at which Kahan's results can be distinguished
// from the results of an accumulator a few bits wider.
const minCompensated = 8

// Compensates reports whether Kahan's summation in the order of the tree, a
// chain, gives the results of the samples: nine of ten, and nine of ten of
// those that are not correctly rounded, which a wider accumulator would not
// reproduce.
func Compensates(c *ask.Channel, t *sumtree.Tree, samples []ask.Sample) bool {
	return compensation(c, t, samples) != nil
}

// compensation returns Kahan's summation in the order of the tree, if
// Compensates does, or nil.
func compensation(c *ask.Channel, t *sumtree.Tree, samples []ask.Sample) *kahanChain {
	order, ok := chainOrder(t)
	if !ok || c.N < minCompensated {
		return nil
	}
	for _, acc := range ask.Accumulators(c.Key) {
		k := &kahanChain{acc: acc, key: c.Key, order: order}
		var all, inexact tally
		for i := range samples {
			s := &samples[i]
			if s.Out-s.Out != 0 {
				continue
			}
			sum := k.result(s)
			same := isSame(sum, s.Out)
			all.add(same)
			if sum != exactSum(c, s) {
				inexact.add(same)
			}
		}
		if all.tried > 0 && all.mostly() && inexact.tried >= 3 && inexact.mostly() {
			return k
		}
	}
	return nil
}

// tally counts trials and hits.
type tally struct{ tried, hit int }

func (t *tally) add(hit bool) {
	t.tried++
	if hit {
		t.hit++
	}
}

// mostly reports whether nine of ten trials were hits.
func (t *tally) mostly() bool { return 10*t.hit >= 9*t.tried }

// chainOrder returns the leaves of a chain in the order that they are added in.
func chainOrder(t *sumtree.Tree) ([]int, bool) {
	order := make([]int, 0, t.Leaves())
	id := t.Root()
	for !t.IsLeaf(id) {
		kids := t.Children(id)
		a, b := int(kids[0]), int(kids[1])
		if len(kids) != 2 || !t.IsLeaf(a) && !t.IsLeaf(b) {
			return nil, false
		}
		if !t.IsLeaf(b) {
			a, b = b, a
		}
		order = append(order, b)
		id = a
	}
	order = append(order, id)
	slices.Reverse(order)
	return order, true
}

// kahanChain is compensated summation (Kahan, 1965) in the format acc. With
// added, the last rounding error is taken off the sum.
//
// References:
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
type kahanChain struct {
	acc   fp.Format
	key   probe.Key
	order []int
	added bool
}

// result returns the sum in the format of the output.
func (k *kahanChain) result(s *ask.Sample) float64 {
	sub := func(a, b float64) float64 { return k.acc.Add(a, -b, fp.NearestEven) }
	var sum, carry float64
	for _, i := range k.order {
		v := s.X[i]
		if s.Y != nil {
			v = k.key.DType.Mul(v, s.Y[i], fp.NearestEven)
		}
		v = sub(v, carry)
		t := k.acc.Add(sum, v, fp.NearestEven)
		carry = sub(sub(t, sum), v)
		sum = t
	}
	if k.added {
		sum = sub(sum, carry)
	}
	return k.key.Out.Round(sum, fp.NearestEven)
}

// isSame reports whether two results have the same bits, or are zeros.
func isSame(a, b float64) bool { return ask.SameBits(a, b) || a == 0 && b == 0 }

// Few summands seldom distinguish Kahan's summation from a sum that keeps a few
// bits more. So sums of 3 to 7 are taken for Kahan's only if it gives every
// result. compensatedAsks inputs are asked that a plain sum rounds to another
// number, and lostAsks inputs that lose their first summand, as no wider
// accumulator does.
const (
	compensatedAsks     = 12
	lostAsks            = 20
	maxLostGap          = 24 // binades below the last place
	maxLostTop          = 40 // exponent of what loses it
	maxCompensatedDraws = 1 << 12
)

// IsCompensated reports whether the samples are results of Kahan's summation in
// the order of the tree. It asks more inputs of few summands.
func IsCompensated(c *ask.Channel, t *sumtree.Tree, samples []ask.Sample) (bool, error) {
	k, err := compensationAsked(c, t, samples)
	return k != nil, err
}

// compensationAsked returns Kahan's summation in the order of the tree if the
// samples are its results, or nil. It asks more inputs of few summands.
func compensationAsked(
	c *ask.Channel, t *sumtree.Tree, samples []ask.Sample,
) (*kahanChain, error) {
	if c.N >= minCompensated {
		return compensation(c, t, samples), nil
	}
	order, ok := chainOrder(t)
	if !ok || c.N < 3 || c.Key.Mean {
		return nil, nil
	}
	for _, acc := range ask.Accumulators(c.Key) {
		for _, added := range []bool{false, true} {
			k := &kahanChain{acc: acc, key: c.Key, order: order, added: added}
			if !k.gives(samples) {
				continue
			}
			more, err := k.askMore(c, t)
			if err != nil {
				return nil, err
			}
			if more != nil && k.gives(more) {
				return k, nil
			}
		}
	}
	return nil, nil
}

// gives reports whether it gives all results that are finite.
func (k *kahanChain) gives(samples []ask.Sample) bool {
	for i := range samples {
		s := &samples[i]
		if sum := k.result(s); s.Out-s.Out == 0 && sum-sum == 0 && sum != s.Out {
			return false
		}
	}
	return true
}

// askMore asks inputs that decide, in random order of sizes. It returns none
// where there are too few.
func (k *kahanChain) askMore(c *ask.Channel, t *sumtree.Tree) ([]ask.Sample, error) {
	plain := baseArithmetic(c)
	plain.Nodes.Acc = k.acc
	r, err := sumtree.NewReplayer(t, plain)
	if err != nil {
		return nil, nil
	}
	in := ask.InputsApart(c, "kahan")
	kinds := ask.ReplayKinds()
	var more []ask.Sample
	for draw := 0; draw < maxCompensatedDraws && len(more) < compensatedAsks; draw++ {
		s := in.Sample(kinds[draw%len(kinds)], ask.NewShape(t), in.SecondFactors())
		other, err := r.Sum(s.X, s.Y)
		if sum := k.result(&s); err == nil && sum-sum == 0 && sum != k.key.Out.Round(other,
			fp.NearestEven) {
			more = append(more, s)
		}
	}
	top := min(k.key.DType.MaxExp()-1, maxLostTop)
	room := top - math.Ilogb(k.key.DType.Smallest()) - k.acc.Precision() - 2
	if len(more) < compensatedAsks || room < 1 {
		return nil, nil
	}
	rng := ask.RandApart(c, "drift")
	for range lostAsks {
		gap := k.acc.Precision() + 2 + rng.IntN(min(room, maxLostGap))
		more = append(more, k.losing(rng, top, gap))
	}
	for i := range more {
		out, err := c.AskMain(more[i].Y, ask.Values(more[i].X))
		if err != nil {
			return nil, err
		}
		more[i].Out = out[0]
	}
	return more, nil
}

// losing returns an input whose first summand is lost beside the second, gap
// binades above it, which the third cancels: its exact sum is the first.
func (k *kahanChain) losing(rng *rand.Rand, top, gap int) ask.Sample {
	s := ask.Sample{Kind: ask.Sparse, X: make([]float64, len(k.order))}
	if k.key.Op.Products() {
		s.Y = ask.Ones(len(k.order))
	}
	value := func(exp int) float64 {
		return k.key.DType.Round(math.Ldexp(1+rng.Float64(), exp), fp.TowardZero)
	}
	large := value(top)
	s.X[k.order[0]], s.X[k.order[1]], s.X[k.order[2]] = value(top-gap), large, -large
	return s
}
