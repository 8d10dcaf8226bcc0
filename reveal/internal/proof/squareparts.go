package proof

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// MixedSquares asks for every leaf whether its square enters its addition
// unrounded. It returns the arithmetics that can be, with a list of these
// leaves instead of a rule. It returns none where a result does not show it.
func MixedSquares(
	c *ask.Channel, t *sumtree.Tree, all []sumtree.Arithmetic,
) ([]sumtree.Arithmetic, error) {
	var out []sumtree.Arithmetic
	fused := map[string]sumtree.Ranges{} // by the function of the sum
	for _, a := range all {
		in := c.Key.DType
		if c.Key.Op != probe.SumSq || c.N < 2 || a.FMA != sumtree.FMANone || a.Product != 0 ||
			a.Nodes.Acc != in || c.Key.Out != in || a.Nodes.Store != 0 {
			continue
		}
		kind := fmt.Sprint(a.Factor, a.Divisor)
		if a.After != nil {
			kind += a.After.String()
		}
		leaves, asked := fused[kind]
		if !asked {
			var err error
			if leaves, err = fusedSquares(c, t, a); err != nil {
				return nil, err
			}
			fused[kind] = leaves
		}
		if leaves != nil {
			a.FMA, a.Fused = sumtree.FMAMixed, leaves
			out = append(out, a)
		}
	}
	return out, nil
}

// fusedSquares returns the leaves whose squares are fused, nil where an output
// is neither of those that a probe expects.
func fusedSquares(c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic) (sumtree.Ranges, error) {
	q, ok := newSquareProbe(c, a)
	if !ok {
		return nil, nil
	}
	order, lo, _ := t.LeafOrder()
	fills := make([]ask.Fill, c.N)
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		for k, leaf := range kids {
			if t.IsLeaf(int(leaf)) {
				other := order[lo[kids[(k+1)%len(kids)]]]
				fills[leaf] = func(row []float64) { row[leaf], row[other] = q.x, q.large }
			}
		}
	}
	c.ExpectQuestions("fusion", len(fills))
	out, err := c.Ask(nil, fills...)
	if err != nil {
		return nil, err
	}
	fused := make([]bool, c.N)
	for i, o := range out {
		fused[i] = ask.SameBits(o, q.fused)
		if !fused[i] && !ask.SameBits(o, q.rounded) {
			return nil, nil
		}
	}
	return sumtree.RangesOf(fused), nil
}

// squareProbe is two inputs whose squares give one result when x² is rounded
// first, and another when it is not: rounded, it makes a tie that goes down,
// and unrounded it is a little more than a tie.
type squareProbe struct {
	large, x       float64
	rounded, fused float64 // results
}

// maxProbeTries bounds the search for x. One in 16 or so will do; formats of 16
// bits have few to choose from.
const maxProbeTries = 1 << 14

// newSquareProbe looks for a probe in the arithmetic a, whose sums are held in
// the input format. The large square is about 0.52 times a power of 4, such
// that even a root shows the last place of the sum, and x² about a sixth of it,
// such that rounding leaves one or two bits below that place.
func newSquareProbe(c *ask.Channel, a sumtree.Arithmetic) (squareProbe, bool) {
	f := a.Nodes.Acc
	m := 2 * math.Round(0.36*math.Ldexp(1, f.Precision()/2))
	large := float64(m * m)
	u := f.ULP(large)
	for range maxProbeTries {
		x := f.Round(m*math.Sqrt(0.125+float64(0.125*c.Rand.Float64())), fp.NearestEven)
		square := f.Mul(x, x, fp.NearestEven)
		low := large + (square - float64(u/2)) // exact where the square ends in half of u
		halves := square / (u / 2)
		if halves != math.Trunc(halves) || math.Mod(halves, 2) != 1 ||
			math.Mod(low/u, 2) != 0 || f.ULP(low) != u || f.ULP(low+u) != u ||
			math.FMA(x, x, -square) <= 0 {
			continue
		}
		q := squareProbe{large: m, x: x, rounded: low, fused: low + u}
		if a.After != nil || a.Factor != 0 || a.Divisor != 0 {
			one := sumtree.NewBuilder(1).MustTree()
			root := sumtree.Arithmetic{In: f, Out: f, Nodes: a.Nodes, After: a.After,
				Factor: a.Factor, Divisor: a.Divisor}
			var err1, err2 error
			q.rounded, err1 = one.Replay(root, []float64{low}, nil)
			q.fused, err2 = one.Replay(root, []float64{low + u}, nil)
			if err1 != nil || err2 != nil || q.rounded == q.fused {
				continue
			}
		}
		return q, true
	}
	return squareProbe{}, false
}
