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
// x and y hold values of format a.In, one for each leaf; y is nil for sums. NaN
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
	fused []bool      // of every leaf; nil when no product is fused
	wide  bool        // a fused product needs more bits than a float64 has
	val   []float64
	group []float64 // operands of one fused node
	exp   []int     // their exponents, for alignment
}

// NewReplayer prepares a replay. The error is that of Arithmetic.Check, or
// names a limit that the arithmetic exceeds.
func NewReplayer(t *Tree, a Arithmetic) (*Replayer, error) {
	if err := a.Check(t); err != nil {
		return nil, err
	}
	r := &Replayer{t: t, a: a, arith: []NodeArith{a.Nodes}, val: make([]float64, t.Nodes())}
	if len(a.Except) > 254 {
		return nil, fmt.Errorf("sumtree: %d kinds of nodes are more than 254", len(a.Except))
	}
	if len(a.Except) > 0 {
		r.class = make([]uint8, t.Inner())
	}
	for k, e := range a.Except {
		r.arith = append(r.arith, e.Arith)
		for _, p := range e.Inner {
			for i := p[0]; i < p[1]; i++ {
				r.class[i] = uint8(k + 1)
			}
		}
	}
	if a.Products && a.FMA != FMANone {
		r.fused = a.FusedLeaves(t)
		r.wide = a.In == fp.Binary64
	}
	return r, nil
}

// Sum replays one input, as Tree.Replay does.
func (r *Replayer) Sum(x, y []float64) (float64, error) {
	n := r.t.Leaves()
	if r.a.Squares {
		y = x
	}
	if len(x) != n || r.a.Products && len(y) != n {
		return 0, fmt.Errorf("sumtree: %d summands for a tree of %d leaves", len(x), n)
	}
	r.leaves(x, y)
	root := NodeArith{Acc: r.a.Nodes.Acc, Store: r.a.Nodes.Store, Mode: r.a.Nodes.Mode}
	for k := range r.t.Inner() {
		arith := &r.arith[0]
		if r.class != nil {
			arith = &r.arith[r.class[k]]
		}
		kids := r.t.kids[r.t.first[k]:r.t.first[k+1]]
		r.val[n+k] = r.node(arith, kids, x, y)
		root = *arith
	}
	return r.finish(root, r.val[r.t.Root()], x), nil
}

// leaves fills in the values of the leaves: summands, or products, rounded or
// not.
func (r *Replayer) leaves(x, y []float64) {
	n := r.t.Leaves()
	copy(r.val[:n], x)
	if r.a.DAZ {
		for i := range n {
			r.val[i] = flush(r.a.In, x[i])
		}
	}
	if !r.a.Products {
		return
	}
	product := r.a.Product
	if product == 0 {
		product = r.a.In
	}
	for i := range n {
		b := y[i]
		if r.a.DAZ {
			b = flush(r.a.In, b)
		}
		if r.fused != nil && r.fused[i] {
			r.val[i] = float64(r.val[i] * b) // exact except for Binary64, where add uses math.FMA
			continue
		}
		p := product.Mul(r.val[i], b, r.a.Nodes.Mode)
		if r.a.FTZ {
			p = flush(product, p)
		}
		r.val[i] = p
	}
}

// node adds the operands of one inner node.
func (r *Replayer) node(a *NodeArith, kids []int32, x, y []float64) float64 {
	var s float64
	if len(kids) == 2 && a.Align == 0 {
		s = r.add(a, int(kids[0]), int(kids[1]), x, y)
	} else {
		r.gather(a, kids, x, y)
		s = fusedSum(a, r.group, r.exp)
	}
	if r.a.FTZ {
		s = flush(a.Acc, s)
	}
	if a.Store != 0 {
		s = a.Store.Round(s, a.Mode)
		if r.a.FTZ {
			s = flush(a.Store, s)
		}
	}
	return s
}

// gather collects the operands of a fused node that are not zero, or one zero,
// and their exponents.
func (r *Replayer) gather(a *NodeArith, kids []int32, x, y []float64) {
	r.group, r.exp = r.group[:0], r.exp[:0]
	zero := math.Copysign(0, -1)
	for _, c := range kids {
		v := r.val[c]
		if v == 0 {
			zero += v
			continue
		}
		e := math.Ilogb(v)
		if a.Factors {
			e = max(e, a.Acc.MinExp())
			if r.a.Products && int(c) < r.t.Leaves() {
				least := r.a.In.MinExp()
				e = max(math.Ilogb(x[c]), least) + max(math.Ilogb(y[c]), least)
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
func (r *Replayer) add(a *NodeArith, i, j int, x, y []float64) float64 {
	if r.wide {
		n := r.t.Leaves()
		if j >= n || !r.fused[j] {
			i, j = j, i
		}
		if j < n && r.fused[j] {
			other := r.val[i]
			if i < n && r.fused[i] { // both products unrounded
				return exactRound(a.Acc, a.Mode, []term{{x[i], y[i]}, {x[j], y[j]}})
			}
			if a.Acc == fp.Binary64 && a.Mode == fp.NearestEven {
				return math.FMA(x[j], y[j], other)
			}
			return exactRound(a.Acc, a.Mode, []term{{other, 1}, {x[j], y[j]}})
		}
	}
	return a.Acc.Add(r.val[i], r.val[j], a.Mode)
}

// finish turns the value of the root into the result for the input x.
func (r *Replayer) finish(root NodeArith, s float64, x []float64) float64 {
	if r.a.PlusZero && s == 0 && root.Mode != fp.Down && r.onlyZeros() {
		s = 0 // −0 + +0 = +0; a −0 that something was rounded to stays
	}
	if r.a.Mean {
		s = quotient(root.Acc, s, r.t.Leaves())
	}
	if r.a.After != nil {
		s = r.a.After.apply(s, x)
	}
	s = r.a.Out.Round(s, root.Mode)
	if r.a.FTZ {
		s = flush(r.a.Out, s)
	}
	return s
}

// onlyZeros reports whether all leaves are zeros.
func (r *Replayer) onlyZeros() bool {
	for _, v := range r.val[:r.t.Leaves()] {
		if v != 0 {
			return false
		}
	}
	return true
}

// quotient returns s/n rounded once to f, to nearest even: the binary64
// quotient of a value of at most 24 bits by an integer below 2^24 is not so
// close to a midpoint of f that rounding it again could go wrong.
func quotient(f fp.Format, s float64, n int) float64 {
	return f.Round(s/float64(n), fp.NearestEven)
}

// flush replaces a subnormal of f by a zero of the same sign.
func flush(f fp.Format, x float64) float64 {
	if x != 0 && math.Abs(x) < f.MinNormal() {
		return math.Copysign(0, x)
	}
	return x
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
	}
	return math.RoundToEven(x)
}

// roundInt64 returns k·2^e rounded once to a.Acc: k is split into two halves
// that a float64 holds exactly, and their sum is rounded.
func roundInt64(a *NodeArith, k int64, e int) float64 {
	low := k % (1 << 32) // of the sign of k: neither half exceeds the sum
	return a.Acc.Add(math.Ldexp(float64(k-low), e), math.Ldexp(float64(low), e), a.Mode)
}

// term is a product a·b.
type term struct{ a, b float64 }

// exactRound returns Σ a·b of finite terms rounded once to f.
func exactRound(f fp.Format, m fp.Mode, terms []term) float64 {
	const bits = 4400 // 2·(1074+1024) for a product, and room for carries
	sum := new(big.Float).SetPrec(bits)
	for _, t := range terms {
		p := new(big.Float).SetPrec(bits).Mul(big.NewFloat(t.a), big.NewFloat(t.b))
		sum.Add(sum, p)
	}
	if sum.Sign() == 0 {
		z := terms[0].a * terms[0].b
		for _, t := range terms[1:] {
			z += float64(t.a * t.b)
		}
		if z == 0 {
			return z
		}
		return 0
	}
	return f.RoundBig(sum, m)
}
