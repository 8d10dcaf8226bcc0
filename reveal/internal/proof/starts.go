package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// A sum of fused products may be −0 although it begins with +0: the exact
// product is negative, and rounds to −0 with the +0 that it is added to. A lane
// whose products are −0 is +0 where it begins with +0, and so is the sum of all
// lanes. A tree has no such operand; Arithmetic.Starts lists the leaves that
// are added to it. A sum that is stored and taken up again adds +0 as a node.

// The limits of SettleStarts: leaves that are each asked, of more leaves the
// number of those spread over all, and questions where these differ; leaves
// that vanish alone, and random inputs.
const (
	maxStarts      = 1 << 6 // of those that begin a sum, and of those added to one
	spreadStarts   = 1 << 3
	maxStartSearch = 1 << 8 // questions, where these differ
	loneSamples    = 3
	vanishSamples  = 5
	mixedSamples   = 32 // where some additions fuse products and others do not
)

// SettleStarts asks for sums of products that are −0 or round to it. It returns
// the arithmetics of left that reproduce them, as they are, with the leaves
// that are added to +0, or with +0 added to the sum, to the result or to a sum
// that a few products follow; and the inputs.
func SettleStarts(
	c *ask.Channel, t *sumtree.Tree, left []sumtree.Arithmetic,
) (still []sumtree.Arithmetic, asked []ask.Sample, err error) {
	wide := slices.ContainsFunc(left, isWide)
	if !c.Key.Op.Products() || c.N > maxEdges || t.MaxArity() > 2 ||
		!wide && !slices.ContainsFunc(left, losesProducts) {
		return left, nil, nil
	}
	mixed := slices.ContainsFunc(left, func(a sumtree.Arithmetic) bool {
		return a.FMA == sumtree.FMAMixed
	})
	x := starter{c: c, t: t, begin: newOpenings(t), asked: vanishingSamples(c, t, wide, mixed)}
	if slices.ContainsFunc(left, storesParts) {
		x.asked = append(x.asked, vanishingParts(c, t))
	}
	c.Expect("zeros", len(x.asked))
	if err := ask.AskSamples(c, x.asked); err != nil {
		return nil, nil, err
	}
	for _, a := range left {
		fits, err := x.fitting(a)
		if err != nil {
			return nil, nil, err
		}
		rest, err := x.beforeRest(a)
		if err != nil {
			return nil, nil, err
		}
		still = append(still, fits[:min(1, len(fits))]...)
		still = append(still, rest[:min(1, len(rest))]...)
	}
	return still, x.asked, nil
}

// WithoutVanishing returns samples without SettleStarts' samples. An arithmetic
// need not reproduce them before it is known which of its sums begin with +0.
func WithoutVanishing(c *ask.Channel, samples []ask.Sample) []ask.Sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s ask.Sample) bool {
		vanishes := false
		for i := range s.Y {
			nonzero := s.X[i] != 0 && s.Y[i] != 0
			if nonzero && math.Abs(s.X[i]*s.Y[i]) > c.Key.DType.Smallest()/2 {
				return false
			}
			vanishes = vanishes || nonzero
		}
		return vanishes
	})
}

// losesProducts reports whether a may round a product to zero and keep others
// unrounded. AskZeros asks those that flush.
func losesProducts(a sumtree.Arithmetic) bool {
	return !a.FTZ && !a.Nodes.FlushOperands && a.Significand == 0
}

// isWide reports whether a adds in a format beyond float64, where products do
// not vanish before the sum is rounded to the result.
func isWide(a sumtree.Arithmetic) bool { return a.Significand != 0 }

// vanishingSamples returns products that all vanish, one that does so among −0,
// and some at random; and a sum that is rounded to zero as a result only, where
// the accumulator is wide or isRoundedToZero holds.
func vanishingSamples(c *ask.Channel, t *sumtree.Tree, wide, mixed bool) []ask.Sample {
	rng := ask.RandApart(c, "vanish")
	one := func(int) bool { return true }
	samples := []ask.Sample{vanishingProducts(c, one)}
	for _, leaf := range someOf(loneLeaves(t), loneSamples) {
		samples = append(samples, vanishingProducts(c, func(i int) bool { return i == leaf }))
	}
	count := vanishSamples
	if mixed {
		count = mixedSamples
	}
	for range count {
		samples = append(samples, vanishingProducts(c, randomLeaves(rng, c.N)))
	}
	if wide || isRoundedToZero(c) {
		s := vanishingProducts(c, func(int) bool { return false })
		f := c.Key.DType
		s.X[0], s.Y[0] = -f.MinNormal(), c.Key.Out.Smallest()/4/f.MinNormal()
		samples = append(samples, s)
	}
	return samples
}

// isRoundedToZero reports whether the accumulator holds numbers that are
// rounded to zero as results. Such a negative number is −0 unless +0 is added
// to the result: +0 that is added to the sum leaves it as it is.
func isRoundedToZero(c *ask.Channel) bool {
	accs := ask.Accumulators(c.Key)
	return c.Key.Out.Smallest()/4 >= accs[len(accs)-1].Smallest()
}

// addsTo returns an arithmetic with an inner node that adds +0 to its sum: the
// root, before that is rounded to the result, or one whose sum is stored and
// taken up again. ok is false where some additions differ already.
func addsTo(
	t *sumtree.Tree, a sumtree.Arithmetic, id int,
) (b sumtree.Arithmetic, ok bool) {
	n := a.Nodes
	n.PlusZero = true
	k := id - t.Leaves()
	b = a
	b.Except = []sumtree.Exception{{Inner: sumtree.Ranges{{k, k + 1}}, Arith: n}}
	return b, len(a.Except) == 0 && k >= 0
}

// roundedBefore returns arithmetics for sums whose first two products are both
// rounded, while later ones are fused. The first of the two may be −0, and was
// added to +0; the sum of the two is never −0 then. One arithmetic has the
// first such sum only, and one has all, as lanes have.
func roundedBefore(t *sumtree.Tree, a sumtree.Arithmetic) []sumtree.Arithmetic {
	if len(a.Except) > 0 || a.FMA == sumtree.FMANone {
		return nil
	}
	fused, parents := a.FusedLeaves(t), t.Parents()
	sums := make([]bool, t.Inner())
	for _, p := range leafPairs(t) {
		sums[int(parents[p[0]])-t.Leaves()] = !fused[p[0]] && !fused[p[1]]
	}
	first := slices.Index(sums, true)
	if first < 0 {
		return nil
	}
	n := a.Nodes
	n.PlusZero = true
	var all []sumtree.Arithmetic
	for _, inner := range []sumtree.Ranges{{{first, first + 1}}, sumtree.RangesOf(sums)} {
		b := a
		b.Except = []sumtree.Exception{{Inner: inner, Arith: n}}
		all = append(all, b)
	}
	return all
}

// maxRests bounds the leaves at the end that sums before them are looked for.
const maxRests = 4

// beforeRests returns the sums that single leaves are added to at the end, as
// the rest of a length that lanes do not divide, and these leaves: from the
// root down. A longer chain has none.
func beforeRests(t *sumtree.Tree) (sums, leaves []int) {
	for id := t.Root(); !t.IsLeaf(id); {
		kids := t.Children(id)
		sum, leaf := int(kids[0]), int(kids[1])
		if t.IsLeaf(sum) {
			sum, leaf = leaf, sum
		}
		if t.IsLeaf(sum) || !t.IsLeaf(leaf) {
			break
		}
		if len(sums) == maxRests {
			return nil, nil
		}
		sums, leaves, id = append(sums, sum), append(leaves, leaf), sum
	}
	return sums, leaves
}

// loneLeaves returns the leaves that are added to sums. Their products may be
// fused, or rounded alone.
func loneLeaves(t *sumtree.Tree) []int {
	var all []int
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		for k, v := range kids {
			if t.IsLeaf(int(v)) && !t.IsLeaf(int(kids[1-k])) {
				all = append(all, int(v))
			}
		}
	}
	return all
}

// randomLeaves returns a random set of leaves, which often repeats itself after
// some of them, as lanes do.
func randomLeaves(rng *rand.Rand, n int) func(i int) bool {
	period := 1 + rng.IntN(n)
	if rng.IntN(2) == 0 {
		period = 1 + rng.IntN(min(n, maxStarts))
	}
	is := make([]bool, n)
	for i := range is {
		if is[i] = rng.IntN(3) > 0; i >= period && rng.IntN(8) > 0 {
			is[i] = is[i-period]
		}
	}
	return func(i int) bool { return is[i] }
}

// vanishingProducts returns products that are −0. The products of some leaves
// are negative and round to −0.
func vanishingProducts(c *ask.Channel, vanishes func(i int) bool) ask.Sample {
	f := c.Key.DType
	small := math.Ldexp(1, -f.Precision()-1)
	if accs := ask.Accumulators(c.Key); accs[len(accs)-1] != f {
		small = f.MinNormal() // or in a wider accumulator
	}
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ask.Ones(c.N)}
	for i := range s.X {
		s.X[i] = minusZero
		if vanishes(i) {
			s.X[i], s.Y[i] = -f.MinNormal(), small
		}
	}
	return s
}

// starter finds the sums of arithmetics that begin or end with +0.
type starter struct {
	c     *ask.Channel
	t     *sumtree.Tree
	begin *openings
	asked []ask.Sample
	found []foundStarts
	keeps int // of the inputs that show the leaves of a group
}

// foundStarts are the leaves that are added to +0, of those that are not fused.
type foundStarts struct{ fused, starts []bool }

// fitting looks among the arithmetics that a may be: a itself, and with sums
// that begin or end with +0. It returns some that reproduce what was asked, the
// first of them at least.
func (x *starter) fitting(a sumtree.Arithmetic) ([]sumtree.Arithmetic, error) {
	itself := Reproducing(x.t, []sumtree.Arithmetic{a}, x.asked)
	if isWide(a) {
		a.PlusZeroOut = true
		return append(itself, Reproducing(x.t, []sumtree.Arithmetic{a}, x.asked)...), nil
	}
	if !losesProducts(a) || a.FMA == sumtree.FMANone && len(itself) > 0 {
		return itself, nil // each product is rounded, and then added to +0
	}
	after := a
	after.PlusZeroOut = true
	ends := []sumtree.Arithmetic{after}
	if before, ok := addsTo(x.t, a, x.t.Root()); ok && isRoundedToZero(x.c) {
		ends = append(ends, before)
	}
	if !a.PlusZero {
		return Reproducing(x.t, append([]sumtree.Arithmetic{a}, ends...), x.asked), nil
	}
	ends = slices.Concat(ends, roundedBefore(x.t, a), x.begin.startingRivals(a),
		storedFirst(x.t, a))
	rules := fusedAs(x.t, a)
	x.keeps = spreadStarts
	if len(rules) > 1 {
		x.keeps = x.c.N // what is asked for one rule may refute another
	}
	all := []sumtree.Arithmetic{a}
	for _, b := range rules {
		starts, err := x.starts(b.FusedLeaves(x.t))
		if err != nil {
			return nil, err
		}
		s := b
		s.Starts = sumtree.RangesOf(starts)
		switch {
		case len(rules) > 1:
			all = append(all, b, s)
		case len(s.Starts) > 0:
			all = []sumtree.Arithmetic{s} // the answers refute a
		case s.FMA != a.FMA:
			all = append(all, s)
		}
	}
	all = append(all, ends...)
	for _, b := range all[:len(all):len(all)] {
		if b.RoundsStarts = b.FMA != sumtree.FMANone; b.RoundsStarts && len(b.Starts) > 0 {
			all = append(all, b)
		}
	}
	return firstReproducing(x.t, all, x.asked), nil
}

// beforeRest returns those that reproduce what was asked, of a with +0 added to
// a sum that only single leaves follow. It asks each of these to vanish alone,
// which shows where the sign of the sum before it goes.
func (x *starter) beforeRest(a sumtree.Arithmetic) (fit []sumtree.Arithmetic, err error) {
	if !losesProducts(a) || a.FMA == sumtree.FMANone || !a.PlusZero {
		return nil, nil
	}
	sums, leaves := beforeRests(x.t)
	var asked []ask.Sample
	for k, id := range sums {
		if b, ok := addsTo(x.t, a, id); ok {
			fit = append(fit, b)
		}
		asked = append(asked, vanishingProducts(x.c, func(i int) bool { return i == leaves[k] }))
	}
	if fit = Reproducing(x.t, fit, x.asked); len(fit) == 0 {
		return nil, nil
	}
	x.c.Expect("zeros", len(asked))
	if err := ask.AskSamples(x.c, asked); err != nil {
		return nil, err
	}
	x.asked = append(x.asked, asked...)
	return Reproducing(x.t, fit, asked), nil
}

// fusedAs returns the arithmetics that add the same products as a does, unless
// they vanish: those that fuse all, because the accumulator holds each exactly,
// may round some alone. An arithmetic that rounds all may add each to +0.
func fusedAs(t *sumtree.Tree, a sumtree.Arithmetic) []sumtree.Arithmetic {
	var all []sumtree.Arithmetic
	add := func(rule sumtree.FMA, fused sumtree.Ranges) {
		b := a
		b.FMA, b.Fused = rule, fused
		all = append(all, b)
	}
	switch a.FMA {
	case sumtree.FMANone:
		add(sumtree.FMAMixed, nil)
	case sumtree.FMAAll:
		a.Product = a.Nodes.Acc
		add(sumtree.FMANone, nil)
		add(sumtree.FMALater, nil)
		add(sumtree.FMAMixed, laterOfPairs(t))
		add(sumtree.FMAChain, nil)
		add(sumtree.FMAEarlier, nil)
		add(sumtree.FMAMixed, nil)
	default:
		return []sumtree.Arithmetic{a}
	}
	return all
}

// starts returns the leaves that are added to +0, of those whose products are
// rounded alone: the result is +0 although the product is −0, where all other
// such products vanish. Of many leaves it asks some of those that begin a sum
// and some of those that are added to one. Where all of these are added to +0,
// it takes the others for the same.
func (x *starter) starts(fused []bool) ([]bool, error) {
	for _, f := range x.found {
		if slices.Equal(f.fused, fused) {
			return f.starts, nil
		}
	}
	starts := make([]bool, len(fused))
	x.found = append(x.found, foundStarts{fused, starts})
	rounded := indicesWithout(fused)
	if len(rounded) < 2 {
		return starts, nil // a sum of zeros shows it
	}
	lone := make([]bool, len(fused))
	for _, i := range loneLeaves(x.t) {
		lone[i] = true
	}
	begins := slices.DeleteFunc(slices.Clone(rounded), func(i int) bool { return lone[i] })
	added := slices.DeleteFunc(rounded, func(i int) bool { return !lone[i] })
	for _, group := range [][]int{begins, added} {
		if err := x.askStarts(group, fused, starts); err != nil {
			return nil, err
		}
	}
	return starts, nil
}

// askStarts asks which leaves of a group are added to +0, and writes it to
// starts.
func (x *starter) askStarts(group []int, fused, starts []bool) error {
	some := group
	if len(group) > maxStarts {
		some = someOf(group, spreadStarts)
	}
	samples := make([]ask.Sample, len(some))
	for k, leaf := range some {
		samples[k] = startSample(x.c, []int{leaf}, fused)
	}
	x.c.Expect("zeros", len(samples))
	if err := ask.AskSamples(x.c, samples); err != nil {
		return err
	}
	step := max(1, len(samples)/x.keeps)
	for k := 0; k < len(samples); k += step {
		x.asked = append(x.asked, samples[k])
	}
	all := true
	for k, i := range some {
		starts[i] = isPlusZero(samples[k].Out)
		all = all && starts[i]
	}
	switch {
	case len(some) == len(group):
	case all:
		for _, i := range group {
			starts[i] = true
		}
	default:
		left := maxStartSearch
		return x.searchStarts(group, fused, starts, &left)
	}
	return nil
}

// startSample returns an input whose result is +0 if one of some leaves, which
// are not fused, is added to +0: their products are −0, and all others vanish.
func startSample(c *ask.Channel, leaves []int, fused []bool) ask.Sample {
	vanishes := make([]bool, len(fused))
	for i, f := range fused {
		vanishes[i] = !f
	}
	for _, i := range leaves {
		vanishes[i] = false
	}
	return vanishingProducts(c, func(i int) bool { return vanishes[i] })
}

// isPlusZero reports whether v is +0.
func isPlusZero(v float64) bool { return v == 0 && !math.Signbit(v) }

// searchStarts finds by halves the leaves of a group that are added to +0: one
// question shows that a part has none. It asks at most left questions, and
// takes leaves that it does not reach for not added.
func (x *starter) searchStarts(group []int, fused, starts []bool, left *int) error {
	if *left == 0 {
		return nil
	}
	*left--
	x.c.Expect("zeros", 1)
	asked := []ask.Sample{startSample(x.c, group, fused)}
	if err := ask.AskSamples(x.c, asked); err != nil {
		return err
	}
	is := isPlusZero(asked[0].Out)
	for _, i := range group {
		starts[i] = is && len(group) == 1
	}
	if !is || len(group) == 1 {
		x.asked = append(x.asked, asked...)
		return nil
	}
	half := len(group) / 2
	for _, part := range [][]int{group[:half], group[half:]} {
		if err := x.searchStarts(part, fused, starts, left); err != nil {
			return err
		}
	}
	return nil
}

// indicesWithout returns the indices where is holds not.
func indicesWithout(is []bool) []int {
	var all []int
	for i, v := range is {
		if !v {
			all = append(all, i)
		}
	}
	return all
}
