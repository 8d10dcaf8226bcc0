package chain

import "github.com/lastbit/lastbit/internal/crew"

// The fewest elements for one goroutine of a routine that reads each element of
// its matrix or vectors once, unless a Setting bounds them: many times the cost
// of starting it, and of giving work to one that is ready.
const (
	minShare      = 1 << 17
	minReadyShare = 1 << 15
)

// Goroutines is a number of goroutines for one operation.
type Goroutines struct {
	Most    int
	isShort bool // only goroutines that are ready pay
}

// Goroutines returns how many goroutines pay for an operation that reads a
// number of elements once, in at most that many parts.
func (s Setting) Goroutines(elements, parts int) Goroutines {
	least, isShort := orElse(s.Work, minShare), false
	if elements < 2*least && s.Work == 0 {
		least, isShort = minReadyShare, true
	}
	if elements < 2*least && s.Work == 0 {
		return Goroutines{1, false}
	}
	return Goroutines{max(1, min(s.threads(), parts, elements/least)), isShort}
}

// Share calls do for the parts of n elements on a number of goroutines. The
// first elements of the parts are multiples of unit.
func Share(g Goroutines, n, unit int, do func(from, to int)) {
	size := share(n, ceil(n, g.Most), unit)
	var parts crew.Parts
	parts.Reset(ceil(n, size), g.Most)
	doAll := func(worker int) {
		parts.Each(worker, func(part int) { do(part*size, min((part+1)*size, n)) })
	}
	if g.isShort {
		crew.RunShort(g.Most, doAll)
	} else {
		crew.Run(g.Most, doAll)
	}
}
