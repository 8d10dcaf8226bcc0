package proof

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// each runs do(0) … do(count−1), several at the same time.
func each(count int, do func(k int)) {
	eachBy(count, runtime.GOMAXPROCS(0), func(int) func(int) { return do })
}

// eachBy is each by workers, who are numbered from 0 and keep something from
// one k to the next: only one goroutine calls the function of a worker.
func eachBy(count, workers int, worker func(w int) func(k int)) {
	var running sync.WaitGroup
	var taken atomic.Int64
	for w := range min(count, workers) {
		running.Go(func() {
			do := worker(w)
			for k := int(taken.Add(1)) - 1; k < count; k = int(taken.Add(1)) - 1 {
				do(k)
			}
		})
	}
	running.Wait()
}

// inTurn uses create(0) … create(count−1), one after the other, until use
// fails. With isLong(k), number k is created while the one before is used.
func inTurn[T any](
	count int, isLong func(k int) bool, create func(k int) T, use func(T) error,
) error {
	var creating sync.WaitGroup
	var next T
	ahead := false
	for k := range count {
		if !ahead {
			next = create(k)
		}
		now := next
		ahead = k+1 < count && isLong(k+1)
		if ahead {
			creating.Go(func() { next = create(k + 1) })
		}
		err := use(now)
		creating.Wait()
		if err != nil {
			return err
		}
	}
	return nil
}
