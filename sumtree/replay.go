package sumtree

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Replay returns the sum of x (of the products x[i]·y[i] where a.Products)
// computed in the order of t and in the arithmetic a, bit for bit as an
// implementation with that tree and those traits does. Promise: replayed.
//
// x and y hold values of format a.In, one for each leaf, and x one more where
// summands are sums of neighbours; y is nil for sums. NaN
// and infinities follow IEEE 754; the sign and payload of a NaN result are not
// part of the promise. The error names lengths that do not fit, or the fault
// that Arithmetic.Check finds. Cost: one pass, about 10 ns a leaf.
func (t *Tree) Replay(a Arithmetic, x, y []float64) (float64, error) {
	r, err := NewReplayer(t, a)
	if err != nil {
		return 0, err
	}
	return r.Sum(x, y)
}

// Replayer replays one tree and one arithmetic on many inputs. It is not safe
// for concurrent use.
type Replayer struct {
	t     *Tree
	a     Arithmetic
	class []uint8     // of every inner node, nil when all have class 0
	arith []NodeArith // of every class
	quick []quick     // of every class
	fused []bool      // of every leaf; nil when no product is fused
	wide  bool        // a fused product needs more bits than a float64 has
	// Second factors, where weights are fused: nil otherwise.
	weights []float64
	// Inputs as the arithmetic takes them: given, or copies in room.
	x, y    []float64
	sums    []float64 // of neighbours, or differences from the mean
	centre  *Replayer // of the mean; nil where there is none
	room    *room     // shared with replayers of the same tree
	val     []float64 // of all nodes, in room; nil before they are needed
	plain   bool      // see isPlain
	carried []carried // of every inner node, nil when none carries
	group   []float64 // operands of one fused node
	exp     []int     // their exponents, for alignment
}

// NewReplayer prepares a replay. Its error comes from Arithmetic.Check, or
// names a limit that the arithmetic exceeds.
func NewReplayer(t *Tree, a Arithmetic) (*Replayer, error) {
	return newReplayer(t, a, new(room))
}

// With returns a replayer of the same tree in another arithmetic. It uses the
// memory of r, so no two of them replay at the same time.
func (r *Replayer) With(a Arithmetic) (*Replayer, error) {
	return newReplayer(r.t, a, r.room)
}

// newReplayer prepares a replay in room.
func newReplayer(t *Tree, a Arithmetic, room *room) (*Replayer, error) {
	if err := a.Check(t); err != nil {
		return nil, err
	}
	r := &Replayer{t: t, a: a, arith: []NodeArith{a.Nodes}, room: room}
	if len(a.Except) > 254 {
		return nil, fmt.Errorf("sumtree: %d kinds of nodes are more than 254", len(a.Except))
	}
	if len(a.Except) > 0 {
		r.class = make([]uint8, t.Inner())
	}
	carries := a.Nodes.Carry != CarryNone
	for k, e := range a.Except {
		r.arith = append(r.arith, e.Arith)
		carries = carries || e.Arith.Carry != CarryNone
		for _, p := range e.Inner {
			for i := p[0]; i < p[1]; i++ {
				r.class[i] = uint8(k + 1)
			}
		}
	}
	if carries {
		r.carried = make([]carried, t.Inner())
	}
	if a.FMA != FMANone {
		r.fuse()
	}
	r.plain = r.isPlain()
	for _, arith := range r.arith {
		q := quickFormat(arith)
		if r.wide {
			q = quickNone
		}
		r.quick = append(r.quick, q)
	}
	if a.Centre != nil {
		var err error
		if r.centre, err = NewReplayer(t, *a.Centre); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// fuse prepares the products that enter their additions unrounded.
func (r *Replayer) fuse() {
	r.wide = r.a.In == fp.Binary64
	if len(r.a.Weights) > 0 {
		r.weights = slices.Repeat([]float64{1}, r.t.Leaves())
	}
	for _, w := range r.a.Weights {
		r.wide = r.wide || !fp.Binary32.Contains(w.Factor)
		for _, p := range w.Leaves {
			for i := p[0]; i < p[1]; i++ {
				r.weights[i] = w.Factor
			}
		}
	}
	if r.a.Products || r.weights != nil {
		r.fused = r.a.FusedLeaves(r.t)
	}
}

// Sum replays one input, as Tree.Replay does.
func (r *Replayer) Sum(x, y []float64) (float64, error) {
	if s, ok, err := r.sumSparse(x, y); ok || err != nil {
		return s, err
	}
	return r.sumAll(x, y)
}

// sumAll is Sum, and gives all nodes their values.
func (r *Replayer) sumAll(x, y []float64) (float64, error) {
	if r.a.Significand != 0 {
		if err := r.prepare(x, y); err != nil {
			return 0, err
		}
		return r.sumWide(), nil
	}
	if err := r.take(x, y); err != nil {
		return 0, err
	}
	if r.plain {
		r.addPlain()
		return r.finish(r.a.Nodes, r.val[r.t.Root()], x), nil
	}
	r.addNodes()
	return r.finish(r.rootArith(), r.val[r.t.Root()], x), nil
}

// rootArith returns the arithmetic of the root.
func (r *Replayer) rootArith() NodeArith {
	if r.t.Inner() > 0 {
		return *r.arithOf(r.t.Inner() - 1)
	}
	return NodeArith{Acc: r.a.Nodes.Acc, Store: r.a.Nodes.Store, Mode: r.a.Nodes.Mode}
}

// addNodes adds the operands of all inner nodes.
func (r *Replayer) addNodes() {
	val, kids, sums := r.val, r.t.kids, r.val[r.t.Leaves():]
	if !r.isQuick() {
		for k := range sums {
			sums[k] = r.inner(k)
		}
		return
	}
	q := r.quick[0]
	kids = kids[:2*len(sums)]
	for k := range sums {
		pair := kids[2*k : 2*k+2]
		s, ok := q.sum(val[pair[0]], val[pair[1]])
		if !ok {
			s = r.inner(k)
		}
		sums[k] = s
	}
}

// inner returns the sum of the operands of inner node k.
func (r *Replayer) inner(k int) float64 {
	class := r.classOf(k)
	kids := r.t.kids[r.t.first[k]:r.t.first[k+1]]
	if q := r.quick[class]; q != quickNone && len(kids) == 2 {
		if s, ok := q.sum(r.val[kids[0]], r.val[kids[1]]); ok {
			return s
		}
	}
	arith := &r.arith[class]
	if arith.Carry != CarryNone {
		return r.carry(arith, k, kids)
	}
	return r.node(arith, kids)
}

// classOf returns the class of inner node k, whose arithmetic is r.arith of it.
func (r *Replayer) classOf(k int) int {
	if r.class == nil {
		return 0
	}
	return int(r.class[k])
}

// arithOf returns the arithmetic of inner node k.
func (r *Replayer) arithOf(k int) *NodeArith { return &r.arith[r.classOf(k)] }

// take fills in the values of the leaves for an input.
func (r *Replayer) take(x, y []float64) error {
	if err := r.prepare(x, y); err != nil {
		return err
	}
	if r.weights != nil {
		r.y = r.weights
	}
	r.makeRoom()
	r.leaves()
	return nil
}

// makeRoom makes room for the values of all nodes.
func (r *Replayer) makeRoom() {
	if r.room.val == nil {
		r.room.val = make([]float64, r.t.Nodes())
	}
	r.val = r.room.val
}

// node adds the operands of one inner node.
func (r *Replayer) node(a *NodeArith, kids []int32) float64 {
	var s float64
	if len(kids) == 2 && a.Align == 0 {
		s = r.add(a, int(kids[0]), int(kids[1]))
		if r.a.FTZ && !a.KeepsSubnormals {
			s = r.flushSum(a, s, kids[0], kids[1])
		}
	} else {
		r.gather(a, kids)
		s = fusedSum(a, r.group, r.exp)
	}
	return r.storeSum(a, s)
}

// storeSum flushes and stores a sum as a node does.
func (r *Replayer) storeSum(a *NodeArith, s float64) float64 {
	flushes := r.a.FTZ && !a.KeepsSubnormals
	if flushes {
		s = flush(a.Acc, s)
	}
	if a.Store != 0 {
		s = r.convert(a.Store, s, a.Mode, flushes)
	}
	if a.PlusZero && a.FlushOperands {
		s = flush(a.Acc, s)
	}
	if a.PlusZero && s == 0 {
		return 0
	}
	return s
}

// gather collects the operands of a fused node that are not zero, or one zero,
// and their exponents.
func (r *Replayer) gather(a *NodeArith, kids []int32) {
	r.group, r.exp = r.group[:0], r.exp[:0]
	zero := math.Copysign(0, -1)
	for _, c := range kids {
		v := r.operand(a, int(c))
		if v == 0 {
			zero += v
			continue
		}
		e := math.Ilogb(v)
		if a.Factors {
			e = max(e, a.Acc.MinExp())
			if r.a.Products && int(c) < r.t.Leaves() {
				least := r.a.In.MinExp()
				e = max(math.Ilogb(r.x[c]), least) + max(math.Ilogb(r.y[c]), least)
			}
		}
		r.group, r.exp = append(r.group, v), append(r.exp, e)
	}
	if len(r.group) == 0 {
		r.group, r.exp = append(r.group, zero), append(r.exp, 0)
	}
}

// add adds the two operands of a node. Unrounded products that a float64 does
// not hold are computed from their factors here.
func (r *Replayer) add(a *NodeArith, i, j int) float64 {
	if r.wide {
		n := r.t.Leaves()
		if j >= n || !r.fused[j] {
			i, j = j, i
		}
		if j < n && r.fused[j] {
			other := r.operand(a, i)
			if i < n && r.fused[i] { // both products unrounded
				return exactRound(a.Acc, a.Mode, []term{{r.x[i], r.y[i]}, {r.x[j], r.y[j]}})
			}
			if a.Acc == fp.Binary64 && a.Mode == fp.NearestEven {
				return math.FMA(r.x[j], r.y[j], other)
			}
			return exactRound(a.Acc, a.Mode, []term{{other, 1}, {r.x[j], r.y[j]}})
		}
	}
	x, y := r.operand(a, i), r.operand(a, j)
	s := a.Acc.Add(x, y, a.Mode)
	if a.Mode == fp.ToOdd {
		s = overflow(a.Acc, s, fp.Binary64.Add(x, y, fp.TowardZero))
	}
	return s
}

// overflow returns s, which is rounded to odd, or an infinity of its sign if
// the size of the exact number is beyond the exponents of f, as in Arm's dot
// products. exact is that number, rounded toward zero.
func overflow(f fp.Format, s, exact float64) float64 {
	if math.Abs(exact)/2 >= math.Ldexp(1, math.Ilogb(f.Max())) {
		return math.Inf(int(math.Copysign(1, s)))
	}
	return s
}

// operand returns the value of a node as an addition takes it.
func (r *Replayer) operand(a *NodeArith, id int) float64 {
	v := r.val[id]
	if a.FlushOperands && !r.isFused(int32(id)) {
		return flush(a.Acc, v)
	}
	return v
}

// fusedSum adds operands as one operation: aligned to a.Align bits below the
// largest exponent, or exact, and rounded once.
func fusedSum(a *NodeArith, v []float64, exp []int) float64 {
	naive := 0.0
	for _, t := range v {
		if t-t != 0 { // infinite or NaN
			for _, u := range v {
				naive += u
			}
			return naive
		}
	}
	if len(v) == 1 && v[0] == 0 {
		return v[0]
	}
	if a.Align == 0 {
		terms := make([]term, len(v))
		for i, t := range v {
			terms[i] = term{t, 1}
		}
		return exactRound(a.Acc, a.Mode, terms)
	}
	// Each term is an integer of at most Align+2 bits in units of
	// 2^(top−Align).
	top := slices.Max(exp)
	var sum int64
	for _, t := range v {
		//lastbit:ignore floatconv below 2^63 after alignment
		sum += int64(roundTo(math.Ldexp(t, a.Align-top), a.Trunc))
	}
	return roundInt64(a, sum, top-a.Align)
}

// roundTo rounds x to an integer in direction m.
func roundTo(x float64, m fp.Mode) float64 {
	switch m {
	case fp.TowardZero:
		return math.Trunc(x)
	case fp.Up:
		return math.Ceil(x)
	case fp.Down:
		return math.Floor(x)
	case fp.NearestAway:
		return math.Round(x)
	}
	return math.RoundToEven(x)
}

// roundInt64 returns k·2^e rounded once to a.Acc: k is split into two halves
// that a float64 holds exactly, and their sum is rounded. A sum too large for
// every number of the exponents of a.Acc is infinite in each direction of
// rounding, as in matrix accelerators.
func roundInt64(a *NodeArith, k int64, e int) float64 {
	if v := math.Ldexp(float64(k), e); math.Abs(v)/2 >= math.Ldexp(1, math.Ilogb(a.Acc.Max())) {
		return math.Inf(int(math.Copysign(1, v)))
	}
	low := k % (1 << 32) // of the sign of k: neither half exceeds the sum
	return a.Acc.Add(math.Ldexp(float64(k-low), e), math.Ldexp(float64(low), e), a.Mode)
}

// term is a product a·b.
type term struct{ a, b float64 }

// exactRound returns Σ a·b rounded once to f.
func exactRound(f fp.Format, m fp.Mode, terms []term) float64 {
	for _, t := range terms {
		if t.a-t.a != 0 || t.b-t.b != 0 {
			return naiveSum(terms)
		}
	}
	const bits = 4400 // 2·(1074+1024) for a product, and room for carries
	sum := new(big.Float).SetPrec(bits)
	for _, t := range terms {
		p := new(big.Float).SetPrec(bits).Mul(big.NewFloat(t.a), big.NewFloat(t.b))
		sum.Add(sum, p)
	}
	if sum.Sign() == 0 {
		if z := naiveSum(terms); z == 0 {
			return z
		}
		return 0
	}
	return f.RoundBig(sum, m)
}

// naiveSum returns Σ a·b, rounded as it goes.
func naiveSum(terms []term) float64 {
	z := terms[0].a * terms[0].b
	for _, t := range terms[1:] {
		z += float64(t.a * t.b)
	}
	return z
}
