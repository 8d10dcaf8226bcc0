package crew

import "sync/atomic"

// Parts are the parts of a computation, which goroutines take one after
// another: each first its own share, and then parts of other shares that have
// not begun. So a part is mostly taken by the same goroutine when a computation
// runs again, and its data may be in the cache of that processor.
type Parts struct {
	count int
	next  []atomic.Int64 // of each share
}

// Reset makes all of some parts ready to be taken by some goroutines.
func (p *Parts) Reset(count, goroutines int) {
	p.count = count
	if cap(p.next) < goroutines {
		p.next = make([]atomic.Int64, goroutines)
	}
	p.next = p.next[:goroutines]
	for share := range p.next {
		p.next[share].Store(int64(p.first(share)))
	}
}

// first returns the first part of a share.
func (p *Parts) first(share int) int { return share * p.count / len(p.next) }

// Each calls do for parts until all are taken. worker is the number of the
// goroutine, from 0 on.
func (p *Parts) Each(worker int, do func(part int)) {
	for i := range p.next {
		share := (worker + i) % len(p.next)
		end := p.first(share + 1)
		for part := p.take(share); part < end; part = p.take(share) {
			do(part)
		}
	}
}

// take takes a part of a share. There are no more if it is beyond the share.
func (p *Parts) take(share int) int { return int(p.next[share].Add(1)) - 1 }
