package order

import (
	"math"
	"time"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// Costs are times that auto weighs algorithms by. Tests fix them.
type Costs struct {
	Call time.Duration // of a call with every lane filled, filling included
	Work time.Duration // of packed's own, for one set probe
}

// MeasuredCosts returns the costs of asking c, as far as its calls show them.
func MeasuredCosts(c *ask.Channel) Costs {
	return Costs{Call: ask.FullCall(c), Work: packedWork}
}

// packedWork is the time that packed takes to choose the probes of one lane,
// fill it and read the answer, on one core of a server of 2024.
const packedWork = 8 * time.Microsecond

// fewSummands is the largest n that fprev needs no more calls for than packed.
const fewSummands = 16

// The times of two algorithms are estimates. One takes the place of the other
// only where it is clearly faster, so that noise changes no plan.
const (
	clearRatio  = 2
	clearSaving = 100 * time.Millisecond
)

// auto returns the fastest algorithms for c: a family first, since one that
// fits costs next to nothing, then one that finds every tree.
//
// The others are packed and fprev, or scaled where sums of n ones are not
// exact. Packed needs many times fewer questions, but they depend on each
// other: with enough lanes, fprev needs fewer calls.
func auto(c *ask.Channel, costs Costs) []Algorithm {
	named := func(name string, f Finder) Algorithm { return Algorithm{Name: name, Finder: f} }
	guess := named("family", searchFinder(family))
	multiway := named("packed-multiway", treeFinder(packedMultiway))
	exact := c.Scale.CountsAll()
	switch {
	case c.N < 3:
		return []Algorithm{guess}
	case exact && (c.N <= fewSummands || prefersFPRev(c, costs)):
		return []Algorithm{guess, named("fprev", treeFinder(fprev))}
	case !exact && c.Scale.Step == 0 && prefersFPRev(c, costs):
		return []Algorithm{guess, named("scaled", treeFinder(scaled)), multiway}
	}
	return []Algorithm{guess, named("packed", treeFinder(packedBinary)), multiway}
}

// prefersFPRev reports whether fprev needs fewer calls for c than packed does,
// or, where the times are clearly different, less time. A random tree takes
// about n·(log2(n)+1)/p set probes, one after the other about log2(n)² of them,
// or n·log2(n)/2 masked pairs, in rounds that are fewer than log2(n).
func prefersFPRev(c *ask.Channel, costs Costs) bool {
	n, lanes := float64(c.N), float64(len(c.Pool()))
	depth := math.Log2(n) //lastbit:ignore libm an estimate of the work
	probes := 1.1 * n * (depth + 1) / float64(c.Scale.Bits)
	packed := probes/lanes + float64(0.6*depth*depth)
	fprev := n*depth/2/lanes + depth
	call := float64(costs.Call)
	timePacked := float64(packed*call) + float64(probes*float64(costs.Work))
	timeFPRev := float64(fprev * call)
	isClear := func(more, less float64) bool {
		return more > clearRatio*less && more-less > float64(clearSaving)
	}
	switch {
	case isClear(timePacked, timeFPRev):
		return true
	case isClear(timeFPRev, timePacked):
		return false
	}
	return fprev < packed
}
