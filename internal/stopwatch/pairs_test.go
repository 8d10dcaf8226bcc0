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

// TestBounds bounds medians: five values lie on both sides of the median of
// what they are drawn from with a probability of 15/16, and so on.
func TestBounds(t *testing.T) {
	for n, k := range map[int]int{1: 0, 5: 0, 9: 1, 15: 3, 25: 7, 100: 40} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64((i*7 + 3) % n)
		}
		if n%7 == 0 {
			t.Fatalf("%d values are not different", n)
		}
		low, high := bounds(x)
		if low != float64(k) || high != float64(n-1-k) {
			t.Errorf("of 0 to %d: %v to %v, want from %d", n-1, low, high, k)
		}
	}
}

// TestDoubt goes on for a question that stays open, up to ten times the budget,
// and not for one that is answered.
func TestDoubt(t *testing.T) {
	calls := [][]float64{{1, 1, 2, 1, 1}, {1, 1, 3, 1, 1.25}} // ratios from 1 to 1.5
	doubt := func(limit float64) func(int, float64, float64) bool {
		return func(function int, low, high float64) bool {
			return function == 1 && low < limit && limit < high
		}
	}
	for _, x := range []struct {
		limit float64
		after time.Duration
		want  bool
	}{
		{1.1, 0, true}, {9, 0, true}, {1.1, 1, true}, {9, 1, false}, {1.4, 9, true},
		{1.6, 9, false}, {1, 5, false}, {1.1, 10, false},
	} {
		turns := Turns{Budget: time.Second, Doubt: doubt(x.limit)}
		if got := turns.goOn(x.after*time.Second, calls); got != x.want {
			t.Errorf("a doubt at %v after %d budgets: %v", x.limit, x.after, got)
		}
	}
	if (Turns{Budget: time.Second}).goOn(2*time.Second, calls) {
		t.Error("rounds go on without a doubt")
	}
}
