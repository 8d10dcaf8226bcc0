// Package probetest holds targets made up for tests, and the suite that every
// driver passes.
//
// Run holds a driver's target to the contract of probe.Target:
//
//	probetest.Run(t, func() (probe.Target, error) {
//		return mydriver.Open(ctx, "something", probe.Spec{N: 100})
//	})
//
// FromTree computes any summation tree in any formats, fused nodes included,
// and RandomTree makes one: what a search for trees has to find. Refusals lists
// targets that are not one tree, each with the verdict that it has to get:
// exact, compensated, nondeterministic, value-dependent sums, and what is not a
// sum.
//
// Everything is computed by package fp on values of the formats, so the results
// are the same bits on every machine. Random trees come from a generator that
// the caller seeds.
package probetest
