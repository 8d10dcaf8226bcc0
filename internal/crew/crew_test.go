package crew

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// take returns a function that does parts until none is left, and the number of
// times that each was done.
func take(parts int) (do func(), times []int) {
	var next atomic.Int64
	times = make([]int, parts)
	return func() {
		for i := next.Add(1); int(i) <= parts; i = next.Add(1) {
			times[i-1]++
		}
	}, times
}

// TestRun runs computations one after another and at the same time, and counts
// that every part is done once before the end.
func TestRun(t *testing.T) {
	for _, run := range []func(int, func()){Run, RunShort} {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for i := range 500 {
					do, times := take(i % 7)
					run(1+i%5, do)
					for part, n := range times {
						if n != 1 {
							t.Errorf("part %d was done %d times", part, n)
						}
					}
				}
			})
		}
		all.Wait()
	}
}

// TestHelpers runs a computation that needs two goroutines at the same time:
// each waits for the other. The caller waits long, so that it must be woken.
func TestHelpers(t *testing.T) {
	for range 10 {
		var calls, met atomic.Int64
		Run(2, func() {
			calls.Add(1)
			Await(&calls, 2)
			met.Add(1)
		})
		if met.Load() != 2 {
			t.Fatalf("%d of 2 goroutines met", met.Load())
		}
	}
}

// TestLate takes work back from a helper that has not begun, and gives it other
// work.
func TestLate(t *testing.T) {
	h := newHelper()
	h.state.Store(ready) // as if its goroutine were about to run
	h.give(func() { t.Error("work was done that was taken back") }, false)
	h.finish()
	var done sync.WaitGroup
	done.Add(1)
	h.give(done.Done, false)
	go h.run()
	done.Wait()
	h.finish()
	if h.do != nil {
		t.Error("a helper keeps its work")
	}
}

// TestAwaited finishes work that ends when its caller sleeps.
func TestAwaited(t *testing.T) {
	h := newHelper()
	ended := false
	h.give(func() {
		for h.state.Load() != awaited {
		}
		ended = true
	}, true)
	for h.state.Load() != working {
	}
	h.finish()
	if !ended {
		t.Error("work was not awaited")
	}
}

// TestBegin starts a goroutine that begins while the caller waits.
func TestBegin(t *testing.T) {
	h := newHelper()
	begun, ended := make(chan struct{}), false
	h.give(func() {
		close(begun)
		ended = true
	}, true)
	hasten([]*helper{h})
	<-begun
	h.finish()
	if h.isBeginning.Load() || !ended {
		t.Errorf("begins: %v, ended: %v", h.isBeginning.Load(), ended)
	}
}

// TestBubble computes while the clock stands still, and again with helpers that
// were made there.
func TestBubble(t *testing.T) {
	meet := func() {
		var calls atomic.Int64
		Run(2, func() {
			calls.Add(1)
			Await(&calls, 2)
		})
	}
	synctest.Test(t, func(*testing.T) { meet() })
	meet()
}
