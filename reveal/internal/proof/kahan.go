package proof

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// minCompensated is the least n at which Kahan's results can be distinguished
// from those of an accumulator a few bits wider.
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

// kahanChain is compensated summation (Kahan, 1965) in the format acc.
//
// References:
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
type kahanChain struct {
	acc   fp.Format
	key   probe.Key
	order []int
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
	return k.key.Out.Round(sum, fp.NearestEven)
}

// isSame reports whether two results have the same bits, or are zeros.
func isSame(a, b float64) bool { return ask.SameBits(a, b) || a == 0 && b == 0 }
