package python

import (
	"testing"

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
		threaded := target.(probe.Threaded)
		callOften(t, target)
		before, known := threaded.OtherThreads()
		callOften(t, target)
		after, ok := threaded.OtherThreads()
		// Idle threads of a library that was just loaded may end a task.
		for i := 0; i < 10 && !c.grows && after > before; i++ {
			before = after
			callOften(t, target)
			after, ok = threaded.OtherThreads()
		}
		if known = known && ok; known != c.known || known && (after > before) != c.grows {
			t.Errorf("%s: from %v to %v, known: %t", c.address, before, after, known)
		}
		target.Close()
	}
}

// callOften calls a target four times.
func callOften(t *testing.T, target probe.Target) {
	t.Helper()
	b := probe.NewBatch(target)
	for range 4 {
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
}
