package record

import (
	"runtime"
	"testing"
)

// TestCollections counts the collections of memory during calls, whose number
// alone decides.
func TestCollections(t *testing.T) {
	record(t)
	for _, size := range []int{16, 1 << 15} {
		g := Generate(5*callsBetween, "")
		f := New(uint64(size))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var kept []byte
		g.Call(f.id, func(x float64) { kept = make([]byte, size) })
		runtime.ReadMemStats(&after)
		g.End()
		if n := after.NumGC - before.NumGC; n != 5 || len(kept) != size {
			t.Errorf("%d collections with %d bytes a call", n, size)
		}
	}
}
