package chain

import "sync"

// minShare bounds the elements for one goroutine of a routine that reads each
// element of its matrix or vectors once, unless a Setting does: many times the
// cost of starting it.
const minShare = 1 << 17

// Goroutines returns how many goroutines pay for an operation that reads a
// number of elements once, in at most that many parts.
func (s Setting) Goroutines(elements, parts int) int {
	if elements < 2*minShare && s.Work == 0 {
		return 1
	}
	return max(1, min(s.threads(), parts, elements/orElse(s.Work, minShare)))
}

// Share calls do for the parts of n elements on a number of goroutines. The
// first elements of the parts are multiples of unit.
func Share(goroutines, n, unit int, do func(from, to int)) {
	size := share(n, ceil(n, goroutines), unit)
	var others sync.WaitGroup
	for from := size; from < n; from += size {
		others.Go(func() { do(from, min(from+size, n)) })
	}
	do(0, min(size, n))
	others.Wait()
}
