package proof

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
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
	order, ok := chainOrder(t)
	if !ok || c.N < minCompensated {
		return false
	}
	for _, acc := range ask.Accumulators(c.Key) {
		var all, inexact tally
		for k := range samples {
			s := &samples[k]
			if s.Out-s.Out != 0 {
				continue
			}
			sum := c.Key.Out.Round(kahan(acc, c.Key.DType, order, s), fp.NearestEven)
			same := ask.SameBits(sum, s.Out) || sum == 0 && s.Out == 0
			all.add(same)
			if sum != exactSum(c, s) {
				inexact.add(same)
			}
		}
		if all.tried > 0 && all.mostly() && inexact.tried >= 3 && inexact.mostly() {
			return true
		}
	}
	return false
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

// kahan is compensated summation (Kahan, 1965) in the format acc.
//
// References:
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
func kahan(acc, in fp.Format, order []int, s *ask.Sample) float64 {
	sub := func(a, b float64) float64 { return acc.Add(a, -b, fp.NearestEven) }
	var sum, carry float64
	for _, i := range order {
		v := s.X[i]
		if s.Y != nil {
			v = in.Mul(v, s.Y[i], fp.NearestEven)
		}
		v = sub(v, carry)
		t := acc.Add(sum, v, fp.NearestEven)
		carry = sub(sub(t, sum), v)
		sum = t
	}
	return sum
}
