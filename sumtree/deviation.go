package sumtree

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

// Deviation is a set of ways that one addition, or one product, may differ from
// its arithmetic.
type Deviation uint32

// The deviations. s is the sum of a and b as the arithmetic rounds it.
const (
	Unrounded     Deviation = 1 << iota // the sum is held in a wider format
	Carries                             // the next addition takes up the rounding error
	Corrects                            // s + (b − (s − a))
	CorrectsOther                       // s + (a − (s − b))
	TowardZero                          // rounded toward zero
	Upward                              // rounded up
	Downward                            // rounded down
	TiesAway                            // ties are rounded away from zero
	Narrowed                            // rounded to the format of the result as well
	FlushesPlus                         // flushes a positive subnormal, or keeps one
	FlushesMinus                        // the same of negative ones
	Twice                               // rounded to a wider format before, or not where it is
	Drops                               // leaves out an operand of a few last places
	Saturates                           // an infinite sum is the largest number
	OtherZero                           // a sum that is zero has the other sign
	OtherFlushed                        // a sum that is flushed is a zero of the other sign
	FlushesLeft                         // flushes a subnormal first operand, or keeps one
	FlushesRight                        // the same of a second operand
	OtherProduct                        // of a leaf: fused, or rounded where it is fused
	InputPlus                           // of a leaf: flushes a positive subnormal, or keeps one
	InputMinus                          // the same of negative ones; of a factor either may be
	FactorPlus                          // of a leaf: the same of a second factor
	FactorMinus                         //
	KeepsProduct                        // of a leaf: keeps a product that others flush

	// OfNodes are the deviations of inner nodes.
	OfNodes = OtherProduct - 1
	// Flushes are the deviations in what becomes of a subnormal sum.
	Flushes = FlushesPlus | FlushesMinus
	// FlushesOperand are the deviations in what becomes of a subnormal operand.
	FlushesOperand = FlushesLeft | FlushesRight
	// FlushesInput are the deviations in what becomes of a subnormal input.
	FlushesInput = InputPlus | InputMinus
	// FlushesFactor are those in what becomes of a subnormal second factor.
	FlushesFactor = FactorPlus | FactorMinus
)

// maxDeviants bounds the different values that are followed through one node.
const maxDeviants = 24

// deviant is another value of a node, and the deviations that lead to it.
type deviant struct {
	value float64
	rest  float64 // of the exact sum, that the next addition takes up
	carry bool    // as an operand of its own
	first int32   // entry of a list; −1 ends it
	last  int32
}

// Deviants finds the deviations of single nodes that an input shows.
type Deviants struct {
	r     *Replayer
	at    [][]deviant // of every node, until its parent is done
	next  []int32     // lists of entries: node·deviationBits + bit
	spare [][]deviant
}

// deviationBits is the number of deviations.
const deviationBits = 32

// NewDeviants prepares a search in a replay whose additions do not carry their
// errors.
func NewDeviants(r *Replayer) *Deviants {
	return &Deviants{r: r, at: make([][]deviant, r.t.Nodes()),
		next: make([]int32, r.t.Nodes()*deviationBits)}
}

// Remove takes from left, which has a set for every node, the deviations that
// would change the result for the input x and y, and returns the result without
// any. Its errors come from Replayer.Sum.
func (d *Deviants) Remove(left []Deviation, x, y []float64) (float64, error) {
	r := d.r
	out, ok, err := r.sumSparse(x, y)
	if err == nil && !ok {
		return d.removeAll(left, x, y)
	}
	if err != nil || out != out {
		return out, err
	}
	// The others are zeros, and no deviation of theirs changes the sum.
	for _, i := range r.room.paths.leaves {
		d.leaf(int(i), left[i], x, y)
	}
	for _, id := range r.room.paths.inner {
		d.node(int(id)-r.t.Leaves(), left[id])
	}
	d.show(left, out, x)
	return out, nil
}

// removeAll is Remove for all inputs.
func (d *Deviants) removeAll(left []Deviation, x, y []float64) (float64, error) {
	r := d.r
	out, err := r.sumAll(x, y)
	if err != nil || out != out {
		return out, err
	}
	n := r.t.Leaves()
	for i := range n {
		d.leaf(i, left[i], x, y)
	}
	for k := range r.t.Inner() {
		d.node(k, left[n+k])
	}
	d.show(left, out, x)
	return out, nil
}

// leaf records the deviations of a leaf.
func (d *Deviants) leaf(i int, own Deviation, x, y []float64) {
	if d.r.a.Squares {
		y = x
	}
	in := d.r.a.In
	if own&OtherProduct != 0 {
		d.product(i)
	}
	if own&KeepsProduct != 0 && d.r.a.FTZ && !d.r.isFused(int32(i)) {
		kept := d.r.product().Mul(d.r.x[i], d.r.y[i], d.r.a.Nodes.Mode)
		if !isSame(kept, d.r.val[i]) {
			d.start(i, KeepsProduct, kept, 0)
		}
	}
	if own&FlushesInput != 0 && flush(in, x[i]) != x[i] {
		d.input(i, x[i])
	}
	if own&FlushesFactor != 0 && flush(in, y[i]) != y[i] {
		d.factor(i, y[i])
	}
}

// show takes from left the deviations that lead to another result than out.
func (d *Deviants) show(left []Deviation, out float64, x []float64) {
	root, arith := d.r.t.Root(), d.r.rootArith()
	for _, p := range d.at[root] {
		v := d.r.finish(arith, p.value, x)
		if isSame(v, out) {
			continue
		}
		for e := p.first; ; e = d.next[e] {
			left[e/deviationBits] &^= 1 << (e % deviationBits)
			if e == p.last {
				break
			}
		}
	}
	d.release(root)
}

// release empties the list of a node.
func (d *Deviants) release(id int) {
	if d.at[id] != nil {
		d.spare = append(d.spare, d.at[id][:0])
		d.at[id] = nil
	}
}

// add records another value of a node; entries of one value share a list.
func (d *Deviants) add(id int, p deviant) {
	value, rest := math.Float64bits(p.value), math.Float64bits(p.rest)
	if p.value != p.value || p.rest == 0 && value == math.Float64bits(d.r.val[id]) &&
		!d.r.isFused(int32(id)) {
		return // the value of a fused product is not rounded, or is not used
	}
	list := d.at[id]
	for k := range list {
		q := &list[k]
		if math.Float64bits(q.value) == value && math.Float64bits(q.rest) == rest &&
			q.carry == p.carry {
			d.next[q.last] = p.first
			q.last = p.last
			return
		}
	}
	if len(list) == maxDeviants {
		return
	}
	if list == nil && len(d.spare) > 0 {
		list = d.spare[len(d.spare)-1]
		d.spare = d.spare[:len(d.spare)-1]
	}
	d.at[id] = append(list, p)
}

// start records a deviation of a node itself.
func (d *Deviants) start(id int, which Deviation, value, rest float64) {
	e := int32(id*deviationBits + bits.TrailingZeros32(uint32(which)))
	d.add(id, deviant{value: value, rest: rest, carry: which == Carries, first: e, last: e})
}

// product records the other product of a leaf.
func (d *Deviants) product(i int) {
	r := d.r
	f := r.a.Product
	if f == 0 {
		f = r.a.In
	}
	x, y := r.x[i], r.y[i]
	if r.fused != nil && r.fused[i] {
		if acc := r.a.Nodes.Acc; acc.Precision() >= 2*r.a.In.Precision() {
			f = acc // the product is exact, except at the ends of the format
		}
		d.start(i, OtherProduct, f.Mul(x, y, r.a.Nodes.Mode), 0)
		return
	}
	if p := float64(x * y); p-p == 0 {
		d.start(i, OtherProduct, p, math.FMA(x, y, -p))
	}
}

// input records the value of a leaf whose subnormal first factor, or summand,
// is flushed where others are kept, or is kept.
func (d *Deviants) input(i int, x float64) {
	r := d.r
	which := InputPlus
	if math.Signbit(x) {
		which = InputMinus
	}
	if !r.a.DAZ {
		d.start(i, which, math.Copysign(0, r.val[i]), 0)
		return
	}
	if r.a.Products {
		if r.fused != nil && r.fused[i] {
			return // of the product of a flushed factor nothing is left
		}
		x = r.rounded(x, r.y[i])
	}
	d.start(i, which, x, 0)
}

// factor is input for the second factor of a leaf.
func (d *Deviants) factor(i int, y float64) {
	r := d.r
	which := FactorPlus
	if math.Signbit(y) {
		which = FactorMinus
	}
	switch {
	case !r.a.DAZ:
		d.start(i, which, math.Copysign(0, r.val[i]), 0)
	case r.fused == nil || !r.fused[i]:
		d.start(i, which, r.rounded(r.x[i], y), 0)
	}
}

// node follows the deviations of the operands of inner node k, and records its
// own.
func (d *Deviants) node(k int, own Deviation) {
	r := d.r
	id := r.t.Leaves() + k
	kids := r.t.kids[r.t.first[k]:r.t.first[k+1]]
	class := r.classOf(k)
	arith, q := &r.arith[class], r.quick[class]
	if len(kids) != 2 {
		q = quickNone
	}
	for at, c := range kids {
		for _, p := range d.at[c] {
			if s, ok := q.sum(p.value, r.val[kids[len(kids)-1-at]]); ok && p.rest == 0 {
				p.value = s
			} else {
				p.value = d.with(arith, kids, at, p)
			}
			p.rest, p.carry = 0, false
			d.add(id, p)
		}
		d.release(int(c))
	}
	if own&OfNodes != 0 && len(kids) == 2 && arith.Align == 0 && arith.Carry == CarryNone {
		d.own(id, arith, kids, own)
		if own&FlushesOperand != 0 {
			d.operands(id, arith, kids, own)
		}
	}
}

// operands records the sums of a node that flushes one of its operands where
// the others are kept, or keeps one where they are flushed.
func (d *Deviants) operands(id int, arith *NodeArith, kids []int32, own Deviation) {
	r := d.r
	for at, which := range []Deviation{FlushesLeft, FlushesRight} {
		c := kids[at]
		if own&which == 0 || r.isFused(c) || flush(arith.Acc, r.val[c]) == r.val[c] {
			continue
		}
		changed, node := c, *arith
		if arith.FlushOperands {
			changed, node.FlushOperands = kids[1-at], false
		}
		old := r.val[changed]
		r.val[changed] = flush(arith.Acc, old)
		v := r.node(&node, kids)
		r.val[changed] = old
		d.start(id, which, v, 0)
	}
}

// with returns the value of a node with another operand.
func (d *Deviants) with(arith *NodeArith, kids []int32, at int, p deviant) float64 {
	r := d.r
	c := kids[at]
	old, fused := r.val[c], r.isFused(c)
	r.val[c] = p.value
	if fused {
		r.fused[c] = false
	}
	v := d.sum(arith, kids, at, p)
	if r.val[c] = old; fused {
		r.fused[c] = true
	}
	return v
}

// sum returns the value of a node one of whose operands is p.
func (d *Deviants) sum(arith *NodeArith, kids []int32, at int, p deviant) float64 {
	r := d.r
	if p.rest == 0 || len(kids) != 2 {
		return r.node(arith, kids)
	}
	other := kids[1-at]
	if p.carry {
		before := r.val[other]
		r.val[other] = r.plus(arith, before, p.rest)
		v := r.node(arith, kids)
		r.val[other] = before
		return v
	}
	s, e := twoSum(p.value, r.val[other])
	return r.storeSum(arith, arith.Acc.Add(s, e+p.rest, arith.Mode))
}

// own records the deviations of a node of two operands.
func (d *Deviants) own(id int, arith *NodeArith, kids []int32, own Deviation) {
	r := d.r
	a, b, s := r.operand(arith, int(kids[0])), r.operand(arith, int(kids[1])), r.val[id]
	if a-a != 0 || b-b != 0 {
		return
	}
	if s-s != 0 {
		d.some(id, own, Saturates, math.Copysign(arith.Acc.Max(), s), 0)
		d.some(id, own, Unrounded, a+b, 0)
		return
	}
	wide := r.wide && (r.isFused(kids[0]) || r.isFused(kids[1]))
	t, e := twoSum(a, b)
	inexact := t != s || e != 0
	if inexact && !wide {
		d.inexact(id, arith, a, b, own)
	}
	if own&Narrowed != 0 && r.a.Out.Precision() < arith.Acc.Precision() {
		d.start(id, Narrowed, r.a.Out.Round(s, fp.NearestEven), 0)
	}
	if s == 0 {
		d.some(id, own, OtherZero, -s, 0)
	}
	if own&(Flushes|OtherFlushed) != 0 {
		d.flushes(id, arith, t, own)
	}
}

// inexact records the deviations of a sum that is rounded.
func (d *Deviants) inexact(id int, arith *NodeArith, a, b float64, own Deviation) {
	r, s := d.r, d.r.val[id]
	t, e := twoSum(a, b)
	rest := t - s + e
	if arith.Acc.Precision() < fp.Binary64.Precision() {
		d.some(id, own, Unrounded, t, 0)
	} else {
		d.some(id, own, Unrounded, s, rest)
	}
	d.some(id, own, Carries, s, rest)
	if own&Twice != 0 {
		d.start(id, Twice, d.twice(arith, s, t, rest), 0)
	}
	if own&Drops != 0 {
		d.drops(id, arith, a, b)
	}
	if own&Corrects != 0 {
		d.start(id, Corrects, r.plus(arith, s, r.plus(arith, b, -r.plus(arith, s, -a))), 0)
	}
	if own&CorrectsOther != 0 {
		d.start(id, CorrectsOther, r.plus(arith, s, r.plus(arith, a, -r.plus(arith, s, -b))), 0)
	}
	if own&(TowardZero|Upward|Downward|TiesAway) != 0 {
		d.directed(id, arith, a, b, own)
	}
}

// directed records the deviations of a sum that is rounded in another
// direction.
func (d *Deviants) directed(id int, arith *NodeArith, a, b float64, own Deviation) {
	t, e := twoSum(a, b)
	down, up := arith.Acc.Add(a, b, fp.Down), arith.Acc.Add(a, b, fp.Up)
	zero, away := down, up
	if t < 0 {
		zero, away = up, down
	}
	d.some(id, own, TowardZero, zero, 0)
	d.some(id, own, Upward, up, 0)
	d.some(id, own, Downward, down, 0)
	if math.Abs(t-down+e) == math.Abs(up-t-e) {
		d.some(id, own, TiesAway, away, 0)
	}
}

// drops records the sum that leaves out an operand of a few last places.
func (d *Deviants) drops(id int, arith *NodeArith, a, b float64) {
	if math.Abs(a) > math.Abs(b) {
		a, b = b, a
	}
	if math.Abs(a) < math.Ldexp(math.Abs(b), fewPlaces-arith.Acc.Precision()) {
		d.start(id, Drops, b, 0)
	}
}

// fewPlaces bounds the places of an operand that Drops leaves out.
const fewPlaces = 4

// twice returns the sum s of a node, whose exact value is t and a rest that t
// leaves off s, rounded once more on the way: to 64 bits, to float32, or not to
// the accumulator of a node that stores its sums in another format.
func (d *Deviants) twice(arith *NodeArith, s, t, rest float64) float64 {
	switch {
	case arith.Store != 0:
		once := NodeArith{Acc: arith.Store, Mode: arith.Mode}
		return d.r.storeSum(&once, arith.Store.Round(t, arith.Mode))
	case arith.Acc == fp.Binary64:
		ulp := arith.Acc.ULP(s) / 2048
		return s + float64(math.RoundToEven(rest/ulp)*ulp)
	case arith.Acc.Precision() < fp.Binary32.Precision():
		return arith.Acc.Round(fp.Binary32.Round(t, arith.Mode), arith.Mode)
	}
	return s
}

// some records a deviation if it is one of own.
func (d *Deviants) some(id int, own, which Deviation, value, rest float64) {
	if own&which != 0 && which != 0 {
		d.start(id, which, value, rest)
	}
}

// flushes records the sum that a node has if it flushes, or does not, and the
// other zero that a flushed sum may be.
func (d *Deviants) flushes(id int, arith *NodeArith, t float64, own Deviation) {
	r := d.r
	of := func(v float64) Deviation {
		if math.Signbit(v) {
			return own & FlushesMinus
		}
		return own & FlushesPlus
	}
	if r.a.FTZ && !arith.KeepsSubnormals {
		kept := arith.Acc.Round(t, arith.Mode)
		if r.val[id] != 0 || kept == 0 {
			return
		}
		d.some(id, own, of(kept), kept, 0)
		d.some(id, own, OtherFlushed, -r.val[id], 0)
		return
	}
	least := max(arith.Acc.MinNormal(), r.a.In.MinNormal())
	if s := r.val[id]; s != 0 && math.Abs(s) < least {
		d.some(id, own, of(s), math.Copysign(0, s), 0)
	}
}

// isFused reports whether a node is a leaf whose product is not rounded.
func (r *Replayer) isFused(id int32) bool {
	return r.fused != nil && r.t.IsLeaf(int(id)) && r.fused[id]
}

// twoSum returns the rounded sum of a and b, and its error.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	z := s - a
	return s, (a - (s - z)) + (b - z)
}
