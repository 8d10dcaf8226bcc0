package proof

import (
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Most rivals differ in their treatment of subnormals. An ordinary sample,
// whose partial sums are far from the least normal number, has one result for
// all of them, and is replayed once.

// ordinary is what an ordinary sample shows of an arithmetic.
type ordinary struct {
	in, out, product, quotient        fp.Format
	products, squares, mean, inverted bool
	outNearest                        bool
	outMode                           fp.Mode
	significand                       int
	fma                               sumtree.FMA
	nodes                             sumtree.NodeArith
	parts                             string // the leaves and the nodes that differ
	odd                               int    // 1 and more: of an arithmetic that has no equals
}

// ordinaryOf returns what an ordinary sample shows of all[k].
func ordinaryOf(all []sumtree.Arithmetic, k int) ordinary {
	a := all[k]
	o := ordinary{in: a.In, out: a.Out, product: a.Product, quotient: a.Quotient,
		products: a.Products, squares: a.Squares, mean: a.Mean, inverted: a.Reciprocal,
		outNearest: a.OutNearest, outMode: a.OutMode, significand: a.Significand, fma: a.FMA,
		nodes: untreated(a.Nodes)}
	if except := ordinaryExceptions(&a); len(except)+len(a.Fused) > 0 {
		o.parts = fmt.Sprint(a.Fused, except)
	}
	if len(a.Weights) > 0 || a.After != nil || a.Centre != nil || a.Neighbours != 0 ||
		a.Rescale != 0 || a.FactorFormat != 0 || a.ProductStore != 0 || a.Factor != 0 ||
		a.Divisor != 0 {
		o.odd = k + 1
	}
	return o
}

// untreated returns the arithmetic of a node without its treatment of
// subnormals, and of the zeros that they become.
func untreated(n sumtree.NodeArith) sumtree.NodeArith {
	n.FlushOperands, n.KeepsSubnormals, n.PlusZero = false, false, false
	return n
}

// ordinaryExceptions returns the exceptions of an arithmetic that an ordinary
// sample shows.
func ordinaryExceptions(a *sumtree.Arithmetic) []sumtree.Exception {
	var shown []sumtree.Exception
	for _, e := range a.Except {
		if e.Arith = untreated(e.Arith); e.Arith != untreated(a.Nodes) {
			shown = append(shown, e)
		}
	}
	return shown
}

// isOrdinary reports whether a sample is far from subnormals, in formats that
// have room for that.
func isOrdinary(c *ask.Channel, s ask.Sample) bool {
	kinds := []ask.Kind{ask.Normal, ask.Drift, ask.Negative}
	return slices.Contains(kinds, s.Kind) && s.Out != 0 && c.Key.DType.MinNormal() < 0x1p-100 &&
		c.Key.Out.MinNormal() < 0x1p-100
}

// reproducingRivals is Reproducing for arithmetics that mostly differ in their
// treatment of subnormals: ordinary samples come first, and then those that
// show the treatment.
func reproducingRivals(
	c *ask.Channel, t *sumtree.Tree, all []sumtree.Arithmetic, samples []ask.Sample,
) []sumtree.Arithmetic {
	var some, others []ask.Sample
	for _, s := range samples {
		if isOrdinary(c, s) {
			some = append(some, s)
		} else {
			others = append(others, s)
		}
	}
	all = reproducingOrdinary(t, all, some)
	small := []ask.Kind{ask.Small, ask.Tiny, ask.Edge}
	isSmall := func(s ask.Sample) bool { return slices.Contains(small, s.Kind) }
	for s := range slices.Chunk(sortedFirst(others, isSmall), samplesAtOnce) {
		all = Reproducing(t, all, s)
	}
	return all
}

// reproducingOrdinary returns the arithmetics that reproduce ordinary samples.
// Most are refuted by one.
func reproducingOrdinary(
	t *sumtree.Tree, all []sumtree.Arithmetic, samples []ask.Sample,
) []sumtree.Arithmetic {
	first := min(1, len(samples))
	return reproducingTogether(t, reproducingTogether(t, all, samples[:first]), samples[first:])
}

// samplesAtOnce is the number of samples that arithmetics are compared on
// before those that are refuted are left out.
const samplesAtOnce = 8

// sortedFirst returns the samples that a function chooses, and then the others.
func sortedFirst(samples []ask.Sample, chooses func(s ask.Sample) bool) []ask.Sample {
	is := slices.DeleteFunc(slices.Clone(samples), func(s ask.Sample) bool { return !chooses(s) })
	return append(is, slices.DeleteFunc(slices.Clone(samples), chooses)...)
}

// reproducingTogether returns the arithmetics that reproduce ordinary samples.
func reproducingTogether(
	t *sumtree.Tree, all []sumtree.Arithmetic, samples []ask.Sample,
) []sumtree.Arithmetic {
	keys := make([]ordinary, len(all))
	of := map[ordinary]int{} // the arithmetic of several that is replayed
	var one []sumtree.Arithmetic
	for k := range all {
		keys[k] = ordinaryOf(all, k)
		if _, known := of[keys[k]]; !known {
			of[keys[k]] = len(one)
			one = append(one, all[k])
		}
	}
	fit := newReplays(t).fit(one, samples)
	var left []sumtree.Arithmetic
	for k, a := range all {
		if fit[of[keys[k]]] {
			left = append(left, a)
		}
	}
	return left
}
