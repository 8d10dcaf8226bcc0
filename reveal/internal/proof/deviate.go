package proof

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of a deviator: summands, summands replayed, half of them while
// it looks for inputs, rounds of inputs in a row that show nothing new, and
// inputs asked.
const (
	maxDeviating     = 1 << 12
	maxDeviatingWork = 1 << 18
	maxIdleRounds    = 12
	maxTries         = 4 // inputs of one node in one round
	maxDeviatingAsks = 48
	maxAskedOften    = 32 // summands
	maxDeviatingFew  = 12 // of more summands, or where many lanes could share a call
)

// ask makes sure that a single addition or product that deviates from the
// claimed arithmetic would have shown: one that is held in another format,
// rounded in another direction, corrected by its error, or flushed. It predicts
// which deviations the samples show, derives inputs for the others, each with a
// few summands that meet at the node in question, and asks the inputs that show
// something new. An input is predicted many times and asked once, and
// deviations that no prediction shows are taken for none. Of squares, which
// cannot cancel, it asks ordinary inputs only. Last it asks for overflows, for
// sums that are flushed to −0 and for thresholds. A nil deviator asks nothing.
//
// It asks the main lane, and draws no number from c.Rand.
func (x *deviator) ask(samples []ask.Sample) ([]ask.Sample, error) {
	if x == nil {
		return nil, nil
	}
	coverAll(x, samples)
	err := askWindows(x)
	if err == nil {
		err = x.search()
	}
	if err == nil {
		err = x.askOverflows()
	}
	if err == nil {
		err = askFlushedHeights(x)
	}
	if err == nil {
		err = x.askThresholds()
	}
	return x.asked, err
}

// coverAll removes the deviations that samples show. It asks nothing. While
// many are left, it leaves out the kinds of inputs that show few.
func coverAll(x *deviator, samples []ask.Sample) {
	for k := range samples {
		if x == nil || sizeOf(x.left) == 0 {
			return
		}
		s := &samples[k]
		if s.Elsewhere || x.work < maxDeviatingWork/2 || x.poor[s.Kind] >= enoughPoor {
			continue
		}
		before := sizeOf(x.left)
		shown := x.covers(s)
		x.shown[s.Kind] = shown
		if before >= minPoor && shown < before/poorShare {
			x.poor[s.Kind]++
		} else {
			x.poor[s.Kind] = 0
		}
	}
}

// A kind of inputs is poor where enoughPoor in a row show less than one of
// poorShare deviations of minPoor or more.
const (
	enoughPoor = 2
	poorShare  = 512
	minPoor    = 1 << 13
)

// search asks for deviations that no sample shows.
func (x *deviator) search() error {
	if sizeOf(x.left) == 0 {
		return nil
	}
	if err := x.askWide(); err != nil || x.c.Key.Op.Positive() {
		return err
	}
	if err := askWalks(x); err != nil {
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
			return true, x.askOne(s)
		}
	}
	return false, nil
}

// askWide asks ordinary inputs as long as each shows many deviations. It tries
// no kind that showed fewer than half as many among the samples.
func (x *deviator) askWide() error {
	in := ask.InputsApart(x.c, "deviator")
	shape := ask.NewShape(x.t)
	kinds := ask.ReplayKinds()
	for k := 0; k < 2*len(kinds) && x.goesOn(); k++ {
		before := sizeOf(x.left)
		least := (before + 7) / 8
		if x.c.Key.Op.Positive() {
			least = 1
		} else if before < minWide {
			break
		}
		kind := kinds[k%len(kinds)]
		if last, ok := x.shown[kind]; ok && last < least/2 {
			continue
		}
		held := slices.Clone(x.left)
		s := in.Sample(kind, shape, in.SecondFactors())
		if x.covers(&s) < least {
			x.left = held
			continue
		}
		if err := x.askOne(s); err != nil {
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
	return x.work > 0 && len(x.asked) < x.most && sizeOf(x.left) > 0
}

// askOne asks the main lane.
func (x *deviator) askOne(s ask.Sample) error {
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

	windows []ask.Sample // of drawWindows

	shown map[ask.Kind]int // by the last sample of a kind
	poor  map[ask.Kind]int // samples of a kind in a row that show few
}

// newDeviator returns nil where deviations are not looked for.
func newDeviator(c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic) *deviator {
	if c.N > maxDeviating || c.N < 2 || hasCarry(a) || a.Significand != 0 ||
		c.Key.Op == probe.Softmax {
		return nil
	}
	a = flushingSums(t, a)
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return nil
	}
	x := &deviator{c: c, t: t, a: a, rng: ask.RandApart(c, "deviate"),
		found: sumtree.NewDeviants(r), left: make([]sumtree.Deviation, t.Nodes()),
		up: t.Parents(), work: maxDeviatingWork, most: maxDeviatingAsks,
		shown: map[ask.Kind]int{}, poor: map[ask.Kind]int{}}
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
// all sums except the root's: the same function where each operand is a summand
// of the accumulator's format, a product rounded to it, or a sum; and one that
// flushes sums as one that does not flush the result again. Then a node that
// keeps its sum deviates.
func flushingSums(t *sumtree.Tree, a sumtree.Arithmetic) sumtree.Arithmetic {
	n := a.Nodes
	if a.FTZ && !a.Mean && a.Factor == 0 && a.Divisor == 0 && a.Out == n.Acc && n.Store == 0 &&
		len(a.Except) == 0 {
		a.KeepsOut = true
	}
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
			if !x.a.Squares {
				d |= sumtree.FlushesFactor
			}
			if x.a.FTZ {
				d |= sumtree.KeepsProduct
			}
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
	if !flushesOperands(x.a) {
		d &^= sumtree.FlushesOperand
	}
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

// sizeOf returns the number of deviations in some sets.
func sizeOf(sets []sumtree.Deviation) (n int) {
	for _, d := range sets {
		n += bits.OnesCount32(uint32(d))
	}
	return n
}

// covers removes the deviations that a sample shows, and returns their number.
func (x *deviator) covers(s *ask.Sample) int { return removeShown(x, x.left, s) }

// removeShown removes the deviations that a sample shows from left, which has a
// set for every node, and returns their number.
func removeShown(x *deviator, left []sumtree.Deviation, s *ask.Sample) int {
	before := sizeOf(left)
	x.work -= x.c.N
	y := s.Y
	if y == nil && x.a.Products {
		y = ask.Ones(x.c.N)
	}
	if _, err := x.found.Remove(left, s.X, y); err != nil {
		return 0
	}
	return before - sizeOf(left)
}
