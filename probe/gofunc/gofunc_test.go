package gofunc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

func open(t testing.TB, address string, s probe.Spec) probe.Target {
	t.Helper()
	target, err := Open(context.Background(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

// normals fills a batch with normally distributed values of the target's
// format.
func normals(rng *rand.Rand, target probe.Target) *probe.Batch {
	b := probe.NewBatch(target)
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			v[i] = target.Key().DType.Round(rng.NormFloat64(), fp.NearestEven)
		}
	}
	return b
}

func call(t testing.TB, target probe.Target, b *probe.Batch) []float64 {
	t.Helper()
	if err := target.Call(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	return slices.Clone(b.Out)
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestConformance runs the suite of all drivers on every address, operation and
// format, with the options of each.
func TestConformance(t *testing.T) {
	for _, l := range List(context.Background()) {
		var except []probetest.Exception
		if strings.Contains(l.Address, "kahan") || strings.Contains(l.Address, "neumaier") ||
			strings.Contains(l.Address, "Compensated") {
			except = append(except, probetest.NotFinite) // the error of an addition to Inf is NaN
		}
		for _, op := range l.Ops {
			for _, dtype := range l.DTypes {
				for _, s := range variants(op, dtype, l.Address) {
					name := fmt.Sprintf("%s/%s/%s/n=%d,m=%d,trans=%s,stride=%d,align=%d", l.Address,
						op, dtype, s.N, s.M, s.Trans, s.Stride, s.Align)
					t.Run(name, func(t *testing.T) {
						probetest.Run(t, func() (probe.Target, error) {
							return Open(context.Background(), l.Address, s)
						}, except...)
					})
				}
			}
		}
	}
}

func variants(op probe.Op, dtype fp.Format, address string) []probe.Spec {
	base := probe.Spec{Op: op, DType: dtype, N: 37}
	with := func(change func(s *probe.Spec)) probe.Spec {
		s := base
		change(&s)
		return s
	}
	all := []probe.Spec{base, with(func(s *probe.Spec) { s.N = 1 })}
	if dtype.Bytes() >= 4 {
		all = append(all, with(func(s *probe.Spec) { s.Align = 24 }))
	}
	if strings.Contains(address, "blas") && op != probe.Gemm {
		all = append(all, with(func(s *probe.Spec) { s.Stride = 3 }))
	}
	if op == probe.Gemv {
		all = append(all, with(func(s *probe.Spec) { s.Trans, s.M = "a", 5 }),
			with(func(s *probe.Spec) { s.OutIndex = []int{2} }))
	}
	if op == probe.Gemm {
		for _, trans := range []string{"", "a", "b", "AB"} {
			all = append(all,
				with(func(s *probe.Spec) {
					s.Trans, s.M, s.Cols, s.OutIndex = trans, 5, 7,
						[]int{1, 6}
				}),
				with(func(s *probe.Spec) { s.Trans, s.N, s.M, s.Cols = trans, 130, 129, 128 }))
		}
	}
	return all
}

// TestOrders compares every plain loop with a model that adds by its documented
// tree.
func TestOrders(t *testing.T) {
	pairwise := func(n int) *sumtree.Tree {
		b := sumtree.NewBuilder(n)
		var build func(from, to int) int
		build = func(from, to int) int {
			if to-from == 1 {
				return from
			}
			mid := from + (to-from)/2
			return b.Node(build(from, mid), build(mid, to))
		}
		build(0, n)
		return b.MustTree()
	}
	tests := []struct {
		address string
		op      probe.Op
		tree    func(n int) *sumtree.Tree
		o       probetest.Options
	}{
		{"go:naive", probe.Sum, probetest.Chain, probetest.Options{FromZero: true}},
		{"go:naive", probe.Dot, probetest.Chain, probetest.Options{FromZero: true}},
		{"go:fma", probe.Dot, probetest.Chain, probetest.Options{FromZero: true, FMA: true}},
		{"go:pairwise", probe.Sum, pairwise, probetest.Options{}},
		{"gonum:blas64.Gemm", probe.Gemm, probetest.Chain,
			probetest.Options{FromZero: true, Lanes: 3, Cols: 3}},
		{"gonum:blas32.Gemm", probe.Gemm, probetest.Chain,
			probetest.Options{FromZero: true, Lanes: 3, Cols: 3}},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tt := range tests {
		for _, e := range entries() {
			if e.address != tt.address {
				continue
			}
			for _, dtype := range e.dtypes {
				for _, n := range []int{1, 2, 3, 8, 31, 100} {
					target := open(t, tt.address,
						probe.Spec{Op: tt.op, DType: dtype, N: n, M: tt.o.Lanes, Cols: tt.o.Cols})
					o := tt.o
					o.Op, o.DType = tt.op, dtype
					model := probetest.FromTree(tt.tree(n), o)
					for range 50 {
						b := normals(rng, target)
						if got, want := call(t, target, b), call(t, model, b); !sameBits(got,
							want) {
							t.Fatalf("%s %v n=%d: %v, want %v", tt.address, dtype, n, got, want)
						}
					}
				}
			}
		}
	}
}

// TestCompensated checks that compensation recovers lost summands.
func TestCompensated(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		ulp := dtype.ULP(1)
		big := 2 / ulp // 1 is lost in it
		small, large := []float64{1, ulp / 2, ulp / 2}, []float64{1, big, 2, -big}
		for _, tt := range []struct {
			address string
			x       []float64
			want    float64
		}{
			{"go:naive", small, 1},
			{"go:kahan", small, 1 + ulp},
			{"go:neumaier", small, 1 + ulp},
			{"go:naive", large, 2},
			{"go:kahan", large, 4},
			{"go:neumaier", large, 3},
		} {
			target := open(t, tt.address, probe.Spec{Op: probe.Sum, DType: dtype, N: len(tt.x)})
			b := probe.NewBatch(target)
			copy(b.X, tt.x)
			if got := call(t, target, b)[0]; got != tt.want {
				t.Errorf("%s %v of %v: %v, want %v", tt.address, dtype, tt.x, got, tt.want)
			}
		}
	}
}

// TestThreads checks Open's promise about threads: gonum's parallel gemm
// returns the results of one thread.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(5, 6))
	for _, address := range []string{"gonum:blas64.Gemm", "gonum:blas32.Gemm"} {
		for _, trans := range []string{"", "a", "b", "ab"} {
			target := open(t, address,
				probe.Spec{N: 200, M: 150, Cols: 140, Trans: trans, Threads: -1}).(probe.CellTarget)
			if target.Key().Threads != 1 {
				t.Errorf("%s: the key has %d threads", address, target.Key().Threads)
			}
			b := normals(rng, target)
			var first []float64
			for _, procs := range []int{1, 2, 3, 8} {
				runtime.GOMAXPROCS(procs)
				all := make([]float64, 150*140)
				if err := target.CallCells(context.Background(), b, all); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = all
				}
				if !sameBits(first, all) {
					t.Errorf("%s %q: other bits with %d threads", address, trans, procs)
				}
			}
		}
	}
}

func TestAligned(t *testing.T) {
	for align := 0; align < 64; align += 4 {
		for n := 1; n < 40; n++ {
			checkPlaces[float32](t, n, align, 4)
			if align%8 == 0 {
				checkPlaces[float64](t, n, align, 8)
			}
		}
	}
}

// checkPlaces moves an operand of n values that begins align bytes past a
// multiple of 4096.
func checkPlaces[T float](t *testing.T, n, align, size int) {
	t.Helper()
	x := aligned[T](n, align)
	for _, past := range []int{0, size, 0, 64, 2048 + size, reach, reach - size, 0} {
		x.move(past)
		at := uintptr(unsafe.Pointer(&x.v[0])) % reach
		if at != uintptr((align+past)%reach) || len(x.v) != n || cap(x.v) != n {
			t.Fatalf("%T, align %d, n %d, moved by %d: at %d", x.v, align, n, past, at)
		}
		for i := range x.v {
			if x.v[i] != 0 {
				t.Fatalf("%T, align %d, n %d, moved by %d: not zero", x.v, align, n, past)
			}
			x.v[i] = 1
		}
	}
}

func TestStrideAndAlignReachTheKey(t *testing.T) {
	k := open(t, "gonum:blas64.Dot", probe.Spec{N: 8, Stride: 3, Align: 8}).Key()
	if k.Stride != 3 || k.Align != 8 || k.Library != "gonum" || k.Version == "" ||
		!strings.Contains(k.Kernel, runtime.GOARCH) || k.Op != probe.Dot ||
		k.DType != fp.Binary64 || k.Threads != 1 {
		t.Errorf("key %+v", k)
	}
	if k := open(t, "gonum:blas32.DDot", probe.Spec{N: 8}).Key(); k.DType != fp.Binary32 ||
		k.Out != fp.Binary64 || k.Stride != 0 {
		t.Errorf("key %+v", k)
	}
	if k := open(t, "lastbit:ordered.Dot", probe.Spec{N: 8}).Key(); k.Library != "lastbit" ||
		k.Kernel != kernel.Best().String() || k.Op != probe.Dot {
		t.Errorf("key %+v", k)
	}
	if k := open(t, "GO:Naive", probe.Spec{N: 8}).Key(); k.Target != "go:naive" ||
		k.Op != probe.Sum || k.DType != fp.Binary64 {
		t.Errorf("key %+v", k)
	}
}

func TestMixedDots(t *testing.T) {
	h := math.Ldexp(1, -24)
	for address, want := range map[string]float64{"gonum:blas32.DDot": 1 + h,
		"gonum:blas32.SDDot": 1, "gonum:blas32.Dot": 1} {
		target := open(t, address, probe.Spec{N: 2})
		b := probe.NewBatch(target)
		copy(b.X, []float64{1, h})
		if got := call(t, target, b)[0]; got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
}

func TestDefaultShapes(t *testing.T) {
	for _, tt := range []struct {
		address       string
		n, rows, cols int
	}{
		{"gonum:blas32.Gemm", 32, 32, 32},
		{"gonum:blas32.Gemm", 512, 512, 512},
		{"gonum:blas64.Gemm", 8193, 127, 127},
		{"gonum:blas64.Gemm", 1 << 20, 2, 2},
		{"gonum:blas64.Gemv", 1000, 1000, 0},
		{"gonum:blas64.Gemv", 100_000, 83, 0},
	} {
		target := open(t, tt.address, probe.Spec{N: tt.n})
		if k := target.Key(); k.M != tt.rows || k.Cols != tt.cols || target.Lanes() != tt.rows {
			t.Errorf("%s n=%d: %d×%d, want %d×%d", tt.address, tt.n, k.M, k.Cols, tt.rows, tt.cols)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		address, id string
		s           probe.Spec
	}{
		{"go:nothing", "unknown-target", probe.Spec{N: 4}},
		{"floats.Sum", "unknown-target", probe.Spec{N: 4}},
		{"go:naive", "bad-n", probe.Spec{}},
		{"go:naive", "bad-n", probe.Spec{N: -1}},
		{"go:pairwise", "unsupported-op", probe.Spec{N: 4, Op: probe.Dot}},
		{"gonum:floats.Sum", "unsupported-op", probe.Spec{N: 4, Op: probe.Dot}},
		{"gonum:floats.Sum", "unsupported-dtype", probe.Spec{N: 4, DType: fp.Binary32}},
		{"gonum:blas32.Dot", "unsupported-dtype", probe.Spec{N: 4, DType: fp.Binary64}},
		{"gonum:floats.Dot", "unsupported-option", probe.Spec{N: 4, Stride: 2}},
		{"go:naive", "unsupported-option", probe.Spec{N: 4, Stride: 2}},
		{"lastbit:ordered.Sum", "unsupported-option", probe.Spec{N: 4, Stride: 2}},
		{"lastbit:ordered.Sum", "unsupported-dtype", probe.Spec{N: 4, DType: fp.Binary16}},
		{"gonum:blas64.Dot", "unsupported-option", probe.Spec{N: 4, Stride: -1}},
		{"gonum:blas64.Gemm", "unsupported-option", probe.Spec{N: 4, Stride: 2}},
		{"gonum:blas64.Gemm", "unsupported-option", probe.Spec{N: 4, Order: "F"}},
		{"gonum:blas64.Gemv", "unsupported-option", probe.Spec{N: 4, Trans: "b"}},
		{"gonum:blas64.Dot", "unsupported-option", probe.Spec{N: 4, Trans: "a"}},
		{"go:naive", "unsupported-option", probe.Spec{N: 4, Threads: 2}},
		{"go:naive", "unsupported-option", probe.Spec{N: 4, Axis: "0"}},
		{"go:naive", "unsupported-option", probe.Spec{N: 4, Device: "cuda"}},
		{"go:naive", "unsupported-option", probe.Spec{N: 4, DType: fp.Binary32, Acc: fp.Binary64}},
		{"go:naive", "unsupported-option", probe.Spec{N: 4, DType: fp.Binary16, Align: 2}},
		{"go:naive", "bad-align", probe.Spec{N: 4, Align: 4}},
		{"go:naive", "bad-align", probe.Spec{N: 4, Align: 64}},
		{"go:naive", "bad-align", probe.Spec{N: 4, Align: -8}},
		{"go:naive", "bad-shape", probe.Spec{N: 4, M: 2}},
		{"gonum:blas64.Gemv", "bad-shape", probe.Spec{N: 4, Cols: 2}},
		{"gonum:blas64.Gemm", "bad-shape", probe.Spec{N: 4, M: -1}},
		{"gonum:blas64.Gemm", "bad-shape", probe.Spec{N: 1 << 20, M: 1 << 20}},
		{"gonum:blas64.Dot", "bad-shape", probe.Spec{N: 1 << 20, Stride: 1 << 20}},
		{"go:naive", "bad-shape", probe.Spec{N: math.MaxInt}},
		{"gonum:blas64.Gemv", "bad-shape", probe.Spec{N: math.MaxInt/4 + 1}},
		{"go:naive", "bad-out-index", probe.Spec{N: 4, OutIndex: []int{0}}},
		{"gonum:blas64.Gemv", "bad-out-index", probe.Spec{N: 4, OutIndex: []int{4}}},
		{"gonum:blas64.Gemm", "bad-out-index",
			probe.Spec{N: 4, M: 2, Cols: 3, OutIndex: []int{2, 0}}},
		{"gonum:blas64.Gemm", "bad-out-index", probe.Spec{N: 4, OutIndex: []int{1}}},
	} {
		target, err := Open(context.Background(), tt.address, tt.s)
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != tt.id || f.Thing == "" || f.Cause == "" || f.Cure == "" ||
			target != nil {
			t.Errorf("%s %+v: %v, want a fault %s", tt.address, tt.s, err, tt.id)
		}
	}
}

func TestOwnFunction(t *testing.T) {
	probetest.Run(t, func() (probe.Target, error) {
		return New("sum32", naiveSum[float32], 40), nil
	})
	probetest.Run(t, func() (probe.Target, error) {
		return NewDot("dot64", naiveDot[float64], 40), nil
	})
}

func TestOwnFunctionThatFails(t *testing.T) {
	for name, f := range map[string]func([]float64) float64{
		"index":  func(x []float64) float64 { return x[len(x)] },
		"panic":  func([]float64) float64 { panic("no") },
		"goexit": func([]float64) float64 { runtime.Goexit(); return 0 },
	} {
		target := New(name, f, 3)
		for range 2 { // a panic does not spoil the next call
			err := target.Call(context.Background(), probe.NewBatch(target))
			var fault *probe.Fault
			if !errors.As(err, &fault) || fault.ID != "target-panicked" ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestOwnFunctionThatHangs(t *testing.T) {
	release := make(chan struct{})
	s := probe.Spec{Op: probe.Sum, N: 2, DType: fp.Binary64, Timeout: time.Millisecond}
	target := newTarget(probe.Key{Target: "hangs"},
		newVectors(s, func(x, _ []float64) float64 { <-release; return x[0] }), s.Timeout, false)
	b := &probe.Batch{X: []float64{1, 2}, Out: make([]float64, 1)}
	for range 2 {
		err := target.Call(context.Background(), b)
		var fault *probe.Fault
		if !errors.As(err, &fault) || fault.ID != "target-timeout" {
			t.Errorf("%v, want a timeout", err)
		}
	}
	close(release)
}

// TestCancelledCall cancels a call in the middle; the next one waits for it.
func TestCancelledCall(t *testing.T) {
	release, entered := make(chan struct{}), make(chan struct{}, 2)
	target := New("slow",
		func(x []float64) float64 { entered <- struct{}{}; <-release; return x[0] + x[1] }, 2)
	b := probe.NewBatch(target)
	copy(b.X, []float64{1, 2})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-entered; cancel() }()
	if err := target.Call(ctx, b); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	close(release)
	copy(b.X, []float64{3, 4})
	if got := call(t, target, b); got[0] != 7 {
		t.Errorf("after a cancelled call: %v", got)
	}
}

func BenchmarkCall(b *testing.B) {
	for _, address := range []string{"go:naive", "gonum:floats.Sum", "gonum:blas32.Gemm"} {
		b.Run(address, func(b *testing.B) {
			target := open(b, address, probe.Spec{N: 512})
			batch := normals(rand.New(rand.NewPCG(1, 1)), target)
			for b.Loop() {
				call(b, target, batch)
			}
		})
	}
}
