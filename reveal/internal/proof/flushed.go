package proof

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The inputs that AskFlushed asks: where sums are flushed, of more than
// maxDeviating summands, and where products alone become zeros.
const (
	flushedSamples     = 32
	flushedSamplesMany = 12
	flushedSamplesFew  = 12
)

// AskFlushed asks for sums that are zero because sums below the root are
// flushed: at one node, or at several that have no summand in common, among
// zeros of one sign or of both. The sign of the result shows a summand of zero
// that is left out, and where +0 is added. Where no sum is flushed, fused
// products that are too small for the format make −0 of every sum, and show a
// product with a factor 0 that is left out. There are no inputs where no sum of
// numbers that are not zero is −0.
func AskFlushed(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	flushes := makesZeros(a)
	fuses := a.FMA != sumtree.FMANone && (c.Key.Op.Products() || len(a.Weights) > 0) &&
		vanishes(c.Key.DType, a.Nodes.Acc)
	if !flushes && !fuses || c.Key.Op.Positive() || a.Centre != nil || a.Neighbours != 0 ||
		c.N < 2 || c.N > maxEdges {
		return nil, nil
	}
	number := flushedSamples
	switch {
	case !flushes:
		number = flushedSamplesFew
	case c.N > maxDeviating:
		number = flushedSamplesMany
	}
	return newFlushing(c, t, a, flushes).ask(number)
}

// vanishes reports whether a product of numbers of a format may be too small
// for an accumulator. Products of float16 are not, for one of float32.
func vanishes(f, acc fp.Format) bool {
	return acc.Mul(f.Smallest(), f.Smallest(), fp.NearestEven) == 0
}

// ask asks a number of inputs. Inputs of one call have the same second factors,
// and in every second call one factor is zero.
func (x *flushing) ask(number int) (samples []ask.Sample, err error) {
	groups := 2
	if len(x.c.Pool()) == 1 {
		groups = number
	}
	for g := range groups {
		x.draw(g%2 == 1, g/2)
		first := len(samples)
		var fills []ask.Fill
		for k := g; k < number; k += groups {
			s := x.vanishing(k / 2)
			if x.sums {
				s = x.sample(k / 2)
			}
			samples, fills = append(samples, s), append(fills, ask.Values(s.X))
		}
		x.c.ExpectQuestions("subnormals", len(fills))
		out, err := x.c.Ask(x.y, fills...)
		if err != nil {
			return nil, err
		}
		for k := range out {
			s := &samples[first+k]
			s.Out, s.Elsewhere = out[k], k%len(x.c.Pool()) > 0
		}
	}
	return samples, nil
}

// makesZeros reports whether an arithmetic makes zeros of subnormals anywhere.
func makesZeros(a sumtree.Arithmetic) bool {
	some := a.FTZ || a.DAZ || a.FlushOut || a.Nodes.FlushOperands
	for _, e := range a.Except {
		some = some || e.Arith.FlushOperands
	}
	return some
}

// flushing makes the inputs of AskFlushed.
type flushing struct {
	c             *ask.Channel
	t             *sumtree.Tree
	rng           *rand.Rand
	order, lo, hi []int32 // see sumtree.Tree.LeafOrder
	sums          bool    // sums are flushed, not only products
	daz           bool
	places        int // of factors and sums

	y       []float64 // second factors; nil for sums
	weights []float64 // y, or the weights of a sum
	none    int       // the leaf whose second factor is zero, or −1

	x       []float64
	often   float64 // the share of nodes that are flushed, of those above none
	minuses float64 // the share of zeros that are −0
}

// newFlushing finds the weights of a sum.
func newFlushing(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic, sums bool,
) *flushing {
	x := &flushing{c: c, t: t, rng: ask.RandApart(c, "flushed"), sums: sums, daz: a.DAZ,
		weights: ask.Ones(c.N), none: -1,
		places: max(c.Key.DType.Precision(), a.Nodes.Acc.Precision())}
	x.order, x.lo, x.hi = t.LeafOrder()
	for _, w := range a.Weights {
		for _, p := range w.Leaves {
			for i := p[0]; i < p[1]; i++ {
				x.weights[i] = w.Factor
			}
		}
	}
	return x
}

// draw chooses second factors, and makes one zero on request. Where sums are
// not flushed, the others are small enough for products to vanish.
func (x *flushing) draw(zero bool, k int) {
	if !x.c.Key.Op.Products() {
		return
	}
	from := []float64{1, 1, -1, 0.5}
	if !x.sums {
		small := math.Ldexp(1, x.c.Key.DType.MinExp()/2-x.places)
		from = []float64{small, -small}
	}
	x.y = make([]float64, x.c.N)
	for i := range x.y {
		x.y[i] = from[x.rng.IntN(len(from))]
	}
	if x.none = -1; zero {
		x.none = x.late(k)
		x.y[x.none] = 0
	}
	x.weights = x.y
}

// vanishing returns products that vanish and make −0 of every sum, except that
// one is +0: the leaf whose second factor is zero, or the k-th that late finds.
func (x *flushing) vanishing(k int) ask.Sample {
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: x.y}
	x.x = s.X
	odd := x.none
	if odd < 0 {
		odd = x.late(k)
	}
	for i := range x.x {
		switch {
		case i == odd:
			x.write(i, 0)
		case !x.vanish(i, -1):
			x.write(i, minusZero)
		}
	}
	return s
}

// sample returns the k-th input. Of four, the first flushes one node; the
// second does so among −0 with one +0, more often a summand that is added late;
// the third flushes all nodes of one depth to −0; and the last flushes some
// nodes, or summands alone.
func (x *flushing) sample(k int) ask.Sample {
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: x.y}
	x.x = s.X
	x.minuses = []float64{0, 1, 0.5}[k%3]
	switch k % 4 {
	case 0:
		x.zeros(x.t.Root())
		x.flush(x.t.Leaves()+x.rng.IntN(x.t.Inner()), x.rng.IntN(4) > 0)
	case 1:
		x.minuses = 1
		x.zeros(x.t.Root())
		x.flush(x.t.Leaves()+x.rng.IntN(x.t.Inner()), true)
		if x.none >= 0 {
			x.write(x.none, 0)
		} else {
			x.write(x.late(k/4), 0)
		}
	case 2:
		x.level(x.t.Root(), 1+k/4%4)
	default:
		x.often = []float64{0, 0.3}[k/4%2]
		x.fill(x.t.Root())
	}
	return s
}

// level flushes every node at a depth below a node.
func (x *flushing) level(id, depth int) {
	if x.t.IsLeaf(id) || depth == 0 {
		x.zeros(id)
		if !x.t.IsLeaf(id) {
			x.flush(id, true)
		}
		return
	}
	for _, k := range x.t.Children(id) {
		x.level(int(k), depth-1)
	}
}

// maxEachLate is the number of summands that late returns one after the other.
const maxEachLate = 6

// late returns leaf k of a few. Among many it goes down from the root, to
// either operand with the same chance, and so finds leaves that are added late.
func (x *flushing) late(k int) int {
	if x.c.N <= maxEachLate {
		return k % x.c.N
	}
	id := x.t.Root()
	for !x.t.IsLeaf(id) {
		kids := x.t.Children(id)
		id = int(kids[x.rng.IntN(len(kids))])
	}
	return id
}

// fill writes the summands under a node.
func (x *flushing) fill(id int) {
	switch {
	case x.t.IsLeaf(id):
		x.zeros(id)
	case x.rng.Float64() < x.often:
		x.zeros(id)
		x.flush(id, x.rng.IntN(4) > 0)
	default:
		for _, k := range x.t.Children(id) {
			x.fill(int(k))
		}
	}
}

// zeros writes zeros under a node, and few summands that become zeros alone.
func (x *flushing) zeros(id int) {
	for _, leaf := range x.order[x.lo[id]:x.hi[id]] {
		sign := 1.0
		if x.rng.Float64() < x.minuses {
			sign = -1
		}
		if x.rng.IntN(8) > 0 || !x.vanish(int(leaf), sign) {
			x.write(int(leaf), math.Copysign(0, sign))
		}
	}
}

// vanish writes a summand, of a sign once it is weighted, that becomes zero
// alone, or may. It returns false where a leaf has none.
func (x *flushing) vanish(leaf int, sign float64) bool {
	f := x.c.Key.DType
	v, w := 0.0, math.Abs(x.weights[leaf])
	switch {
	case w == 0:
		return false
	case x.sums && (x.daz || w != 1):
		v = f.Round(0.75*f.MinNormal()/w, fp.NearestEven)
	case x.sums || w > 0.25:
		return false
	case x.y != nil:
		v = w // whose square is less than all numbers of the format
	default:
		v = f.Smallest()
	}
	x.x[leaf] = math.Copysign(v, sign*x.weights[leaf])
	return true
}

// flush makes the sum of a node subnormal: 1.25 times the least normal number
// less 1.5 times it, or the opposite.
func (x *flushing) flush(id int, negative bool) {
	kids := x.t.Children(id)
	at := x.rng.IntN(len(kids))
	other := (at + 1 + x.rng.IntN(len(kids)-1)) % len(kids)
	least := x.c.Key.DType.MinNormal()
	if !negative {
		least = -least
	}
	x.write(x.under(kids[at]), 1.25*least)
	x.write(x.under(kids[other]), -1.5*least)
}

// write sets the summand of a leaf, or a number near to it where it is divided
// by a weight.
func (x *flushing) write(leaf int, v float64) {
	if x.weights[leaf] == 0 {
		x.x[leaf] = math.Copysign(1, v)
		return
	}
	x.x[leaf] = x.c.Key.DType.Round(v/x.weights[leaf], fp.NearestEven)
}

// under returns a random leaf under a node.
func (x *flushing) under(id int32) int {
	return int(x.order[int(x.lo[id])+x.rng.IntN(int(x.hi[id]-x.lo[id]))])
}
