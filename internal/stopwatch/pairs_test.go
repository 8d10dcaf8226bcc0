package stopwatch

import (
	"runtime"
	"testing"
	"time"
)

// TestPairs compares calls that differ in their work, on the calling thread and
// in a goroutine that another thread may run: neither is missed.
func TestPairs(t *testing.T) {
	calls, sum := make([]int, 2), 0.0
	work := func(i, n int) {
		calls[i]++
		for range n {
			sum += 1 / (1 + sum)
		}
	}
	here := func() { work(1, 1e6) }
	elsewhere := func() {
		done := make(chan struct{})
		go func() {
			runtime.LockOSThread() // and so on another thread
			here()
			close(done)
		}()
		<-done
	}
	for _, turns := range []Turns{
		{Processor: true}, {Length: time.Microsecond}, {Settle: time.Microsecond},
	} {
		for name, large := range map[string]func(){"here": here, "elsewhere": elsewhere} {
			clear(calls)
			times := Pairs(turns, func() { work(0, 1e4) }, large)
			if len(times) != 2 || times[0].Ratio != 1 || times[0].FirstRatio != 1 ||
				calls[0] < 12 || calls[1] < 12 {
				t.Fatalf("%+v, %s: %+v after %v calls", turns, name, times, calls)
			}
			// 100 times the work, of at least some milliseconds, if all counts
			x := times[1]
			if times[0].Call <= 0 || times[0].First <= 0 || !(x.Ratio > 10) ||
				!(x.FirstRatio > 5) || !(x.Call > times[0].Call) || !(x.First > times[0].First) {
				t.Errorf("%+v, %s: %+v", turns, name, times)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{9, 1, 3, 2, 8}); got != 3 {
		t.Errorf("median = %v, want 3", got)
	}
}
