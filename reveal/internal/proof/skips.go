package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// A loop may skip products with a zero factor. With fused products, a sum can
// be −0 when it meets such a product: adding +0 makes it +0, and skipping
// leaves it −0. Arithmetic.Skips names the rule.

// skipSamples is the number of random inputs that tell such loops apart.
const skipSamples = 24

// SettleSkips asks for sums that are −0 before a product of two zeros, and adds
// the inputs to the samples. It returns the arithmetics of left that reproduce
// them, or in their place those that add the same products as they do, unless
// they vanish, and reproduce all samples.
func SettleSkips(
	c *ask.Channel, t *sumtree.Tree, left []sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	if c.N > maxEdges || t.MaxArity() > 2 || !slices.ContainsFunc(left, showsSkips) {
		return left, nil
	}
	asked := skippedSamples(c, t)
	c.Expect("zeros", len(asked))
	if err := ask.AskSamples(c, asked); err != nil {
		return nil, err
	}
	*samples = append(*samples, asked...)
	if still := Reproducing(t, left, asked); len(still) > 0 {
		return still, nil
	}
	var others []sumtree.Arithmetic
	for _, a := range left {
		if showsSkips(a) {
			others = append(others, fusedAs(t, a)...)
		}
	}
	return Reproducing(t, others, *samples), nil
}

// showsSkips reports whether the zero of a sum shows the products that are
// skipped.
func showsSkips(a sumtree.Arithmetic) bool {
	return a.Products && a.FMA != sumtree.FMANone && a.Skips == sumtree.SkipNone &&
		losesProducts(a)
}

// Skipping looks for a rule: skip a product whose first factor is zero, whose
// second is, or either, for all leaves or some. It returns arithmetics of left
// with a rule that reproduces all samples, and adds its inputs to these.
func Skipping(
	c *ask.Channel, t *sumtree.Tree, left []sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	left = slices.DeleteFunc(slices.Clone(left), func(a sumtree.Arithmetic) bool {
		return !showsSkips(a) || len(a.Starts) > 0 || a.Squares
	})
	if len(left) == 0 || c.N > maxSkipLeaves || t.MaxArity() > 2 {
		return nil, nil
	}
	asked := skippedAt(c, t, ascendingOrder(c.N))
	c.Expect("zeros", len(asked)+skipSamples)
	if err := ask.AskSamples(c, asked); err != nil {
		return nil, err
	}
	skipped := make([]bool, c.N)
	for i, s := range asked {
		skipped[i] = s.Out == 0 && math.Signbit(s.Out)
	}
	for _, p := range leafPairs(t) { // the first of a pair shows nothing
		if skipped[p[0]] != skipped[p[1]] {
			skipped[p[0]], skipped[p[1]] = false, false
		}
	}
	if !slices.Contains(skipped, true) {
		return nil, nil
	}
	more := someZeros(c)
	if err := ask.AskSamples(c, more); err != nil {
		return nil, err
	}
	*samples = slices.Concat(*samples, asked, more)
	var all []sumtree.Arithmetic
	for _, a := range left {
		if slices.Contains(skipped, false) {
			a.Skipped = sumtree.RangesOf(skipped)
		}
		for _, s := range []sumtree.Skip{sumtree.SkipX, sumtree.SkipY, sumtree.SkipEither} {
			a.Skips = s
			all = append(all, a)
		}
	}
	return Reproducing(t, all, *samples), nil
}

// skippedForms are factors whose product is a zero.
var skippedForms = []sumtree.Choice{{X: 0, Y: 1}, {X: 1, Y: 0}, {X: 0, Y: 0}}

// someZeros returns products that are negative and round to −0, and others with
// a factor 0 of either sign: the first, the second, or both.
func someZeros(c *ask.Channel) []ask.Sample {
	rng := ask.RandApart(c, "skips")
	all := make([]ask.Sample, skipSamples)
	for k := range all {
		s := vanishingProducts(c, func(int) bool { return rng.IntN(3) == 0 })
		for i, v := range s.X {
			if v == 0 {
				form := skippedForms[rng.IntN(len(skippedForms))]
				s.X[i] = math.Copysign(form.X, rng.Float64()-0.5)
				s.Y[i] = math.Copysign(form.Y, rng.Float64()-0.5)
			}
		}
		all[k] = s
	}
	return all
}

// The largest numbers of products that are each asked whether they are skipped:
// at first, and after one was.
const (
	maxSkips      = 1 << 7
	maxSkipLeaves = 1 << 11
)

// skippedSamples returns skippedAt each leaf, or at the last of many.
func skippedSamples(c *ask.Channel, t *sumtree.Tree) []ask.Sample {
	if c.N > maxSkips {
		return skippedAt(c, t, []int{c.N - 1})
	}
	return skippedAt(c, t, ascendingOrder(c.N))
}

// skippedAt returns for each of some leaves a sum that is −0 before its product
// of two zeros, and +0 from it on. What the leaf is added to are products that
// vanish; so are other lanes. Later products of its lane are −0.
func skippedAt(c *ask.Channel, t *sumtree.Tree, leaves []int) []ask.Sample {
	up := t.Parents()
	all := make([]ask.Sample, len(leaves))
	for k, leaf := range leaves {
		vanishes := make([]bool, c.N)
		for at, id := leaf, up[leaf]; id >= 0; at, id = int(id), up[id] {
			for _, kid := range t.Children(int(id)) {
				if int(kid) != at && (at == leaf || !t.IsLeaf(int(kid))) {
					markLeaves(t, int(kid), vanishes)
				}
			}
		}
		all[k] = vanishingProducts(c, func(i int) bool { return vanishes[i] })
		all[k].X[leaf], all[k].Y[leaf] = 0, 0
	}
	return all
}

// markLeaves marks the leaves of a node.
func markLeaves(t *sumtree.Tree, id int, is []bool) {
	if t.IsLeaf(id) {
		is[id] = true
		return
	}
	for _, kid := range t.Children(id) {
		markLeaves(t, int(kid), is)
	}
}
