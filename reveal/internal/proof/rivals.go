package proof

import (
	"math"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Samples reproduced by one arithmetic may be reproduced by another. The rivals
// of an arithmetic are all others that the search can express: each way to
// treat subnormals, formats, rounding modes, products. SettleRivals derives for
// each an input with two different predictions, and asks it. For sums of up to
// six summands of a short format a test derives an input for every pair of
// rivals that differ on any input at all (TestRivalsAreSeparated).

// MaxRivalSummands is the largest number of summands whose arithmetics are told
// apart by derived inputs: those that are left then are one function.
const MaxRivalSummands = maxDeviating

// The limits of SettleRivals: summands that every combination of formats, modes
// and treatments of subnormals is tried for where some other arithmetic
// reproduces all samples, and summands whose additions may flush in every
// subset.
const (
	maxCrossed = 1 << 6
	maxSubsets = 6
)

// SettleRivals adds to left, the arithmetics that reproduce all samples, their
// rivals that do so, too. It asks inputs that tell them apart, and returns the
// arithmetics that remain: only arithmetics of left where no input tells
// several apart. base is the arithmetic as Basics finds it. samples grows by
// the inputs.
func SettleRivals(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, left []sumtree.Arithmetic,
	samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	if c.N > MaxRivalSummands || c.N < 2 || t.MaxArity() > 2 || c.Key.Op.Positive() {
		return left, nil
	}
	var all []sumtree.Arithmetic
	if len(left) > 0 || crossedMayFit(c, t, base, *samples) {
		all = slices.Concat(left, Rivals(c, t, base, left))
	} else {
		all = oddNodes(c, t, base)
	}
	all = unique(reproducingRivals(c, t, all, *samples))
	for len(all) > 1 {
		s, ok := tellsApart(c, t, all)
		if !ok {
			break
		}
		c.Expect("rivals", 1)
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
		*samples = append(*samples, s)
		all = Reproducing(t, all, []ask.Sample{s})
	}
	if first := common(all, left); len(first) > 0 {
		return first, nil
	}
	return all[:min(1, len(all))], nil
}

// unique returns arithmetics without repetitions.
func unique(all []sumtree.Arithmetic) []sumtree.Arithmetic {
	var once []sumtree.Arithmetic
	for _, a := range all {
		if !contains(once, a) {
			once = append(once, a)
		}
	}
	return once
}

// contains reports whether a is among some arithmetics.
func contains(some []sumtree.Arithmetic, a sumtree.Arithmetic) bool {
	return slices.ContainsFunc(some, func(b sumtree.Arithmetic) bool {
		return a.Nodes == b.Nodes && a.FMA == b.FMA && a.DAZ == b.DAZ && a.FTZ == b.FTZ &&
			a.Product == b.Product && len(a.Except) == len(b.Except) && reflect.DeepEqual(a, b)
	})
}

// AreAmong reports whether all arithmetics are among some others.
func AreAmong(all, some []sumtree.Arithmetic) bool { return len(common(all, some)) == len(all) }

// common returns the arithmetics of all that are in some, too.
func common(all, some []sumtree.Arithmetic) []sumtree.Arithmetic {
	var both []sumtree.Arithmetic
	for _, a := range all {
		if contains(some, a) {
			both = append(both, a)
		}
	}
	return both
}

// Rivals returns the arithmetics that the search can express, those nearest to
// left first: each treatment of subnormals with the formats and modes of left,
// then with all others. For a few summands, each subset of the additions may
// flush. Without any arithmetic of left, one addition may differ from the
// others.
func Rivals(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, left []sumtree.Arithmetic,
) []sumtree.Arithmetic {
	treatments, begin := treatments(c, base), newOpenings(t)
	var all []sumtree.Arithmetic
	for _, a := range left {
		for _, b := range treatments {
			all = append(all, begin.withStarts(b.treats(a))...)
		}
	}
	for _, a := range left {
		all = append(all, subsets(t, a)...)
	}
	if c.N > maxCrossed && len(left) > 0 {
		return all
	}
	for _, b := range treatments {
		crossed, err := uniform(c, t, b.treats(base), begin.withStarts)
		if err != nil {
			continue
		}
		for _, a := range crossed {
			if a.Nodes.Align == 0 {
				all = append(append(all, a), begin.startingRivals(a)...)
			}
		}
	}
	if len(left) == 0 {
		all = append(all, oddNodes(c, t, base)...)
	}
	return all
}

// crossedMayFit reports whether ordinary samples leave some arithmetic that all
// nodes share, in any treatment of subnormals.
func crossedMayFit(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, samples []ask.Sample,
) bool {
	alone := func(a sumtree.Arithmetic) []sumtree.Arithmetic { return []sumtree.Arithmetic{a} }
	var all []sumtree.Arithmetic
	for _, b := range treatments(c, base) {
		more, err := uniform(c, t, b.treats(base), alone)
		if err == nil {
			all = append(all, more...)
		}
	}
	var some []ask.Sample
	for _, s := range samples {
		if isOrdinary(c, s) {
			some = append(some, s)
		}
	}
	return len(reproducingOrdinary(t, all, some)) > 0
}

// treatment is a way to treat subnormals, and the zeros that they become.
type treatment struct {
	daz, ftz, operands, keepsOut, flushOut, plusZeroOut bool

	tiny sumtree.Tininess
}

// treats returns a with the treatment.
func (f treatment) treats(a sumtree.Arithmetic) sumtree.Arithmetic {
	a.DAZ, a.FTZ, a.KeepsOut, a.FlushOut, a.Tiny = f.daz, f.ftz, f.keepsOut, f.flushOut, f.tiny
	a.PlusZeroOut, a.Starts, a.FromZero = f.plusZeroOut, nil, false
	a.Nodes.FlushOperands = f.operands
	if !f.ftz {
		a.Nodes.KeepsSubnormals = false
	}
	return a
}

// treatments returns every way to treat subnormals: of the inputs, of sums or
// of operands, and of the result; with +0 added in the end, or not. Only
// products are so close to the least normal number that it matters which of
// them are tiny.
func treatments(c *ask.Channel, base sumtree.Arithmetic) []treatment {
	converts := c.Key.Mean || c.Key.Out != c.Key.DType
	var all []treatment
	for _, sums := range []treatment{{}, {ftz: true}, {operands: true}} {
		for _, daz := range []bool{false, true} {
			f := sums
			f.daz = daz
			all = append(all, f)
			if f.ftz && base.Products {
				after, before := f, f
				after.tiny, before.tiny = sumtree.TinyAfter, sumtree.TinyBefore
				all = append(all, after, before)
			}
			if f.ftz && converts {
				f.keepsOut = true
				all = append(all, f)
			}
			if !f.ftz && !c.Key.Mean {
				f.flushOut = true
				all = append(all, f)
			}
		}
	}
	if !base.PlusZero {
		return all
	}
	for _, f := range all[:len(all):len(all)] {
		f.plusZeroOut = true
		all = append(all, f)
	}
	return all
}

// subsets returns arithmetics of a few summands that keep subnormal sums in
// some additions, and flush them in the others.
func subsets(t *sumtree.Tree, a sumtree.Arithmetic) []sumtree.Arithmetic {
	if t.Leaves() > maxSubsets || len(a.Except) > 0 || a.Nodes.FlushOperands {
		return nil
	}
	var all []sumtree.Arithmetic
	for set := 1; set < 1<<t.Inner()-1; set++ {
		keeps := make([]bool, t.Inner())
		for k := range keeps {
			keeps[k] = set>>k&1 == 1
		}
		b := a
		b.FTZ = true
		n := a.Nodes
		n.KeepsSubnormals = true
		b.Except = []sumtree.Exception{{Inner: sumtree.RangesOf(keeps), Arith: n}}
		all = append(all, b)
		b.KeepsOut = true
		all = append(all, b)
	}
	return all
}

// maxOdd is the largest number of summands whose additions are each tried in
// another arithmetic than the others.
const maxOdd = 1 << 7

// oddNodes returns arithmetics with one addition that rounds in another
// direction or to another format than the others, or treats subnormals in
// another way.
func oddNodes(c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic) []sumtree.Arithmetic {
	if t.Leaves() > maxOdd || t.Inner() < 2 {
		return nil
	}
	var all []sumtree.Arithmetic
	for _, treats := range treatments(c, base) {
		plain := treats.treats(base)
		plain.Nodes.Acc = c.Key.DType
		for _, a := range productRules(c, plain, plain.Nodes.Acc) {
			for _, odd := range oddArithmetics(c, a) {
				b := a
				if odd.KeepsSubnormals {
					b.FTZ, b.KeepsOut = true, true
				}
				for k := range t.Inner() {
					b.Except = []sumtree.Exception{{Inner: sumtree.Ranges{{k, k + 1}}, Arith: odd}}
					all = append(all, b)
				}
			}
		}
	}
	return all
}

// oddArithmetics returns the arithmetics that one addition may have among
// others of arithmetic a.
func oddArithmetics(c *ask.Channel, a sumtree.Arithmetic) []sumtree.NodeArith {
	var all []sumtree.NodeArith
	for _, mode := range modes()[1:] {
		n := a.Nodes
		n.Mode = mode
		all = append(all, n)
	}
	for _, f := range ask.Accumulators(c.Key) {
		if n := a.Nodes; f != n.Acc {
			n.Acc = f
			all = append(all, n)
		}
	}
	n := a.Nodes
	n.FlushOperands = !n.FlushOperands
	all = append(all, n)
	if a.FTZ {
		n = a.Nodes
		n.KeepsSubnormals = true
		all = append(all, n)
	}
	return all
}

// The numbers of summands that all take part in the search for an input, and
// that take part in others; and the values of a node that are followed.
const (
	maxActive   = 8
	pairsOfAll  = 1 << 8
	pairsOfSome = 1 << 6
)

// tellsApart looks for an input that the first of some arithmetics and another
// one give different results for.
func tellsApart(
	c *ask.Channel, t *sumtree.Tree, all []sumtree.Arithmetic,
) (s ask.Sample, ok bool) {
	groups := bySize(c.Key.DType,
		criticalChoices(c.Key.DType, c.Key.Op.Products(), ask.Accumulators(c.Key)))
	rivals := all[1:]
	found := make([]*ask.Sample, len(rivals)*len(groups))
	var first atomic.Int64 // of those found
	first.Store(int64(len(found)))
	each(len(found), func(k int) {
		if int64(k) > first.Load() {
			return
		}
		x, y, ok := separating(t, all[0], rivals[k/len(groups)], groups[k%len(groups)])
		if !ok {
			return
		}
		found[k] = &ask.Sample{Kind: ask.Edge, X: x, Y: y}
		for was := first.Load(); int64(k) < was && !first.CompareAndSwap(was, int64(k)); {
			was = first.Load()
		}
	})
	if k := first.Load(); k < int64(len(found)) {
		return *found[k], true
	}
	return s, false
}

// separating looks for an input of choices that two arithmetics give different
// results for. Of many summands most are zero.
func separating(
	t *sumtree.Tree, a, b sumtree.Arithmetic, choices []sumtree.Choice,
) (x, y []float64, ok bool) {
	if t.Leaves() <= maxActive {
		return t.Separate(a, b, func(int) []sumtree.Choice { return choices }, pairsOfAll)
	}
	for _, zero := range []float64{0, math.Copysign(0, -1)} {
		for _, active := range activeLeaves(t) {
			one := []sumtree.Choice{{X: zero, Y: 1}}
			each := func(i int) []sumtree.Choice {
				if slices.Contains(active, i) {
					return choices
				}
				return one
			}
			if x, y, ok = t.Separate(a, b, each, pairsOfSome); ok {
				return x, y, true
			}
		}
	}
	return nil, nil, false
}

// bySize returns all choices, and then the tiny ones, those near one and the
// large ones apart, each with zeros: of fewer choices the values that a node
// can have are all followed.
func bySize(in fp.Format, all []sumtree.Choice) [][]sumtree.Choice {
	groups := [][]sumtree.Choice{all}
	for _, bounds := range [][2]float64{
		{0, 4 * in.MinNormal()}, {8 * in.MinNormal(), 64}, {64, math.Inf(1)},
	} {
		var some []sumtree.Choice
		for _, c := range all {
			size := math.Abs(float64(c.X * c.Y))
			if size == 0 || bounds[0] <= size && size <= bounds[1] {
				some = append(some, c)
			}
		}
		groups = append(groups, some)
	}
	return groups
}

// activeLeaves returns sets of leaves for inputs that are zero elsewhere: some
// that meet first, some that meet last, and some of all heights.
func activeLeaves(t *sumtree.Tree) [][]int {
	order, lo, _ := t.LeafOrder()
	first := firstToMeet(t)
	kids := t.Children(t.Root())
	last := []int{int(order[lo[kids[0]]]), int(order[lo[kids[1]]])}
	n := len(order)
	spread := []int{int(order[0]), int(order[1]), int(order[n/3]), int(order[n/2]),
		int(order[n-2]), int(order[n-1])}
	return [][]int{append(first[:len(first):len(first)], last...), spread}
}

// criticalChoices returns the values that show an arithmetic: zeros, the ends
// of the subnormal numbers, one and parts of its last place in each format that
// sums may be held in, and the ends of the format.
func criticalChoices(in fp.Format, products bool, held []fp.Format) []sumtree.Choice {
	least, one := in.MinNormal(), 1.0
	if in == fp.Binary16 {
		one = 0x1p4 // 2^(4-28) is a float16
	}
	sizes := []float64{0, in.Smallest(), 3 * in.Smallest(), least / 2, in.NextDown(least), least,
		1.25 * least, 1.5 * least, 2 * least, 4 * least, one, one + in.ULP(one), 2 * one,
		in.Max() / 2, in.Max()}
	for _, f := range held {
		half := math.Ldexp(one, -f.Precision())
		sizes = append(sizes, half, 1.5*half, half/2, half/16,
			in.Max()/2*math.Ldexp(1, -f.Precision()))
	}
	var all []sumtree.Choice
	for _, v := range sizes {
		if in.Contains(v) {
			all = append(all, sumtree.Choice{X: v, Y: 1}, sumtree.Choice{X: -v, Y: 1})
		}
	}
	if products {
		all = append(all, criticalProducts(in)...)
		if wider := widerPrecisions(in); len(wider) > 0 && in != fp.Binary64 {
			x, y := nearOne(in, wider[0]) // nearly a tie beside one
			p := sumtree.Choice{X: math.Ldexp(one, -in.Precision()) * x, Y: y}
			all = append(all, p, sumtree.Choice{X: -p.X, Y: p.Y})
		}
	}
	return all
}

// criticalProducts returns factors of subnormal products, subnormal factors,
// products that are rounded, and products that overflow.
func criticalProducts(in fp.Format) []sumtree.Choice {
	least := in.MinNormal()
	odd := 1 + math.Ldexp(1, -(in.Precision()+1)/2)
	// One that rounds to 1, were the exponent of a result not bounded.
	nearX, nearY := nearOne(in, 2*in.Precision()+1)
	var all []sumtree.Choice
	for _, p := range []sumtree.Choice{
		{X: 1.5 * least, Y: 0.5}, {X: least, Y: 0.5}, {X: least / 2, Y: 4}, {X: 4, Y: least / 2},
		{X: in.NextDown(2 * least), Y: 0.5}, {X: odd, Y: odd}, {X: odd * least, Y: odd / 2},
		{X: least * nearX, Y: nearY}, {X: least, Y: math.Ldexp(1, -in.Precision()-1)},
		{X: in.Max(), Y: 2}, {X: in.Max(), Y: odd}, {X: 0, Y: -1},
	} {
		if in.Contains(p.X) && in.Contains(p.Y) {
			all = append(all, p, sumtree.Choice{X: -p.X, Y: p.Y})
		}
	}
	return all
}
