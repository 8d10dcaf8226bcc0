//go:build !race

package require

// Race reports whether the race detector is on. With it, pools drop values at
// random, and counts of allocations mean nothing.
const Race = false
