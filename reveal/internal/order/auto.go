package order

import "github.com/lastbit/lastbit/reveal/internal/ask"

// manyLanes is the number of lanes in the pool above which the n−1 to n(n−1)/2
// questions of fprev take fewer calls than those of packed, which depend on
// each other.
const manyLanes = 8

// fewSummands is the largest n that fprev needs no more calls for than packed.
const fewSummands = 16

// auto returns the cheapest algorithms for c: a family first, since one that
// fits costs next to nothing, then one that finds every tree.
func auto(c *ask.Channel) []Algorithm {
	named := func(name string, f Finder) Algorithm { return Algorithm{Name: name, Finder: f} }
	guess := named("family", searchFinder(family))
	multiway := named("packed-multiway", treeFinder(packedMultiway))
	lanes, exact := len(c.Pool()), c.Scale.CountsAll()
	switch {
	case c.N < 3:
		return []Algorithm{guess}
	case exact && (lanes > manyLanes || c.N <= fewSummands):
		return []Algorithm{guess, named("fprev", treeFinder(fprev))}
	case lanes > manyLanes:
		return []Algorithm{guess, named("scaled", treeFinder(scaled)), multiway}
	}
	return []Algorithm{guess, named("packed", treeFinder(packedBinary)), multiway}
}
