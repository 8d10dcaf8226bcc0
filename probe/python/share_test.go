package python

import (
	"context"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// TestSharedInterpreter opens targets one after the other, and two at a time:
// all have the same interpreter.
func TestSharedInterpreter(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy"), Share: true}
	t.Cleanup(d.Close)
	ctx := context.Background()
	call := func(target probe.Target) {
		t.Helper()
		b := probe.NewBatch(target)
		want := 0.0
		for i := range b.X {
			b.X[i] = float64(i % 7)
			want += b.X[i]
		}
		if err := target.Call(ctx, b); err != nil || b.Out[0] != want {
			t.Errorf("%v: %v, %v instead of %v", target.Key(), err, b.Out[0], want)
		}
	}
	add := func(address string, dtype fp.Format, n int) probe.Target {
		t.Helper()
		target, err := d.Open(ctx, address, probe.Spec{DType: dtype, N: n})
		if err != nil {
			t.Fatal(err)
		}
		call(target)
		return target
	}
	first := add("numpy.sum", fp.Binary32, 100)
	second := add("numpy.einsum", fp.Binary64, 5000)
	if got := workers(t); len(got) != 1 {
		t.Errorf("interpreters %v for two targets of one library", got)
	}
	_, err := d.Open(ctx, "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4, Device: "cuda"})
	if err == nil {
		t.Error("NumPy has no device")
	}
	call(first)
	first.Close()
	call(second)
	second.Close()
	if d.pool.Idle() != 1 {
		t.Errorf("%d interpreters idle after two targets", d.pool.Idle())
	}
	add("numpy.cumsum", fp.Binary16, 9).Close()
	if got := workers(t); len(got) != 1 {
		t.Errorf("interpreters %v after a third target", got)
	}
}
