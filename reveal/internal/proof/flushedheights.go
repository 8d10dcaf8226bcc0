package proof

import "github.com/lastbit/lastbit/reveal/internal/ask"

// askFlushedHeights asks for sums that are flushed to −0, all of one height at
// once, while all other summands are −0 or flushed to it. Where +0 is added to
// one of them, as to the sum of a lane whose partner has no summands, the
// result is +0. Of a few summands search asks this of each sum.
func askFlushedHeights(x *deviator) error {
	if !x.a.FTZ || x.c.N > maxOverflows || x.c.N <= maxEachNode || x.c.Key.Op.Positive() {
		return nil
	}
	least := x.c.Key.DType.MinNormal()
	heights, plus := x.t.Heights(), endsPlus(x)
	samples := make([]ask.Sample, heights[x.t.Root()])
	for h := range samples {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: ones(x.c)}
		for i := range s.X {
			s.X[i] = minusZero
			if x.a.Products {
				s.X[i], s.Y[i] = -least, least
			}
		}
		samples[h] = s
	}
	for id := x.t.Leaves(); id < x.t.Nodes(); id++ {
		if plus[id] {
			continue
		}
		i, j := x.pair(id)
		s := &samples[heights[id]-1]
		s.X[i], s.X[j] = -1.5*least, 1.25*least
		if x.a.Products {
			s.Y[i], s.Y[j] = 1, 1
		}
	}
	x.c.Expect("subnormals", len(samples))
	for _, s := range samples {
		if err := x.askOne(s); err != nil {
			return err
		}
	}
	return nil
}

// endsPlus returns the nodes whose sum adds +0, or is part of one that does: of
// these no result shows a −0.
func endsPlus(x *deviator) []bool {
	plus := make([]bool, x.t.Nodes())
	for id := x.t.Nodes() - 1; id >= x.t.Leaves(); id-- {
		arith := x.a.Nodes
		for _, e := range x.a.Except {
			if e.Inner.Contains(id - x.t.Leaves()) {
				arith = e.Arith
			}
		}
		plus[id] = plus[id] || arith.PlusZero
		for _, kid := range x.t.Children(id) {
			plus[kid] = plus[id]
		}
	}
	return plus
}
