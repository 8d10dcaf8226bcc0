package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxOverflows is the largest number of summands whose additions are each asked
// for a sum that overflows.
const maxOverflows = 1 << 7

// askOverflows asks each addition for two summands whose sum overflows, or
// would in a shorter accumulator, all others being zero or taking it away
// again; and each product for factors whose product overflows. An addition, a
// product or a conversion that returns the largest number in place of an
// infinity shows in that input only. The last addition is asked for both signs,
// and for the largest number alone, which overflows where summands are scaled.
func (x *deviator) askOverflows() error {
	if x.c.N > maxOverflows || x.c.Key.Op.Positive() {
		return nil
	}
	var samples []ask.Sample
	for id := x.t.Leaves(); id < x.t.Nodes(); id++ {
		if len(x.t.Children(id)) > 2 {
			continue
		}
		some, err := overflowing(x, id)
		if err != nil {
			return err
		}
		samples = append(samples, some...)
	}
	if x.c.Key.Op.Products() && x.c.Lanes() == 1 {
		if err := x.askOverflowingProducts(); err != nil {
			return err
		}
	}
	if len(samples) == 0 {
		return nil
	}
	if err := askTogether(x.c, "overflow", samples); err != nil {
		return err
	}
	x.asked = append(x.asked, samples...)
	return nil
}

// overflowing returns the inputs that askOverflows asks of a node.
func overflowing(x *deviator, id int) ([]ask.Sample, error) {
	large := x.c.Key.DType.Max()
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: ones(x.c)}
	i, j := x.pair(id)
	s.X[i], s.X[j] = large, large
	left := make([]sumtree.Deviation, x.t.Nodes())
	left[id] = sumtree.Saturates
	if _, err := x.found.Remove(left, s.X, s.Y); err != nil {
		return nil, err
	}
	isWide := left[id] != 0 // the sum is finite, and overflows where it is converted
	samples := []ask.Sample{s}
	if id == x.t.Root() {
		minus := s
		minus.X = make([]float64, x.c.N)
		minus.X[i], minus.X[j] = -large, -large
		alone := s
		alone.X = make([]float64, x.c.N)
		alone.X[i] = large
		return append(samples, minus, alone), nil
	}
	if l, ok := x.outside(id); ok && isWide {
		again := s
		again.X = slices.Clone(s.X)
		again.X[l] = -large
		if x.a.Nodes.Store == 0 {
			return []ask.Sample{again}, nil
		}
		samples = append(samples, again)
	}
	return samples, nil
}

// askOverflowingProducts asks each product for factors whose product overflows,
// next to the largest number of the other sign: fused with it, the product is
// finite again.
func (x *deviator) askOverflowingProducts() error {
	f := x.c.Key.DType
	first := math.Ldexp(1, f.MaxExp()/2)
	second := 1.25 * math.Ldexp(1, f.MaxExp()+1-f.MaxExp()/2)
	for i := range x.c.N {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: ones(x.c)}
		s.X[i], s.Y[i] = first, second
		if l, ok := x.outside(i); ok {
			s.X[l] = -f.Max()
		}
		if err := x.askOne(s); err != nil {
			return err
		}
	}
	return nil
}
