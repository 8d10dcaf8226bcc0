package python

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// TestReopen opens a product for more and for fewer rows in the process of the
// first, whose shared memory is too small, and compares the results with those
// of a process of its own.
func TestReopen(t *testing.T) {
	spec := func(m, n int) probe.Spec {
		return probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: n, M: m, Cols: 3}
	}
	target := open(t, "numpy.matmul", spec(2, 5))
	var err error
	for _, s := range []probe.Spec{spec(300, 70), spec(1, 5), spec(4, 4)} {
		if target, err = target.(probe.Reopener).Reopen(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { target.Close() })
		fresh := open(t, "numpy.matmul", s)
		if k, want := target.Key().String(), fresh.Key().String(); k != want {
			t.Errorf("the key is %s, not %s", k, want)
		}
		b, c := probe.NewBatch(target), probe.NewBatch(fresh)
		for i := range b.X {
			b.X[i] = float64(i%7) + 0x1p-20
		}
		copy(c.X, b.X)
		for _, call := range []error{target.Call(t.Context(), b), fresh.Call(t.Context(), c)} {
			if call != nil {
				t.Fatal(call)
			}
		}
		for r := range b.Out {
			if b.Out[r] != c.Out[r] {
				t.Fatalf("row %d is %v, not %v", r, b.Out[r], c.Out[r])
			}
		}
	}
}

// TestReopenRefuses asks for what needs another process, and for what a
// function does not have. The target is closed then.
func TestReopenRefuses(t *testing.T) {
	for _, s := range []probe.Spec{
		{Op: probe.Sum, DType: fp.Binary32, N: 4, Threads: 2},
		{Op: probe.Sum, DType: fp.Binary32, N: 4, M: 3},
		{Op: probe.Gemm, DType: fp.Binary32, N: 4},
	} {
		target := open(t, "numpy.sum", probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4})
		if again, err := target.(probe.Reopener).Reopen(t.Context(), s); err == nil {
			again.Close()
			t.Errorf("%+v was not refused", s)
		}
		if err := target.Call(t.Context(), probe.NewBatch(target)); err == nil {
			t.Errorf("after %+v the old target is still open", s)
		}
	}
}
