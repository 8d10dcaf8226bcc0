package stopwatch

import (
	"testing"
	"time"
)

// TestPairs compares calls that differ in their work.
func TestPairs(t *testing.T) {
	calls, sum := make([]int, 2), 0.0
	work := func(i, n int) func() {
		return func() {
			calls[i]++
			for range n {
				sum += 1 / (1 + sum)
			}
		}
	}
	for _, turns := range []Turns{
		{Processor: true}, {Length: time.Microsecond}, {Settle: time.Microsecond},
	} {
		clear(calls)
		ns, ratios := Pairs(turns, work(0, 100), work(1, 1e5))
		if len(ns) != 2 || len(ratios) != 2 || ns[0] <= 0 || ratios[0] != 1 ||
			!(ratios[1] > 1) || calls[0] < 7 || calls[1] < 7 {
			t.Errorf("%+v: %v, %v after %v calls", turns, ns, ratios, calls)
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{9, 1, 3, 2, 8}); got != 3 {
		t.Errorf("median = %v, want 3", got)
	}
}
