// Package probetest holds artificial targets for tests, and the suite that
// every driver passes.
//
// Run checks a driver's target against the contract of probe.Target:
//
//	probetest.Run(t, func() (probe.Target, error) {
//		return mydriver.Open(ctx, "something", probe.Spec{N: 100})
//	})
//
// FromTree computes any summation tree in any formats, fused nodes included,
// and RandomTree makes a tree for a search to find. Refusals lists targets that
// are not one tree, each with its right verdict: exact, compensated,
// nondeterministic and value-dependent sums, and functions that are not sums.
// DifferingSetting finds, for a test that asks for a difference, a setting that
// makes one on this machine.
//
// Everything is computed by package fp on values of the formats, so the results
// are the same bits on every machine. Random trees come from a generator that
// the caller seeds.
package probetest
