package proof

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of AskDeviations: summands, summands replayed while it looks for
// inputs, rounds of inputs in a row that show nothing new, and inputs asked.
const (
	maxDeviating     = 1 << 12
	maxDeviatingWork = 1 << 19
	maxIdleRounds    = 12
	maxTries         = 4 // inputs of one node in one round
	maxDeviatingAsks = 48
	maxAskedOften    = 32 // summands
	maxDeviatingFew  = 12 // of more summands, or where many lanes could share a call
)

// AskDeviations makes sure that a single addition or product that deviates from
// the claimed arithmetic would have shown: one that is held in another format,
// rounded in another direction, corrected by its error, or flushed. It predicts
// which deviations the samples show, derives inputs for the others, each with a
// few summands that meet at the node in question, and asks those of them that
// show something new. An input is predicted many times and asked once, and
// deviations that no prediction shows are taken for none. Of squares, which
// cannot cancel, it asks ordinary inputs only. Last it asks for overflows and for
// thresholds.
//
// It asks the main lane, and draws no number from c.Rand.
func AskDeviations(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample,
) ([]ask.Sample, error) {
	x := newDeviator(c, t, a)
	if x == nil {
		return nil, nil
	}
	err := x.search(samples)
	if err == nil {
		err = x.askOverflows()
	}
	if err == nil {
		err = x.askThresholds()
	}
	return x.asked, err
}

// search asks for deviations that the samples do not show.
func (x *deviator) search(samples []ask.Sample) error {
	for k := range samples {
		if samples[k].Elsewhere {
			continue
		}
		x.covers(&samples[k])
		if x.size() == 0 {
			return nil
		}
	}
	if err := x.askWide(); err != nil || x.c.Key.Op.Positive() {
		return err
	}
	for idle := 0; idle < maxIdleRounds+192/x.c.N && x.goesOn(); idle++ {
		for id := range x.left {
			if x.left[id] == 0 {
				continue
			}
			asked, err := x.askFor(id)
			if err != nil {
				return err
			}
			if asked {
				idle = 0
			}
		}
	}
	return nil
}

// askFor looks for an input that shows a deviation, one of the node if it can,
// and asks it.
func (x *deviator) askFor(id int) (asked bool, err error) {
	for range maxTries {
		if !x.goesOn() {
			break
		}
		if s := x.input(id); x.covers(&s) > 0 {
			return true, x.ask(s)
		}
	}
	return false, nil
}

// askWide asks ordinary inputs as long as each shows many deviations.
func (x *deviator) askWide() error {
	in := ask.InputsApart(x.c, 0x6465766961746F72)
	shape := ask.NewShape(x.t)
	kinds := ask.ReplayKinds()
	for k := 0; k < 2*len(kinds) && x.goesOn(); k++ {
		before := x.size()
		least := (before + 7) / 8
		if x.c.Key.Op.Positive() {
			least = 1
		} else if before < minWide {
			break
		}
		held := slices.Clone(x.left)
		s := in.Sample(kinds[k%len(kinds)], shape, in.SecondFactors())
		if x.covers(&s) < least {
			x.left = held
			continue
		}
		if err := x.ask(s); err != nil {
			return err
		}
	}
	return nil
}

// minWide is the number of deviations that are looked for in ordinary inputs
// before each has one of its own.
const minWide = 32

// goesOn reports whether deviations are left, and time to look for them.
func (x *deviator) goesOn() bool {
	return x.work > 0 && len(x.asked) < x.most && x.size() > 0
}

// ask asks the main lane.
func (x *deviator) ask(s ask.Sample) error {
	out, err := x.c.AskMain(s.Y, ask.Values(s.X))
	if err != nil {
		return err
	}
	s.Out, s.Kind = out[0], ask.Edge
	x.asked = append(x.asked, s)
	return nil
}

// deviator looks for inputs that show deviations.
type deviator struct {
	c     *ask.Channel
	t     *sumtree.Tree
	a     sumtree.Arithmetic
	rng   *rand.Rand
	found *sumtree.Deviants
	left  []sumtree.Deviation // that no input shows yet, of every node
	order []int32
	lo    []int32
	hi    []int32
	up    []int32
	work  int // summands that may still be replayed
	most  int // inputs that may be asked
	asked []ask.Sample
}

// newDeviator returns nil where deviations are not looked for.
func newDeviator(c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic) *deviator {
	if c.N > maxDeviating || c.N < 2 || hasCarry(a) || a.Significand != 0 || c.Key.Op == probe.Softmax {
		return nil
	}
	a = flushingSums(t, a)
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return nil
	}
	x := &deviator{c: c, t: t, a: a, rng: ask.RandApart(c, 0x64657669617465),
		found: sumtree.NewDeviants(r), left: make([]sumtree.Deviation, t.Nodes()),
		up: t.Parents(), work: maxDeviatingWork, most: maxDeviatingAsks}
	if c.Lanes() > 1 || c.N > maxAskedOften {
		x.most = maxDeviatingFew
	}
	x.order, x.lo, x.hi = t.LeafOrder()
	for id := range x.left {
		x.left[id] = x.possible(id)
	}
	return x
}

// flushingSums returns an arithmetic that flushes operands as one that flushes
// all sums except the root's: the same function where each operand is a
// summand of the accumulator's format, a product rounded to it, or a sum. Then a
// node that keeps its sum deviates.
func flushingSums(t *sumtree.Tree, a sumtree.Arithmetic) sumtree.Arithmetic {
	n := a.Nodes
	if !n.FlushOperands || len(a.Except) > 0 || a.FTZ || a.Mean || n.Store != 0 || !a.DAZ ||
		a.In != n.Acc || a.Product != 0 && a.Product != n.Acc {
		return a
	}
	a.Nodes.FlushOperands = false
	n = a.Nodes
	n.KeepsSubnormals = true
	root := t.Inner() - 1
	a.FTZ, a.KeepsOut = true, true
	a.Except = []sumtree.Exception{{Inner: sumtree.Ranges{{root, root + 1}}, Arith: n}}
	return a
}

// possible returns the deviations of a node that some input may show.
func (x *deviator) possible(id int) sumtree.Deviation {
	k := x.c.Key
	if x.t.IsLeaf(id) {
		var d sumtree.Deviation
		if x.a.Products {
			d = sumtree.OtherProduct
		}
		return d | sumtree.FlushesInput
	}
	n := x.a.Nodes
	for _, e := range x.a.Except {
		if e.Inner.Contains(id - x.t.Leaves()) {
			n = e.Arith
		}
	}
	if len(x.t.Children(id)) > 2 {
		return 0
	}
	d := sumtree.OfNodes
	root := id == x.t.Root()
	if x.c.N > maxEachNode && !root {
		d &^= sumtree.OtherZero | sumtree.OtherFlushed | sumtree.Saturates
	}
	if n.Acc == fp.Binary32 && n.Store == 0 {
		d &^= sumtree.Twice
	}
	if k.Out.Precision() >= n.Acc.Precision() {
		d &^= sumtree.Narrowed
		if root { // the result is rounded to the same format
			d &^= sumtree.Unrounded
		}
	}
	if root {
		d &^= sumtree.Carries
	}
	if k.DType == fp.Binary16 && n.Acc == fp.Binary64 && !x.a.Products { // all sums are exact
		d &= sumtree.Narrowed | sumtree.OtherZero | sumtree.OtherFlushed | sumtree.Flushes
	}
	return d
}

// maxEachNode is the largest n whose nodes are each asked for the sign of a sum
// that is zero, and for a sum that overflows: one input shows one node.
const maxEachNode = 8

// hasCarry reports whether some addition carries its rounding error.
func hasCarry(a sumtree.Arithmetic) bool {
	for _, e := range a.Except {
		if e.Arith.Carry != sumtree.CarryNone {
			return true
		}
	}
	return a.Nodes.Carry != sumtree.CarryNone
}

// size returns the number of deviations that no input shows.
func (x *deviator) size() (n int) {
	for _, d := range x.left {
		n += bits.OnesCount32(uint32(d))
	}
	return n
}

// covers removes the deviations that a sample shows, and returns their number.
func (x *deviator) covers(s *ask.Sample) int {
	before := x.size()
	x.work -= x.c.N
	y := s.Y
	if y == nil && x.a.Products {
		y = ask.Ones(x.c.N)
	}
	if _, err := x.found.Remove(x.left, s.X, y); err != nil {
		return 0
	}
	return before - x.size()
}

// input derives an input for a node: a few summands that meet there, and others
// that cancel most of their sum further up.
func (x *deviator) input(id int) ask.Sample {
	n, in := x.c.N, x.c.Key.DType
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, n)}
	if x.c.Key.Op.Products() {
		s.Y = ask.Ones(n)
	}
	left := x.left[id]
	if x.t.IsLeaf(id) {
		if left&sumtree.FlushesInput != 0 && (!x.a.Products || x.rng.IntN(2) == 0) {
			x.dust(int(x.up[id]), &s)
		} else if roundsMany(x) && x.rng.IntN(2) == 0 {
			products(x, id, &s)
		} else {
			x.product(id, &s)
		}
		return s
	}
	switch {
	case left&sumtree.OtherZero != 0 && x.rng.IntN(3) == 0:
		for i := range s.X {
			s.X[i] = math.Copysign(0, -1)
		}
		i, j := x.pair(id)
		s.X[i] = 1
		s.X[j] = -1
		if x.rng.IntN(2) == 0 {
			s.X[i], s.X[j] = 0, math.Copysign(0, -1)
		}
		return s
	case left&sumtree.OtherFlushed != 0 && x.rng.IntN(2) == 0:
		x.flushed(id, &s)
		return s
	case left&sumtree.Flushes != 0 && x.rng.IntN(2) == 0:
		x.dust(id, &s)
		return s
	}
	switch {
	case left&(sumtree.Saturates|sumtree.Unrounded) != 0 && x.rng.IntN(4) == 0:
		i, j := x.pair(id)
		s.X[i], s.X[j] = in.Max(), in.Max()
		if l, ok := x.outside(id); ok && x.rng.IntN(2) == 0 {
			s.X[l] = -in.Max()
		}
	case x.rng.IntN(2) == 0:
		x.tie(id, &s)
	default:
		x.meet(id, &s)
	}
	return s
}

// pair returns a random leaf under each of two operands of a node.
func (x *deviator) pair(id int) (i, j int) {
	kids := x.t.Children(id)
	at := x.rng.IntN(len(kids))
	other := (at + 1 + x.rng.IntN(len(kids)-1)) % len(kids)
	return x.under(kids[at]), x.under(kids[other])
}

// under returns a random leaf under a node.
func (x *deviator) under(id int32) int {
	return int(x.order[int(x.lo[id])+x.rng.IntN(int(x.hi[id]-x.lo[id]))])
}

// outside returns a leaf that meets a node at its parent, or further up.
func (x *deviator) outside(id int) (leaf int, ok bool) {
	for v := int32(id); x.up[v] >= 0; v = x.up[v] {
		if p := x.up[v]; x.up[p] < 0 || x.rng.IntN(4) > 0 {
			for _, k := range x.t.Children(int(p)) {
				if k != v {
					return x.under(k), true
				}
			}
		}
	}
	return 0, false
}

// number returns a random value below 2 in size, of few bits or of many, whose
// last bit is often odd.
func (x *deviator) number(exp int) float64 {
	in := x.c.Key.DType
	v := 1.0
	switch x.rng.IntN(4) {
	case 0:
		v += in.ULP(1)
	case 1:
		v += x.rng.Float64()
	case 2:
		v += math.Ldexp(1, -1-x.rng.IntN(in.Precision()))
	}
	if x.rng.IntN(2) == 0 {
		v = -v
	}
	return in.Round(math.Ldexp(v, exp), fp.NearestEven)
}

// meet writes two or three summands that meet at a node, and up to two others
// that take their sum, as far as they can, away again.
func (x *deviator) meet(id int, s *ask.Sample) {
	in := x.c.Key.DType
	acc := x.a.Nodes.Acc.Precision()
	top := 0
	if in == fp.Binary16 {
		top = 2 + x.rng.IntN(11)
	}
	i, j := x.pair(id)
	s.X[i] = x.number(top)
	s.X[j] = x.number(max(top-x.rng.IntN(acc+3), in.MinExp()-in.Precision()+1))
	if x.rng.IntN(3) == 0 { // about half of the last place
		h := float64(x.a.Nodes.Acc.ULP(s.X[i]) / 2)
		s.X[j] = h + float64(math.Ldexp(h, -1-x.rng.IntN(in.Precision()))*float64(x.rng.IntN(3)-1))
		if s.X[j] = in.Round(s.X[j], fp.NearestEven); x.rng.IntN(2) == 0 {
			s.X[j] = -s.X[j]
		}
	} else if x.rng.IntN(2) == 0 {
		k, _ := x.pair(id)
		if k != i && k != j {
			s.X[k] = x.number(max(top-x.rng.IntN(acc+3), in.MinExp()-in.Precision()+1))
		}
	}
	if x.rng.IntN(3) == 0 {
		x.rescale(s)
		return
	}
	var sum float64
	for _, v := range s.X {
		sum += v
	}
	for range 1 + x.rng.IntN(2) {
		l, ok := x.outside(id)
		if !ok || s.X[l] != 0 {
			break
		}
		s.X[l] = -in.Round(sum, fp.NearestEven)
		sum += s.X[l]
		if x.rng.IntN(4) == 0 {
			s.X[l] = in.NextUp(s.X[l])
		}
	}
	x.rescale(s)
}

// tie writes a tie between two results, which a speck decides that meets a part
// of it at a node.
func (x *deviator) tie(id int, s *ask.Sample) {
	in, out := x.c.Key.DType, x.c.Key.Out
	top := 0
	if in == fp.Binary16 {
		top = x.rng.IntN(15)
	}
	big := x.number(top)
	acc := x.a.Nodes.Acc
	if acc.Precision() < fp.Binary32.Precision() && x.rng.IntN(2) == 0 {
		acc = fp.Binary32
	}
	speck := x.number(top - acc.Precision() + x.rng.IntN(8) - 5)
	if x.rng.IntN(2) == 0 {
		speck = math.Copysign(acc.ULP(big)/4*float64(1+x.rng.IntN(6)), speck)
	}
	v := [3]float64{big, out.ULP(big) / 2, speck}
	if x.rng.IntN(2) == 0 {
		v[1] = -v[1]
	}
	x.rng.Shuffle(3, func(i, j int) { v[i], v[j] = v[j], v[i] })
	i, j := x.pair(id)
	l, ok := x.outside(id)
	if !ok || x.rng.IntN(2) == 0 {
		l, _ = x.pair(id)
	}
	for k, at := range []int{l, j, i} {
		if in.Contains(v[k]) {
			s.X[at] = v[k]
		}
	}
}

// rescale moves an input by a random power of two where second factors of that
// size are taken.
func (x *deviator) rescale(s *ask.Sample) {
	if s.Y == nil || x.rng.IntN(2) == 0 {
		return
	}
	for i, v := range s.X {
		k := x.rng.IntN(11) - 5
		if w := math.Ldexp(v, -k); x.c.Key.DType.Contains(w) {
			s.X[i], s.Y[i] = w, math.Ldexp(1, k)
		}
	}
}

// dust writes a sum that is subnormal at a node: of subnormals under it, or of
// two normal numbers.
func (x *deviator) dust(id int, s *ask.Sample) {
	f := x.c.Key.DType
	if x.rng.IntN(2) == 0 {
		i, j := x.pair(id)
		least := math.Copysign(f.MinNormal(), float64(x.rng.IntN(2))-0.5)
		s.X[i], s.X[j] = 1.5*least, -least
		if l, ok := x.outside(id); ok {
			s.X[l] = 2 * least
		}
		return
	}
	most := int64(1) << (f.Precision() - 2)
	signs := x.rng.IntN(3)
	for i := range s.X {
		k := float64(1 + x.rng.Int64N(max(1, most/int64(len(s.X)))))
		if signs == 0 || signs == 1 && x.rng.IntN(2) == 0 {
			k = -k
		}
		s.X[i] = k * f.Smallest()
	}
}

// flushed writes a sum that is subnormal at a node, among zeros of one sign.
func (x *deviator) flushed(id int, s *ask.Sample) {
	least := math.Copysign(x.c.Key.DType.MinNormal(), float64(x.rng.IntN(2))-0.5)
	for i := range s.X {
		s.X[i] = math.Copysign(0, least)
	}
	i, j := x.pair(id)
	s.X[i], s.X[j] = 1.5*least, -1.25*least
}

// product writes factors whose product a leaf rounds or does not, in the middle
// or at an end of the format, and summands that take it away again.
func (x *deviator) product(leaf int, s *ask.Sample) {
	in := x.c.Key.DType
	e, f := 0, 0
	if in == fp.Binary16 {
		e = 4
	}
	switch x.rng.IntN(4) {
	case 0:
		e, f = in.MaxExp(), 1
	case 1:
		e, f = in.MinExp(), -1-x.rng.IntN(3)
	}
	s.X[leaf], s.Y[leaf] = x.number(e), x.number(f)
	p := float64(s.X[leaf] * s.Y[leaf])
	for range 1 + x.rng.IntN(2) {
		l, ok := x.outside(leaf)
		if !ok || l == leaf || s.X[l] != 0 {
			break
		}
		s.X[l] = -max(-in.Max(), min(in.Max(), in.Round(p, fp.NearestEven)))
		p += s.X[l]
	}
}
