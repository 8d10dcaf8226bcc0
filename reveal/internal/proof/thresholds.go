package proof

import (
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of askThresholds: nodes of one arithmetic, of as many summands as
// are asked often, and of more.
const (
	maxThresholds     = 6
	maxThresholdsMany = 2
)

// askThresholds asks additions of each arithmetic that a node may have for the
// smallest sum that two summands leave, for the largest subnormal one, and for
// the least normal number: a threshold below which sums are flushed, other than
// the format's, shows in one of them. It asks nothing where a call has many
// lanes and all nodes have one arithmetic.
func (x *deviator) askThresholds() error {
	kinds := arithmeticOf(x.t, &x.a)
	if x.c.Key.Op.Positive() || x.c.Lanes() > 1 && len(x.a.Except) == 0 {
		return nil
	}
	most := maxThresholds
	if x.c.N > maxAskedOften {
		most = maxThresholdsMany
	}
	asked := make([]int, len(x.a.Except)+1)
	for _, k := range x.rng.Perm(x.t.Inner()) {
		id := x.t.Leaves() + k
		if asked[kinds[k]] == most || len(x.t.Children(id)) > 2 {
			continue
		}
		shown := false
		for size := range 3 {
			s, ok := x.threshold(id, size)
			if !ok {
				continue
			}
			shown = true
			if err := x.askOne(s); err != nil {
				return err
			}
		}
		if shown {
			asked[kinds[k]]++
		}
	}
	return nil
}

// arithmeticOf returns the arithmetic of every inner node: 0 for the rule, k
// for the last exception that holds, counted from 1.
func arithmeticOf(t *sumtree.Tree, a *sumtree.Arithmetic) []int {
	kinds := make([]int, t.Inner())
	for k := range kinds {
		for e := range a.Except {
			if a.Except[e].Inner.Contains(k) {
				kinds[k] = e + 1
			}
		}
	}
	return kinds
}

// threshold returns an input with a sum of a size at a node, whose flushing
// shows in the result if that is subnormal: the difference of two summands,
// which a third one of the least normal number takes up.
func (x *deviator) threshold(id, size int) (s ask.Sample, ok bool) {
	in := x.c.Key.DType
	least := in.MinNormal()
	first := []float64{in.NextUp(least), in.NextDown(2 * least), 2 * least}[size]
	s = ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N)}
	if x.c.Key.Op.Products() {
		s.Y = ask.Ones(x.c.N)
	}
	i, j := x.pair(id)
	s.X[i], s.X[j] = first, -least
	if l, some := x.outside(id); some {
		s.X[l] = least
	}
	if size == 2 {
		return s, true
	}
	left := make([]sumtree.Deviation, x.t.Nodes())
	left[id] = sumtree.Flushes
	out, err := x.found.Remove(left, s.X, s.Y)
	return s, err == nil && left[id] != sumtree.Flushes && !math.IsNaN(out)
}
