package exact

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// minParallel is the least number of summands that several cores add
	// faster.
	minParallel = 1 << 21
	// share is the number of summands that a worker takes at a time.
	share = 1 << 16
)

// A team sums one operand on several cores. Its workers take one share after
// the other. Every sum is exact, so the assignment of shares does not change
// the result.
type team struct {
	o       operand
	next    atomic.Int64
	workers []*worker
	done    sync.WaitGroup
}

type worker struct {
	team *team
	acc  long
	run  func() // work, bound once so that starting it does not allocate
}

// teams holds teams that have done their work.
var teams = sync.Pool{New: func() any { return new(team) }}

// addParallel adds the summands of o to a, or returns false if there is only
// one core.
func addParallel(o *operand, a *long) bool {
	n := min(runtime.GOMAXPROCS(0), (o.len()+share-1)/share)
	if n < 2 {
		return false
	}
	t := teams.Get().(*team)
	for len(t.workers) < n {
		w := &worker{team: t}
		w.run = w.work
		t.workers = append(t.workers, w)
	}
	t.o = *o
	t.next.Store(0)
	t.done.Add(n - 1)
	for _, w := range t.workers[1:n] {
		go w.run()
	}
	t.workers[0].sum()
	t.done.Wait()
	for _, w := range t.workers[:n] {
		w.acc.carry()
		a.merge(&w.acc)
		w.acc = long{}
	}
	t.o = operand{}
	teams.Put(t)
	return true
}

func (w *worker) work() {
	defer w.team.done.Done()
	w.sum()
}

// sum adds shares until none is left.
func (w *worker) sum() {
	var s stream
	o, n := &w.team.o, int64(w.team.o.len())
	for {
		i := w.team.next.Add(share) - share
		if i >= n {
			break
		}
		p := o.part(int(i), int(min(i+share, n)))
		s.add(&p)
	}
	s.drain(&w.acc)
}
