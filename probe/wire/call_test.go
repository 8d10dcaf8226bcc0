package wire

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/internal/plan"
)

func TestCallAgainstLocal(t *testing.T) {
	for _, sh := range []bool{false, true} {
		for _, s := range []probe.Spec{
			{Op: probe.Sum, DType: fp.Binary64, N: 1},
			{Op: probe.Sum, DType: fp.Binary32, N: 100, Acc: fp.Binary64, Align: 8, Stride: 3},
			{Op: probe.Dot, DType: fp.Binary16, N: 77},
			{Op: probe.Sum, DType: fp.BFloat16, N: 33, Axis: "1", M: 5, Order: "F"},
			{Op: probe.Gemv, DType: fp.Binary32, N: 20, Trans: "a"},
			{Op: probe.Gemm, DType: fp.Binary32, N: 9, M: 4, Cols: 3, OutIndex: []int{1, 2},
				Threads: 2},
			{Op: probe.Dot, DType: fp.Binary64, N: 50000},
		} {
			t.Run(fmt.Sprintf("%s/%s/n=%d/shared=%v", s.Op, s.DType, s.N, sh), func(t *testing.T) {
				p := program(t, "honest")
				p.Shared = sh
				w := open(t, p, s)
				if w.answer.shared != (sh && runtime.GOOS == "linux") {
					t.Errorf("shared memory in use: %v", w.answer.shared)
				}
				checkKey(t, w.Key(), s)
				rng := rand.New(rand.NewPCG(1, 2))
				b := probe.NewBatch(w)
				for range 3 {
					fill(b, s.DType, rng)
					if err := w.Call(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					checkOut(t, w, b)
				}
				if w.Restarts() != 0 {
					t.Errorf("%d restarts", w.Restarts())
				}
			})
		}
	}
}

// checkKey checks the fields that the honest program reports.
func checkKey(t *testing.T, k probe.Key, s probe.Spec) {
	t.Helper()
	want, _, err := plan.Key("test:program", s)
	if err != nil {
		t.Fatal(err)
	}
	want.Library, want.Version, want.Runtime = "Höflich=gut", "1.0 beta", "hello, world = 100%"
	if s.Acc != 0 {
		want.Out = s.Acc
	}
	if fmt.Sprintf("%+v", k) != fmt.Sprintf("%+v", want) {
		t.Errorf("key\n%+v, want\n%+v", k, want)
	}
}

// checkOut compares outputs, and the matrix where there is one, with the honest
// sums computed here.
func checkOut(t *testing.T, w *Worker, b *probe.Batch) {
	t.Helper()
	k := w.Key()
	want := make([]float64, w.Lanes())
	for r := range want {
		want[r] = chain(k, b.X[r*k.N:(r+1)*k.N], b.Y)
		if math.Float64bits(want[r]) != math.Float64bits(b.Out[r]) {
			t.Fatalf("lane %d is %v, want %v", r, b.Out[r], want[r])
		}
	}
	c, ok := w.Target().(probe.CellTarget)
	if ok != (k.Op == probe.Gemv || k.Op == probe.Gemm) {
		t.Fatalf("cell target: %v for %s", ok, k.Op)
	}
	if !ok {
		return
	}
	rows, cols := c.Cells()
	all := make([]float64, rows*cols)
	clear(b.Out)
	if err := c.CallCells(t.Context(), b, all); err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		if v != want[i/cols] || b.Out[i/cols] != v {
			t.Fatalf("cell %d is %v, want %v", i, v, want[i/cols])
		}
	}
	drivertest.Fault(t, c.CallCells(t.Context(), b, all[1:]), "bad-batch")
}

// TestMoves moves the operands of a program with the option to move them.
func TestMoves(t *testing.T) {
	for _, shared := range []bool{false, true} {
		p := program(t, "honest")
		p.Shared = shared
		w := open(t, p, probe.Spec{Op: probe.Dot, DType: fp.Binary64, N: movedN})
		if far := (probe.Placement{X: 64, Y: 32}); w.Reach() != far {
			t.Fatalf("a reach of %+v", w.Reach())
		}
		b := probe.NewBatch(w)
		b.X[3] = 1000
		for _, at := range []probe.Placement{{}, {X: 8}, {Y: 16}, {X: 64, Y: 32}, {}, {X: 8}} {
			if err := w.CallAt(t.Context(), b, at); err != nil {
				t.Fatal(err)
			}
			if want := 1000 + float64(at.X+at.Y); b.Out[0] != want {
				t.Errorf("at %+v: %v, want %v", at, b.Out[0], want)
			}
		}
		if err := w.Call(t.Context(), b); err != nil || b.Out[0] != 1000 {
			t.Errorf("after a move: %v, %v", b.Out[0], err)
		}
		err := w.CallAt(t.Context(), b, probe.Placement{X: 72})
		drivertest.Fault(t, err, "worker-error", "72,0,0", "out of reach")
	}
	plain := open(t, program(t, "honest"), probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if far := plain.Reach(); far != (probe.Placement{}) {
		t.Errorf("a program that does not offer it has a reach of %+v", far)
	}
}

func TestProgramChoosesLanes(t *testing.T) {
	p := program(t, "honest")
	p.Shared = true
	w := open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 5})
	if w.Lanes() != 3 {
		t.Fatalf("%d lanes", w.Lanes())
	}
	b := probe.NewBatch(w)
	fill(b, fp.Binary64, rand.New(rand.NewPCG(3, 4)))
	if err := w.Call(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	checkOut(t, w, b)
}

func BenchmarkCall(b *testing.B) {
	for _, n := range []int{16, 1 << 20} {
		for _, sh := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/shared=%v", n, sh), func(b *testing.B) {
				p := program(b, "honest")
				p.Shared = sh
				w := open(b, p, probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n})
				batch := probe.NewBatch(w)
				for b.Loop() {
					if err := w.Call(b.Context(), batch); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
