package proof

import (
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxOverflows is the largest number of summands whose additions are each asked
// for a sum that overflows.
const maxOverflows = 1 << 7

// askOverflows asks each addition for two summands whose sum overflows, or
// would in a shorter accumulator, all others being zero or taking it away
// again; and each product for factors whose product overflows. An addition, or
// a product, that returns the largest number in place of an infinity shows in
// that input only.
func (x *deviator) askOverflows() error {
	if x.c.N > maxOverflows || x.c.Key.Op.Positive() {
		return nil
	}
	var samples []ask.Sample
	for id := x.t.Leaves(); id < x.t.Nodes(); id++ {
		if len(x.t.Children(id)) > 2 {
			continue
		}
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: ones(x.c)}
		i, j := x.pair(id)
		s.X[i], s.X[j] = x.c.Key.DType.Max(), x.c.Key.DType.Max()
		left := make([]sumtree.Deviation, x.t.Nodes())
		left[id] = sumtree.Saturates
		if _, err := x.found.Remove(left, s.X, s.Y); err != nil {
			return err
		}
		if left[id] != 0 { // a wide accumulator, whose sum becomes finite again
			l, ok := x.outside(id)
			if !ok {
				continue
			}
			s.X[l] = -x.c.Key.DType.Max()
		}
		samples = append(samples, s)
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

// askOverflowingProducts asks each product for factors whose product overflows.
func (x *deviator) askOverflowingProducts() error {
	large := math.Ldexp(1, x.c.Key.DType.MaxExp()*3/4)
	for i := range x.c.N {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: ones(x.c)}
		s.X[i], s.Y[i] = large, large
		if err := x.askOne(s); err != nil {
			return err
		}
	}
	return nil
}
