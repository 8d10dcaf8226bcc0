//go:build !race

package require

// Race reports whether the race detector is on. With it, pools forget at
// random, so that nothing can be said of allocations.
const Race = false
