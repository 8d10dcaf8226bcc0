package explain

import (
	"fmt"
	"slices"
	"strings"
)

// Cause is a property that two models differ in.
type Cause string

// The causes.
const (
	Order       Cause = "order"       // of the additions
	FMA         Cause = "fma"         // products that enter their additions unrounded
	Accumulator Cause = "accumulator" // the format of partial sums, or a compensated sum
	Flush       Cause = "flush"       // subnormal numbers become zeros
	Inputs      Cause = "inputs"      // inputs rounded to a shorter format
	Rounding    Cause = "rounding"    // the direction, or one rounding more
	Fused       Cause = "fused"       // sums of several products at once
	Libm        Cause = "libm"        // an implementation of an elementary function
	Exact       Cause = "exact"       // correctly rounded results
)

// Causes returns all causes, in the order that they are listed in.
func Causes() []Cause {
	return []Cause{Order, FMA, Accumulator, Flush, Inputs, Rounding, Fused, Libm, Exact}
}

// choice is the rule that picks the causes of a difference from the models that
// reproduce the two results.
type choice struct {
	// wide prefers a correctly rounded result to a wider accumulator where both
	// fit.
	wide bool
	// bits is the evidence in the results of a side; it is negative for one
	// that needs none.
	bits func(side int) float64
	// plain reports whether all ordinary sums give the results of a side, which
	// are correctly rounded; nil for functions.
	plain func(side int) bool
}

// explain takes the pair of models with the fewest differences, or says why
// there is none.
func (c choice) explain(x *Explanation, found [2][]*candidate) {
	for k, name := range sideNames {
		if len(found[k]) == 0 {
			x.Reason = appendReason(x.Reason, "no model reproduces "+name)
		}
	}
	if x.Reason != "" {
		return
	}
	best, reason := c.best(found)
	if x.Reason = reason; reason == "" {
		x.A.Model, x.B.Model = best.c[0].name, best.c[1].name
		x.take(best)
	}
}

var sideNames = [2]string{"the first result", "the second result"}

// best returns the pair with the fewest differences, or the reason that there
// is none.
func (c choice) best(found [2][]*candidate) (best pair, reason string) {
	pairs := fewest(found)
	if len(pairs) == 0 {
		return best, "one model reproduces both results, zeros of different signs aside"
	}
	pairs = preferred(pairs, c.wide)
	best = pairs[0]
	for _, p := range pairs {
		if !slices.Equal(p.causes, best.causes) {
			return best, fmt.Sprintf("several causes fit as well: %s, or %s", words(best.causes),
				words(p.causes))
		}
	}
	for k, m := range best.c {
		anyOrder := best.c[1-k].isUnit() && !m.isUnit() || !best.ordersDiffer()
		if anyOrder && c.plain != nil && c.plain(k) {
			continue // no order of its own has to be told from others
		}
		if bits := c.bits(k); bits >= 0 && !enough(bits, m) {
			return best, fmt.Sprintf("too little evidence to name a cause: the elements have "+
				"about %.0f bits of it, and a model found among %d others needs %.0f", bits,
				m.rank, needed(m))
		}
	}
	return best, ""
}

// appendReason joins reasons.
func appendReason(s, more string) string {
	if s == "" {
		return more
	}
	return s + ", and " + more
}

// words joins causes.
func words(causes []Cause) string {
	var s []string
	for _, c := range causes {
		s = append(s, string(c))
	}
	return strings.Join(s, " and ")
}

// take makes a pair of models the explanation.
func (x *Explanation) take(best pair) {
	x.Explained, x.Reason = true, ""
	for _, c := range best.causes {
		if slices.Contains(x.Causes, c) {
			continue
		}
		x.Causes = append(x.Causes, c)
		x.Values = append(x.Values, Value{Cause: c, A: best.c[0].value(c), B: best.c[1].value(c),
			Advice: advice[c]})
	}
}

// value returns the value of a cause in words.
func (c *candidate) value(cause Cause) string {
	if cause == Exact && c.model[Exact] != correct {
		return c.name
	}
	return c.model[cause]
}

// pair is two models, one of each side.
type pair struct {
	c      [2]*candidate
	causes []Cause
}

// fewest returns the pairs of models that differ in the fewest causes, the
// likeliest first.
func fewest(found [2][]*candidate) []pair {
	var pairs []pair
	for _, a := range found[0] {
		for _, b := range found[1] {
			causes := a.model.difference(b.model)
			switch {
			case len(causes) == 0 || len(pairs) > 0 && len(causes) > len(pairs[0].causes):
				continue
			case len(pairs) > 0 && len(causes) < len(pairs[0].causes):
				pairs = nil
			}
			pairs = append(pairs, pair{[2]*candidate{a, b}, causes})
		}
	}
	slices.SortStableFunc(pairs, func(p, q pair) int {
		return p.c[0].rank + p.c[1].rank - q.c[0].rank - q.c[1].rank
	})
	return pairs
}

// preferred resolves pairs that no results distinguish. Sums of a wider
// accumulator are nearly always the correctly rounded ones; the wider
// accumulator is common for formats up to binary32, and rare for binary64. Most
// results of a good libm are correctly rounded. Sums of products of short
// formats seldom round in binary32, so an ordinary order gives the correctly
// rounded results too, and the cause is the matrix unit of the other result.
func preferred(pairs []pair, wide bool) []pair {
	has := func(c Cause) func(pair) bool {
		return func(p pair) bool { return slices.Contains(p.causes, c) }
	}
	drop := func(worse, better Cause) {
		both := func(p pair) bool { return has(better)(p) && has(worse)(p) }
		if slices.ContainsFunc(pairs, has(better)) && !slices.ContainsFunc(pairs, both) {
			pairs = slices.DeleteFunc(pairs, has(worse))
		}
	}
	drop(Exact, Libm)
	if slices.ContainsFunc(pairs, has(Fused)) {
		pairs = slices.DeleteFunc(pairs, pair.isExactBesideUnit)
	}
	if wide {
		drop(Accumulator, Exact)
	} else {
		drop(Exact, Accumulator)
	}
	return pairs
}

// ordersDiffer reports whether the causes hang on the order of either side.
func (p pair) ordersDiffer() bool {
	return slices.Contains(p.causes, Order) || slices.Contains(p.causes, FMA)
}

// isExactBesideUnit reports whether one side is correctly rounded, and the
// other a matrix unit's.
func (p pair) isExactBesideUnit() bool {
	for k := range p.c {
		if p.c[k].model[Exact] == correct && p.c[1-k].isUnit() {
			return true
		}
	}
	return false
}

// isUnit reports whether the model adds several products at once.
func (c *candidate) isUnit() bool {
	return c.model[Fused] != "" && c.model[Fused] != notFused
}

// advice is how to make two results agree, by the cause of their difference.
var advice = map[Cause]string{
	Order: "add in one order: call the same function of one library and version with the same " +
		"shapes and threads, or add exactly (lastbit sum, package exact)",
	FMA: "fuse products in both or in neither: build with -ffp-contract=off, or in Go write " +
		"float64(x*y) + z",
	Accumulator: "accumulate in one format: dtype= of NumPy's sum, a double in C, or the same " +
		"compensated summation",
	Flush: "treat subnormal numbers alike: build without -ffast-math, call " +
		"torch.set_flush_denormal(False), or compile CUDA code with -ftz=false",
	Inputs: "keep the inputs' format: torch.set_float32_matmul_precision('highest'), " +
		"torch.backends.cuda.matmul.allow_tf32 = False, NVIDIA_TF32_OVERRIDE=0",
	Rounding: "round alike: return both results in one format, call fesetround(FE_TONEAREST), " +
		"and divide a sum by n instead of multiplying it by 1/n",
	Fused: "run both on matrix units of one generation, or on ordinary arithmetic",
	Libm: "call one library's function in both, or a correctly rounded one (package crmath), " +
		"which gives the same bits everywhere",
	Exact: "compute both exactly (lastbit sum, packages exact and crmath)",
}
