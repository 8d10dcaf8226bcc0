package clib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/probetest"
)

var libraries = []string{"openblas", "blis", "reference"}

// integers fills a batch with small integers: every order gives their exact
// sum.
func integers(rng *rand.Rand, b *probe.Batch) {
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			v[i] = float64(rng.IntN(15) - 7)
		}
	}
}

// exact returns the sums of a batch by a plain loop.
func exact(b *probe.Batch, n int) []float64 {
	sums := make([]float64, len(b.Out))
	for r := range sums {
		for i := range n {
			y := 1.0
			if b.Y != nil {
				y = b.Y[i]
			}
			sums[r] += float64(b.X[r*n+i] * y)
		}
	}
	return sums
}

// holdExact calls the target with integers and compares every lane and cell.
func holdExact(t *testing.T, target probe.Target) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(target.Key().N)))
	b := probe.NewBatch(target)
	for range 2 {
		integers(rng, b)
		if err := target.Call(context.Background(), b); err != nil {
			t.Fatalf("%v: %v", target.Key(), err)
		}
		want := exact(b, target.Key().N)
		for r := range want {
			if b.Out[r] != want[r] {
				t.Fatalf("%v: lane %d is %v, want %v", target.Key(), r, b.Out[r], want[r])
			}
		}
		if c, ok := target.(probe.CellTarget); ok {
			rows, cols := c.Cells()
			all := make([]float64, rows*cols)
			if err := c.CallCells(context.Background(), b, all); err != nil {
				t.Fatal(err)
			}
			for i := range all {
				if all[i] != want[i/cols] {
					t.Fatalf("%v: cell [%d %d] is %v, want %v", target.Key(), i/cols, i%cols,
						all[i], want[i/cols])
				}
			}
		}
	}
}

// TestLayouts compares every layout of the operands with a plain loop.
func TestLayouts(t *testing.T) {
	for _, lib := range libraries {
		t.Run(lib, func(t *testing.T) {
			for _, s := range layouts() {
				target := blas(t, lib, s)
				holdExact(t, target)
				target.Close()
			}
		})
	}
}

func layouts() []probe.Spec {
	var all []probe.Spec
	pick := rand.New(rand.NewPCG(3, 4))
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, stride := range []int{0, 1, 3} {
			for _, align := range []int{0, 8, 40} {
				all = append(all,
					probe.Spec{Op: probe.Dot, DType: dtype, N: 37, Stride: stride, Align: align})
			}
		}
		for _, order := range []string{"", "C", "F"} {
			for _, trans := range []string{"", "a", "b", "ab"} {
				n, m, cols := 1+pick.IntN(20), 1+pick.IntN(20), 1+pick.IntN(20)
				s := probe.Spec{Op: probe.Gemm, DType: dtype, N: n, M: m, Cols: cols, Order: order,
					Trans: trans, Align: 8 * pick.IntN(8)}
				s.OutIndex = []int{m - 1, cols - 1}
				all = append(all, s)
				if !strings.Contains(trans, "b") {
					s.Op, s.Cols, s.OutIndex, s.Stride = probe.Gemv, 0, []int{m - 1}, 1+pick.IntN(3)
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// TestDefaults checks the default shapes, and that equal requests have equal
// keys.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		spec       probe.Spec
		rows, cols int
		out        []int
	}{
		{probe.Spec{N: 5}, 0, 0, nil},
		{probe.Spec{Op: probe.Gemv, N: 5}, 5, 0, []int{0, 0}},
		{probe.Spec{Op: probe.Gemv, N: 5, M: 3, OutIndex: []int{2}}, 3, 0, []int{2, 0}},
		{probe.Spec{Op: probe.Gemm, N: 5}, 5, 5, []int{0, 0}},
		{probe.Spec{Op: probe.Gemm, N: 5, Cols: 2, OutIndex: []int{4, 1}}, 5, 2, []int{4, 1}},
		{probe.Spec{Op: probe.Gemm, N: 1 << 20}, 3, 3, []int{0, 0}},
		{probe.Spec{Op: probe.Gemv, N: 1 << 20}, 6, 0, []int{0, 0}},
		{probe.Spec{Op: probe.Gemv, N: 1 << 24}, 1, 0, []int{0, 0}},
	} {
		k, err := cblasKey("blas:x", c.spec)
		if err != nil {
			t.Errorf("%+v: %v", c.spec, err)
		}
		if k.M != c.rows || k.Cols != c.cols || !reflect.DeepEqual(k.OutIndex, c.out) {
			t.Errorf("%+v: %d × %d, output %v", c.spec, k.M, k.Cols, k.OutIndex)
		}
		if k.DType != fp.Binary64 || k.Threads != 1 {
			t.Errorf("%+v: %v, %d threads", c.spec, k.DType, k.Threads)
		}
	}
	a, _ := cblasKey("blas:x", probe.Spec{Op: probe.Gemm, N: 7})
	b, err := cblasKey("blas:x",
		probe.Spec{Op: probe.Gemm, N: 7, M: 7, Cols: 7, Order: "C", Stride: 1, Threads: 1,
			Device: "cpu", DType: fp.Binary64, Acc: fp.Binary64, OutIndex: []int{0, 0}})
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v and %v (%v)", a, b, err)
	}
}

func TestRefusedSpecs(t *testing.T) {
	for _, s := range []probe.Spec{
		{N: 0}, {N: -1}, {N: math.MaxInt}, {Op: probe.Sum, N: 3}, {N: 3, DType: fp.Binary16}, {N: 3,
			DType: 99}, {N: 3, Acc: fp.Binary32},
		{N: 3, Axis: "0"}, {N: 3, Device: "cuda"}, {N: 3, Threads: -2}, {N: 3, Stride: -1}, {N: 3,
			Align: 64}, {N: 3, Align: -8}, {N: 3, Align: 4},
		{N: 1 << 29}, {N: 3, M: 2}, {N: 3, Cols: 2}, {N: 3, Trans: "a"}, {N: 3, Order: "F"}, {N: 3,
			OutIndex: []int{1}}, {N: 3, OutIndex: []int{0, 0}},
		{Op: probe.Gemv, N: 3, Trans: "b"}, {Op: probe.Gemv, N: 3, Trans: "x"}, {Op: probe.Gemv,
			N: 3, Order: "K"}, {Op: probe.Gemv, N: 3, M: -1},
		{Op: probe.Gemv, N: 3, Cols: 2}, {Op: probe.Gemv, N: 3,
			OutIndex: []int{3}}, {Op: probe.Gemv, N: 3, OutIndex: []int{0, 1}},
		{Op: probe.Gemm, N: 3, OutIndex: []int{1}}, {Op: probe.Gemm, N: 3,
			OutIndex: []int{0, 3}}, {Op: probe.Gemm, N: 3, OutIndex: []int{-1, 0}},
		{Op: probe.Gemm, N: 3, Stride: 2}, {Op: probe.Gemm, N: 1 << 20,
			M: 1 << 20}, {Op: probe.Gemm, N: 3, M: math.MaxInt},
	} {
		_, err := OpenCBLAS(context.Background(), "openblas", s)
		refused(t, err)
	}
	for _, s := range []probe.Spec{{N: 0}, {Op: probe.Gemv, N: 3}, {N: 3, Stride: 2},
		{N: 3, DType: fp.Binary16, Align: 1}, {N: 3, M: 3}} {
		_, err := Open(context.Background(), "/lib.so:f", s)
		refused(t, err)
	}
}

// refused checks that a request was refused before any search for a library.
func refused(t *testing.T, err error) {
	t.Helper()
	var f *probe.Fault
	ids := []string{badSpec, "unsupported-option", "bad-shape", "bad-out-index"}
	if !errors.As(err, &f) || !slices.Contains(ids, f.ID) || f.Cause == "" || f.Cure == "" {
		t.Errorf("%v is not the refusal of a request", err)
	}
}

func TestConformance(t *testing.T) {
	for _, lib := range libraries {
		for _, s := range []probe.Spec{
			{Op: probe.Dot, DType: fp.Binary32, N: 100},
			{Op: probe.Dot, DType: fp.Binary64, N: 1, Stride: 2},
			{Op: probe.Gemv, DType: fp.Binary64, N: 33, M: 7, Trans: "a"},
			{Op: probe.Gemm, DType: fp.Binary32, N: 65, M: 9, Cols: 11, Order: "F",
				OutIndex: []int{3, 10}},
		} {
			t.Run(fmt.Sprintf("%s/%s", lib, s.Op), func(t *testing.T) {
				blas(t, lib, s).Close()
				probetest.Run(t,
					func() (probe.Target, error) { return OpenCBLAS(context.Background(), lib, s) })
			})
		}
	}
}

func TestIdentity(t *testing.T) {
	for lib, want := range map[string]struct {
		title,
		file string
	}{"openblas": {"OpenBLAS", "libopenblas"}, "blis": {"BLIS", "libblis"},
		"reference": {"reference BLAS", "lib"}} {
		t.Run(lib, func(t *testing.T) {
			k := blas(t, lib, probe.Spec{N: 3}).Key()
			if k.Library != want.title || k.Target != "blas:"+lib ||
				!strings.HasPrefix(filepath.Base(k.Runtime), want.file) {
				t.Errorf("%+v", k)
			}
			if numbers.FindString(k.Version) != k.Version || k.Version == "" {
				t.Errorf("version %q", k.Version)
			}
			if (k.Kernel == "") != (lib == "reference") {
				t.Errorf("kernel %q", k.Kernel)
			}
			again := blas(t, k.Runtime, probe.Spec{N: 3}).Key()
			again.Target = k.Target
			if !reflect.DeepEqual(k, again) {
				t.Errorf("by its path it is %+v, by its name %+v", again, k)
			}
		})
	}
	if k := blas(t, "netlib", probe.Spec{N: 3}).Key(); k.Target != "blas:reference" {
		t.Errorf("netlib is %v", k)
	}
}

// TestReferenceIsNoOther asks for the reference BLAS where its soname is
// another's.
func TestReferenceIsNoOther(t *testing.T) {
	path := blas(t, "openblas", probe.Spec{N: 3}).Key().Runtime
	v, _ := vendorNamed("reference")
	v.soname, v.file = []string{path}, nil
	_, err := openVendor(context.Background(), v,
		probe.Key{Target: "blas:reference", Op: probe.Dot, DType: fp.Binary64, Out: fp.Binary64,
			N: 3, Threads: 1}, probe.Spec{})
	f := drivertest.Fault(t, err, libraryMissing)
	if !strings.Contains(f.Error(), "is OpenBLAS") {
		t.Error(f)
	}
}

func TestThreads(t *testing.T) {
	for _, lib := range []string{"openblas", "blis"} {
		for _, threads := range []int{-1, 1, 2} {
			s := probe.Spec{Op: probe.Gemm, N: 200, Threads: threads}
			target := blas(t, lib, s)
			if got := target.Key().Threads; threads > 0 && got != threads {
				t.Errorf("%s: %d threads, want %d", lib, got, threads)
			}
			holdExact(t, target)
		}
	}
	s := probe.Spec{N: 3, Threads: -1, Env: []string{"OPENBLAS_NUM_THREADS=2"}}
	if k := blas(t, "openblas", s).Key(); k.Threads != 2 || !slices.Equal(k.Env, s.Env) {
		t.Errorf("OpenBLAS has %d threads in the environment %v", k.Threads, k.Env)
	}
	blas(t, "reference", probe.Spec{N: 3, Threads: -1})
	_, err := OpenCBLAS(context.Background(), "reference", probe.Spec{N: 3, Threads: 2})
	drivertest.Fault(t, err, threadsFixed)
}

// TestOrderDependsOnThreads checks that the number of threads reaches OpenBLAS:
// a long ddot is then split, with those kernels that threads share a ddot in.
// OpenBLAS's own variable shows which these are.
func TestOrderDependsOnThreads(t *testing.T) {
	needs(t)
	long := func(threads int, env ...string) (probe.Target, error) {
		return OpenCBLAS(t.Context(), "openblas", probe.Spec{Op: probe.Dot, DType: fp.Binary64,
			N: 20000, Threads: threads, Env: env})
	}
	blas(t, "openblas", probe.Spec{N: 3})
	core, found := probetest.DifferingSetting(t, probetest.BLASCores(),
		func(core string, i int) (probe.Target, error) {
			return long(-1, "OPENBLAS_CORETYPE="+core, fmt.Sprint("OPENBLAS_NUM_THREADS=", 1+i))
		})
	if !found {
		require.Missing(t, "an OpenBLAS that shares a ddot among threads")
	}
	t.Logf("threads share a ddot with the kernels of %s", core)
	_, differ := probetest.DifferingSetting(t, []string{core},
		func(core string, i int) (probe.Target, error) {
			return long(1+i, "OPENBLAS_CORETYPE="+core)
		})
	if !differ {
		t.Errorf("%s: one and two threads give the same bits", core)
	}
}

func TestList(t *testing.T) {
	needs(t)
	files := map[string]bool{}
	addresses := map[string]bool{}
	for _, l := range List(context.Background()) {
		if addresses[l.Address] || l.Where != "" && files[l.Where] {
			t.Errorf("%v comes twice", l)
		}
		addresses[l.Address], files[l.Where] = true, true
		if len(l.Ops) != 3 || len(l.DTypes) != 2 || (l.Where == "") != (l.Absent != "") {
			t.Errorf("%+v", l)
		}
		t.Logf("%-30s %-30s %s %s", l.Address, l.Library, l.Where, l.Absent)
	}
	for _, lib := range libraries {
		if !addresses["blas:"+lib] {
			t.Errorf("%s is not listed", lib)
		}
	}
}

func TestListCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range List(ctx) {
		if l.Absent == "" {
			t.Errorf("%+v was examined", l)
		}
	}
}
