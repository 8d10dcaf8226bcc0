package python

import (
	"context"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// TestSharedInterpreter opens targets one after the other, and two at a time:
// each has an interpreter to itself, and takes over one that was left.
func TestSharedInterpreter(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy"), Share: true}
	t.Cleanup(d.Close)
	ctx := context.Background()
	add := func(address string, dtype fp.Format, n int) probe.Target {
		t.Helper()
		target, err := d.Open(ctx, address, probe.Spec{DType: dtype, N: n})
		if err != nil {
			t.Fatal(err)
		}
		b := probe.NewBatch(target)
		want := 0.0
		for i := range b.X {
			b.X[i] = float64(i % 7)
			want += b.X[i]
		}
		for range 2 {
			if err := target.Call(ctx, b); err != nil || b.Out[0] != want {
				t.Errorf("%s: %v, %v instead of %v", address, err, b.Out[0], want)
			}
		}
		return target
	}
	kept := d.pool.Idle
	first := add("numpy.sum", fp.Binary32, 100)
	second := add("numpy.einsum", fp.Binary64, 5000)
	if kept() != 0 {
		t.Errorf("%d interpreters idle while two targets are open", kept())
	}
	first.Close()
	second.Close()
	if kept() != 2 {
		t.Errorf("%d interpreters idle after two targets", kept())
	}
	third := add("numpy.cumsum", fp.Binary16, 9)
	if kept() != 1 {
		t.Errorf("%d interpreters idle beside a third target", kept())
	}
	_, err := d.Open(ctx, "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4, Device: "cuda"})
	if err == nil {
		t.Error("NumPy has no device")
	}
	third.Close()
}
