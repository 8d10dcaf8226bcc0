package vector

import "math/bits"

// Numbers of elements. A vector has 4 or 8 lanes.
const (
	firstBlock = 16   // of a slice
	probeBlock = 8    // after a pause
	minPause   = 48   // computed one by one after a block of rare cases
	maxPause   = 1536 // bounds the loss of ordinary elements behind rare ones
)

// A pace decides how many elements a kernel computes next, and how many after
// that are computed one by one.
//
// An argument that a kernel leaves undone costs its share of the kernel and the
// call of the function. Where more than 3/8 of a block are such arguments, a
// loop of calls takes about as long or less: pauses without the kernel follow,
// each twice as long as the one before, up to maxPause, until a short block
// succeeds. A whole block has to succeed before pauses are short again: of a
// random mixture, some short blocks have few rare cases. So n rare cases take
// O(log n) + n/maxPause kernel calls, or glances at a few elements where those
// show that they are rare, and otherwise the time of a loop.
type pace struct {
	block int // for the kernel's next call
	pause int // after it, if it fails
}

// isSure reports whether the kernel has had results for the elements before.
// Otherwise a glance at some elements may spare its call.
func (p *pace) isSure() bool { return p.block == Most }

// newPace returns the pace at the beginning of a slice.
func newPace() pace { return pace{firstBlock, minPause} }

// after returns the number of elements to compute one by one after a block of
// n. The kernel left undone those with a bit in fails.
func (p *pace) after(n int, fails uint64) (pause int) {
	if 8*bits.OnesCount64(fails) <= 3*n {
		if p.isSure() {
			p.pause = minPause
		}
		p.block = Most
		return 0
	}
	pause = p.pause
	*p = pace{probeBlock, min(2*pause, maxPause)}
	return pause
}
