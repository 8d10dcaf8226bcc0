package python

import (
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// TestOtherThreads calls functions that compute in the interpreter's own
// thread, in a thread that stays, in threads that end, and beside a process.
func TestOtherThreads(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	for _, c := range []struct {
		address      string
		grows, known bool
	}{
		{"numpy.sum", false, true},
		{ownFile(t, "threads.py") + ":alone", false, true},
		{ownFile(t, "threads.py") + ":pooled", true, true},
		{ownFile(t, "threads.py") + ":started", true, true},
		{ownFile(t, "threads.py") + ":child", false, false},
	} {
		target, err := d.Open(t.Context(), c.address,
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		b := probe.NewBatch(target)
		times := [2]time.Duration{}
		known := true
		for k := range times {
			for range 4 {
				if err := target.Call(t.Context(), b); err != nil {
					t.Fatal(err)
				}
			}
			var ok bool
			times[k], ok = target.(probe.Threaded).OtherThreads()
			known = known && ok
		}
		if known != c.known || known && (times[1] > times[0]) != c.grows {
			t.Errorf("%s: times %v, known: %t", c.address, times, known)
		}
		target.Close()
	}
}
