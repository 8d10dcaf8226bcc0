// Package lockfile holds lock files for numerics: for every operation of a
// project the order and the arithmetic of its additions, on each kind of
// machine. A lock file holds no results, so it does not grow with the data, and
// a difference names its cause.
//
//	f, err := lockfile.Read(ctx, "lastbit.lock")
//	d := lockfile.Compare(f.Profile(class), probedNow)
//	fmt.Println(len(d.Changes), "operations changed")
//
// # Format
//
// A lock file is TOML. Its first line is "# lastbit.lock v2". It is sorted, and
// the same contents give the same bytes. Every profile belongs to one class of
// machines. An operation has the request that it was probed with, the verdict,
// and for a verified tree its hash, family and arithmetic. The tree itself
// follows from its family, or is listed at the end of the file where no family
// gives it, so a lock file is enough to replay an operation: see
// Operation.Replayer. Sums of hashes lead to a result of an elementary function
// that changed. docs/use/lock.md describes every key.
//
// # Promise
//
// The package computes nothing except replays, which keep the promise of
// package sumtree. Operations that are not verified have no tree, and nothing
// but their verdict is compared.
package lockfile
