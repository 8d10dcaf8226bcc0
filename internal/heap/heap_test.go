package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		heap, roots uint64
		want        int
	}{
		{0, 0, 3150}, {0, 3 * mb, 1575}, {16 * mb, 0, 282}, {32 * mb, 0, 100}, {500 * mb, 0, 100},
	} {
		if got := growth(c.heap, c.roots, 64*mb); got != c.want {
			t.Errorf("%d and %d bytes: %d percent, want %d", c.heap, c.roots, got, c.want)
		}
	}
}

// TestAdjust has the growth follow the heap.
func TestAdjust(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	settles := func(low, high int) {
		t.Helper()
		for range 200 {
			runtime.GC()
			if p := percent(); low <= p && p <= high {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("the heap grows by %d percent, want %d to %d", percent(), low, high)
	}
	adjust(64<<20, ordinary)
	settles(300, 3150)
	held := make([]byte, 40<<20)
	settles(ordinary, ordinary)
	runtime.KeepAlive(held)
	settles(300, 3150)
	debug.SetGCPercent(10)
	for range 3 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	settles(10, 10)
}
