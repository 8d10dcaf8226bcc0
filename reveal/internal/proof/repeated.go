package proof

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The inputs of AskRepeated: the number of each kind.
const (
	repeatedSums    = 3
	repeatedLargest = 4
	oppositePlaces  = 3 // where the first of opposite neighbours is, modulo 3
)

// AskRepeated asks for sums that a program which computes more than the tree
// gets wrong, although it seldom shows: (s + x) − x + x is s + x except next to
// some ties, 2x − x is x unless it overflows, and x + y is 0 for opposite
// neighbours, which a program may leave out, unless they absorb what is added
// before. Each input asks many additions at once, and the plain sum of each is
// exact except for these ties. There are none of squares and of fused sums.
func AskRepeated(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	if c.Key.Op.Positive() || c.Key.Mean || t.MaxArity() > 2 || c.N < 2 || c.N > maxCloseSum {
		return nil, nil
	}
	x := cancelling{t: t, size: t.Sizes(), rng: ask.RandApart(c, "repeated")}
	var samples []ask.Sample
	add := func(row []float64) {
		samples = append(samples, ask.Sample{Kind: ask.Edge, X: row, Y: ones(c)})
	}
	in := c.Key.DType
	if p := held(a.Nodes).Precision(); a.Significand == 0 && p <= in.Precision() {
		x.top = math.Ldexp(1, p)
		for k := range repeatedSums {
			x.turns = k > 1
			add(x.sum([]func(id int, sign float64){x.zero, x.raised}[k%2]))
		}
	}
	x.largest, x.turns = in.Max(), true
	for k := range repeatedLargest {
		add(x.sum(func(id int, sign float64) { x.most(id, sign*float64(k%2)) }))
	}
	if c.N > 2 {
		for k := range oppositePlaces {
			add(opposites(c.N, k, in))
		}
	}
	return samples, askTogether(c, "repeated", samples)
}

// cancelling makes inputs whose sums are small numbers, or the largest.
type cancelling struct {
	t            *sumtree.Tree
	size         []int32
	rng          *rand.Rand
	row          []float64
	top, largest float64
	turns        bool // in one of four nodes the operand of fewer leaves is first
}

// sum returns an input that write makes, from the root down.
func (x *cancelling) sum(write func(id int, sign float64)) []float64 {
	x.row = make([]float64, x.t.Leaves())
	write(x.t.Root(), 1)
	return x.row
}

// split returns the operands of a node, mostly the one with more leaves first.
func (x *cancelling) split(id int) (i, j int) {
	kids := x.t.Children(id)
	i, j = int(kids[0]), int(kids[1])
	if (x.size[i] < x.size[j]) != (x.turns && x.rng.IntN(4) == 0) {
		i, j = j, i
	}
	return i, j
}

// zero writes summands under a node whose sum is zero: sums of opposite signs.
// A single one is zero.
func (x *cancelling) zero(id int, sign float64) {
	if x.t.IsLeaf(id) {
		x.row[id] = 0
		return
	}
	i, j := x.split(id)
	if x.t.IsLeaf(j) { // what i shows is not lost beside it
		x.tied(id, sign)
		return
	}
	x.tied(i, sign)
	x.tied(j, -sign)
}

// tied writes summands whose sum is x.top, of x.top + 2 and −1: a tie that goes
// down.
func (x *cancelling) tied(id int, sign float64) {
	if x.t.IsLeaf(id) {
		x.row[id] = sign * x.top
		return
	}
	i, j := x.split(id)
	x.raised(i, sign)
	x.small(j, -sign)
}

// raised writes summands whose sum is x.top + 2, of x.top and 2.
func (x *cancelling) raised(id int, sign float64) {
	if x.t.IsLeaf(id) {
		x.row[id] = sign * (x.top + 2)
		return
	}
	i, j := x.split(id)
	x.tied(i, sign)
	x.small(j, 2*sign)
}

// small writes a summand, and others whose sum is zero.
func (x *cancelling) small(id int, v float64) {
	if x.t.IsLeaf(id) {
		x.row[id] = v
		return
	}
	i, j := x.split(id)
	x.small(j, v)
	x.zero(i, 1)
}

// most writes summands whose sum is the largest number of a sign, or zero where
// that is 0: sums of the largest number, zeros, and opposite ones.
func (x *cancelling) most(id int, sign float64) {
	if x.t.IsLeaf(id) {
		x.row[id] = sign * x.largest
		return
	}
	i, j := x.split(id)
	if sign == 0 {
		sign = 1 - 2*float64(x.rng.IntN(2))
		x.most(i, sign)
		x.most(j, -sign)
		return
	}
	if x.t.IsLeaf(j) && x.rng.IntN(2) == 0 {
		i, j = j, i
	}
	x.most(i, sign)
	x.most(j, 0)
}

// oppositeScales is the number of scales that opposites has, in steps of
// 2^−oppositeStep.
const (
	oppositeScales = 24
	oppositeStep   = 3
)

// opposites returns summands in threes: a number, and two opposite ones that
// absorb it in a chain. Each three is smaller than the one before, so that a
// number which was not absorbed stays. The first one begins at place at.
func opposites(n, at int, f fp.Format) []float64 {
	row := make([]float64, n)
	unit := 1.0
	if f.MinExp() > -oppositeStep*oppositeScales { // float16 has few scales
		unit = math.Ldexp(1, f.MinExp()/4)
	}
	scales := oppositeScales
	if f.MinExp() > -oppositeStep*oppositeScales {
		scales = 2
	}
	for i := at; i < n; i++ {
		k := i - at
		v := math.Ldexp(unit, -oppositeStep*(k/3%scales))
		switch k % 3 {
		case 1:
			v = math.Ldexp(v, f.Precision()+1)
		case 2:
			v = -math.Ldexp(v, f.Precision()+1)
		}
		row[i] = f.Round(v, fp.NearestEven)
	}
	return row
}
