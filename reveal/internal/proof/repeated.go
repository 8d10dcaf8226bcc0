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
	equalPlaces     = 4
	ladders         = 4
)

// AskRepeated asks for sums that a program which computes more than the tree
// gets wrong, although it seldom shows: (s + x) − x + x is s + x except next to
// some ties; 2x − x is x unless it overflows; x + y is 0 for opposite
// neighbours, or for the first summand and the last, unless they absorb what is
// added before; equal neighbours may be added to each other first, and whole
// numbers as integers. Sums of numbers that nearly take each other away, of all
// sizes, show an order that depends on a size. Each input asks many additions
// at once. There are none of squares, of fused sums and of sums of neighbours.
func AskRepeated(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	if c.Key.Op.Positive() || c.Key.Mean || t.MaxArity() > 2 || c.N < 2 || c.N > maxCloseSum ||
		c.N != t.Leaves() {
		return nil, nil
	}
	x := cancelling{t: t, size: t.Sizes(), rng: ask.RandApart(c, "repeated")}
	var samples []ask.Sample
	add := func(row []float64) {
		samples = append(samples, ask.Sample{Kind: ask.Edge, X: row, Y: ones(c)})
	}
	in := c.Key.DType
	x.top = math.Ldexp(1, min(held(a.Nodes).Precision(), in.Precision()))
	for k := range repeatedSums {
		x.turns = k > 1
		add(x.sum([]func(id int, sign float64){x.zero, x.raised}[k%2]))
	}
	x.largest, x.turns = in.Max(), true
	for k := range repeatedLargest {
		add(x.sum(func(id int, sign float64) { x.most(id, sign*float64(k%2)) }))
	}
	if c.N > 2 {
		for k := range oppositePlaces {
			add(blocks(c.N, k, in, oppositeBlock))
		}
		for k := range equalPlaces {
			add(blocks(c.N, k, in, equalBlock))
		}
		add(firstAndLast(c.N, in))
		add(smallWhole(c.N, in, x.rng))
		for k := range ladders {
			add(ladder(c.N, k, in, x.rng))
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

// The blocks of an input have up to blockScales scales, in steps of
// 2^−blockStep.
const (
	blockScales = 24
	blockStep   = 3
)

// oppositeBlock and equalBlock are powers of two, and 0, 1 and −1 for 2^0 and
// for the power that absorbs it: a number and two opposite ones that absorb it
// in a chain; and two equal numbers that are lost one by one, and not together.
var (
	oppositeBlock = []blockNumber{{1, 0}, {1, 1}, {-1, 1}}
	equalBlock    = []blockNumber{{1, 1}, {1, -1}, {1, -1}, {-1, 1}}
)

// blockNumber is a sign, and the size of a number in a block: 1 is 2^(p+1)
// for a format of p bits, and −1 is half of the last place of that.
type blockNumber struct {
	sign float64
	size int
}

// blocks returns summands in blocks, the first at place at. Each is smaller
// than the one before, so that what is left of one stays.
func blocks(n, at int, f fp.Format, block []blockNumber) []float64 {
	row := make([]float64, n)
	unit, scales := 1.0, blockScales
	if f.MinExp() > -blockStep*blockScales { // float16 has few
		unit, scales = math.Ldexp(1, f.MinExp()/4), 2
	}
	for i := at; i < n; i++ {
		k := i - at
		b := block[k%len(block)]
		v := math.Ldexp(b.sign*unit, -blockStep*(k/len(block)%scales))
		switch b.size {
		case 1:
			v = math.Ldexp(v, f.Precision()+1)
		case -1:
			v *= 2
		}
		row[i] = f.Round(v, fp.NearestEven)
	}
	return row
}

// firstAndLast returns ones between opposite numbers that absorb them.
func firstAndLast(n int, f fp.Format) []float64 {
	row := ask.Ones(n)
	row[0] = math.Ldexp(1, min(f.Precision()+13, f.MaxExp()))
	row[n-1] = -row[0]
	return row
}

// smallWhole returns whole numbers whose sum has one bit more than the format,
// each as small as their number allows. They are one more than multiples of
// four, so that a chain loses one with each addition beyond that bit.
func smallWhole(n int, f fp.Format, rng *rand.Rand) []float64 {
	row := make([]float64, n)
	most := math.Ldexp(1.6, min(f.Precision(), f.MaxExp()-1)) / float64(n)
	for i := range row {
		v := float64(4*math.Floor(most*(0.75+float64(rng.Float64()/4))/4)) + 1
		row[i] = f.Round(v, fp.NearestEven)
	}
	return row
}

// ladderStep is the number of binades between summands of a ladder.
const ladderStep = 6

// ladder returns summands that each cancel nearly all of the sum so far. A
// chain adds them exactly. k chooses the part of the format's range.
func ladder(n, k int, f fp.Format, rng *rand.Rand) []float64 {
	row := make([]float64, n)
	top, least := f.MaxExp()-2, f.MinExp()+f.Precision()/4
	start := top - (top-least)*k/ladders
	exp, sum := start, 0.0
	for i := range row {
		part := f.Round(math.Ldexp(1+rng.Float64(), exp), fp.NearestEven)
		if rng.IntN(2) == 0 {
			part = -part
		}
		row[i] = f.Round(part-sum, fp.NearestEven)
		sum = f.Add(sum, row[i], fp.NearestEven)
		if exp -= ladderStep; exp < least {
			exp = start
		}
	}
	return row
}
