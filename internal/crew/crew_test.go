package crew

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// take returns a function that does parts until none is left, and the number of
// times that each was done.
func take(count, goroutines int) (do func(worker int), times []int) {
	var parts Parts
	parts.Reset(count, goroutines)
	times = make([]int, count)
	return func(worker int) { parts.Each(worker, func(i int) { times[i]++ }) }, times
}

// TestRun runs computations one after another and at the same time, and counts
// that every part is done once before the end.
func TestRun(t *testing.T) {
	for _, run := range []func(int, func(worker int)){Run, RunShort} {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for i := range 500 {
					do, times := take(i%7, 1+i%5)
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

// TestParts takes all parts by one goroutine: its share comes first, then the
// shares of the goroutines after it.
func TestParts(t *testing.T) {
	var p Parts
	for _, x := range []struct {
		count, goroutines, worker int
		want                      []int
	}{
		{5, 2, 0, []int{0, 1, 2, 3, 4}},
		{5, 2, 1, []int{2, 3, 4, 0, 1}},
		{7, 3, 1, []int{2, 3, 4, 5, 6, 0, 1}},
		{2, 4, 3, []int{1, 0}},
		{0, 3, 1, nil},
	} {
		p.Reset(x.count, x.goroutines)
		var got []int
		for range 2 { // the second time nothing is left
			p.Each(x.worker, func(part int) { got = append(got, part) })
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("goroutine %d of %d took %v, want %v", x.worker, x.goroutines, got, x.want)
		}
	}
}

// TestWorkers holds that each goroutine has a number of its own, and the caller
// 0.
func TestWorkers(t *testing.T) {
	var calls atomic.Int64
	var called [3]atomic.Bool
	Run(3, func(worker int) {
		called[worker].Store(true)
		calls.Add(1)
		Await(&calls, 3)
	})
	for worker := range called {
		if !called[worker].Load() {
			t.Errorf("no goroutine has number %d", worker)
		}
	}
	Run(1, func(worker int) { called[worker].Store(false) })
	if called[0].Load() {
		t.Error("the caller has another number than 0")
	}
}

// TestHelpers runs a computation that needs two goroutines at the same time:
// each waits for the other. The caller waits long, so that it must be woken.
func TestHelpers(t *testing.T) {
	for range 10 {
		var calls, met atomic.Int64
		Run(2, func(int) {
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
	h := newHelper(1)
	h.state.Store(ready) // as if its goroutine were about to run
	h.give(func(int) { t.Error("work was done that was taken back") }, false)
	h.finish()
	if !h.mayWait.Load() {
		t.Error("nothing tells that the helper was late")
	}
	var done sync.WaitGroup
	done.Add(1)
	h.give(func(int) { done.Done() }, false)
	go h.run()
	done.Wait()
	h.finish()
	if h.do != nil {
		t.Error("a helper keeps its work")
	}
}

// TestAwaited finishes work that ends when its caller sleeps.
func TestAwaited(t *testing.T) {
	h := newHelper(1)
	ended := false
	h.give(func(int) {
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
	h := newHelper(1)
	begun, ended := make(chan struct{}), false
	h.give(func(int) {
		close(begun)
		ended = true
	}, true)
	hasten([]*helper{h})
	<-begun
	h.finish()
	if h.mayWait.Load() || !ended {
		t.Errorf("begins: %v, ended: %v", h.mayWait.Load(), ended)
	}
}

// TestBubble computes while the clock stands still, and again with helpers that
// were made there.
func TestBubble(t *testing.T) {
	meet := func() {
		var calls atomic.Int64
		Run(2, func(int) {
			calls.Add(1)
			Await(&calls, 2)
		})
	}
	synctest.Test(t, func(*testing.T) { meet() })
	meet()
}
