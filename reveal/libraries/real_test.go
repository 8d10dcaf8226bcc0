package libraries

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

func TestMain(m *testing.M) {
	open.ServeIfWorker()
	os.Exit(m.Run())
}

// targets opens every target of the machine. Python's share an interpreter.
var targets = open.Drivers(open.Config{Share: true})

// sizes are numbers of summands that implementations change their ways at, from
// four ranges.
var sizes = [][]int{{1, 2, 7, 8}, {24, 31, 32, 100}, {127, 128, 129}, {1000, 8193, 1000, 0}}

// sizesOf returns the sizes of the i-th implementation: one of one range, in
// turn, so that every size comes often, or all with LASTBIT_SWEEP=all.
func sizesOf(i int) (all []int) {
	first := i
	for k, some := range sizes {
		if isWhole() {
			all = append(all, slices.Compact(slices.Sorted(slices.Values(some)))...)
			continue
		}
		if (k+first)%len(sizes) == 0 {
			all = append(all, some[i%len(some)])
		}
		i += i / len(some) // other pairs of sizes in each round
	}
	return slices.DeleteFunc(all, func(n int) bool { return n == 0 })
}

// timeout bounds a call of a product of n summands: a minute, and a second for
// ten million products more. A busy machine takes a small part of that.
func timeout(s probe.Spec) time.Duration {
	results := max(s.M, 1) * max(s.Cols, 1)
	switch {
	case s.Op == probe.Gemm && s.M == 0:
		results = s.N * s.N
	case s.Op == probe.Gemv && s.M == 0:
		results = s.N
	}
	return time.Minute + time.Duration(s.N*results)*100*time.Nanosecond
}

// real is an implementation, with its true verdict.
type real struct {
	address string
	op      probe.Op
	dtypes  []fp.Format
	want    reveal.Verdict
	most    int // largest n unless LASTBIT_SWEEP=all, 0 for all
	spec    probe.Spec
}

var (
	single = []fp.Format{fp.Binary32}
	double = []fp.Format{fp.Binary64}
	blas   = []fp.Format{fp.Binary32, fp.Binary64}
	halves = []fp.Format{fp.Binary16, fp.Binary32, fp.Binary64}
)

// TestReplayEqualsTheImplementation demands that the revealed tree and
// arithmetic give the implementation's own bits on fresh random inputs.
func TestReplayEqualsTheImplementation(t *testing.T) {
	i := 0
	for _, r := range reals() {
		for _, dtype := range r.dtypes {
			chosen := sizesOf(i)
			i++
			name := fmt.Sprintf("%s/%s/%s", r.address, r.op, dtype)
			if r.spec.Axis != "" || r.spec.Stride > 1 || r.spec.Order != "" || r.spec.Trans != "" {
				name += fmt.Sprintf("/axis%s-stride%d-%s-%s", r.spec.Axis, r.spec.Stride,
					r.spec.Order, r.spec.Trans)
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for _, n := range chosen {
					if r.most > 0 && n > r.most && !isWhole() ||
						testing.Short() && n > 129 {
						continue
					}
					checkReal(t, r, dtype, n)
				}
			})
		}
	}
}

func checkReal(t *testing.T, r real, dtype fp.Format, n int) {
	ctx := context.Background()
	s := r.spec
	s.Op, s.DType, s.N = r.op, dtype, n
	if r.op == probe.Gemm && n > 1000 {
		s.M, s.Cols = 32, 8 // the shapes by default take seconds a call
	}
	s.Timeout = timeout(s)
	target, err := targets.Open(ctx, r.address, s)
	var fault *probe.Fault
	if errors.As(err, &fault) && (strings.HasSuffix(fault.ID, "missing")) {
		require.Missing(t, r.address)
	}
	if err != nil {
		t.Fatalf("n=%d: %v", n, err)
	}
	defer target.Close()
	f, err := reveal.Reveal(ctx, target, reveal.Options{})
	if err != nil {
		t.Errorf("n=%d: %v", n, err)
		return
	}
	t.Logf("n=%d: %s %s, %d calls, %s, %s", n, f.Verdict, f.Family, f.Calls, f.Traits, target.Key())
	if r.want != "" && r.want != reveal.TreeVerdict {
		if f.Verdict != r.want && n > 8 {
			t.Errorf("n=%d: verdict %s, want %s", n, f.Verdict, r.want)
		}
		return
	}
	if f.Verdict == reveal.Unsupported && f.Key.Mean && dtype == fp.Binary16 && n > 129 {
		return // a mean of float16 values has not the range for masks and counts
	}
	if f.Verdict != reveal.TreeVerdict || !f.Verified {
		what := ""
		if f.Witness != nil {
			what = f.Witness.What
		}
		tree := ""
		if f.Tree != nil {
			tree = f.Tree.String()
		}
		t.Errorf("n=%d: verdict %s, verified %v by %s, %d of %d replays, %s, %v\n%.300s", n,
			f.Verdict, f.Verified, f.Algorithm, f.Evidence.ReplayMatched, f.Evidence.ReplayTried,
			what, f.Warnings, tree)
		return
	}
	inputs := 100
	if target.Lanes()*n > 1<<19 {
		inputs = 10 // one call computes them all, and one is looked at
	}
	revealtest.Replays(t, target, f, inputs)
}

func reals() []real {
	var all []real
	add := func(op probe.Op, dtypes []fp.Format, addresses ...string) {
		for _, a := range addresses {
			all = append(all, real{address: a, op: op, dtypes: dtypes})
		}
	}
	add(probe.Sum, blas, "go:naive", "go:pairwise")
	add(probe.Dot, blas, "go:naive", "go:fma")
	add(probe.Dot, double, "gonum:blas64.Dot")
	add(probe.Dot, single, "gonum:blas32.Dot", "gonum:blas32.DDot")
	add(probe.Gemv, double, "gonum:blas64.Gemv")
	add(probe.Gemv, single, "gonum:blas32.Gemv")
	for _, lib := range []string{"blas:openblas", "blas:blis", "blas:reference"} {
		add(probe.Dot, blas, lib)
		add(probe.Gemv, blas, lib)
	}
	add(probe.Sum, halves, "py:numpy.sum", "py:numpy.mean")
	add(probe.Dot, halves, "py:numpy.dot")
	add(probe.Gemv, blas, "py:numpy.matmul")
	small := func(op probe.Op, dtypes []fp.Format, most int, spec probe.Spec, addresses ...string) {
		for _, a := range addresses {
			all = append(all, real{address: a, op: op, dtypes: dtypes, most: most, spec: spec})
		}
	}
	small(probe.Sum, double, 1000, probe.Spec{}, "gonum:floats.Sum", "py:builtins.sum")
	small(probe.Dot, double, 1000, probe.Spec{}, "gonum:floats.Dot")
	small(probe.Sum, halves, 1000, probe.Spec{}, "py:numpy.cumsum", "py:numpy.einsum")
	small(probe.Dot, halves, 1000, probe.Spec{}, "py:numpy.inner", "py:numpy.einsum")
	small(probe.Gemv, halves, 1000, probe.Spec{}, "py:numpy.matmul", "py:numpy.einsum")
	small(probe.Gemm, double, 1000, probe.Spec{}, "gonum:blas64.Gemm")
	small(probe.Gemm, single, 1000, probe.Spec{}, "gonum:blas32.Gemm")
	small(probe.Gemm, blas, 1000, probe.Spec{}, "blas:openblas", "blas:blis")
	small(probe.Gemm, blas, 129, probe.Spec{}, "blas:reference")
	small(probe.Gemm, halves, 129, probe.Spec{}, "py:numpy.matmul", "py:numpy.einsum")
	small(probe.Sum, halves, 0, probe.Spec{Axis: "0"}, "py:numpy.sum")
	small(probe.Sum, halves, 0, probe.Spec{Axis: "1"}, "py:numpy.sum")
	small(probe.Sum, halves, 0, probe.Spec{Stride: 3}, "py:numpy.sum")
	small(probe.Sum, blas, 1000, probe.Spec{Axis: "0", Order: "F"}, "py:numpy.sum")
	small(probe.Sum, single, 1000, probe.Spec{Acc: fp.Binary64}, "py:numpy.sum")
	small(probe.Dot, blas, 1000, probe.Spec{Stride: 2}, "blas:openblas", "py:numpy.dot")
	small(probe.Gemv, blas, 1000, probe.Spec{Trans: "a"}, "blas:openblas", "blas:blis")
	small(probe.Sum, halves, 129, probe.Spec{}, "py:torch.sum")
	small(probe.Dot, blas, 129, probe.Spec{}, "py:torch.dot")
	small(probe.Gemm, blas, 129, probe.Spec{}, "py:torch.matmul")
	for _, gpu := range []string{"sim:v100", "sim:a100", "sim:h100"} {
		small(probe.Gemm, []fp.Format{fp.Binary16}, 129, probe.Spec{}, gpu)
	}
	small(probe.Gemm, []fp.Format{fp.BFloat16}, 129, probe.Spec{}, "sim:a100", "sim:h100")
	all = append(all,
		real{address: "py:math.fsum", op: probe.Sum, dtypes: double, want: reveal.Exact},
		real{address: "go:kahan", op: probe.Sum, dtypes: blas, want: reveal.Compensated},
		real{address: "go:neumaier", op: probe.Sum, dtypes: blas, want: reveal.Compensated})
	return all
}

// TestCallsOnRealTargets bounds the numbers of calls. OpenBLAS's kernels take
// 97 to 120 for a product, by processor.
func TestCallsOnRealTargets(t *testing.T) {
	for _, c := range []struct {
		address string
		spec    probe.Spec
		most    int
	}{
		{"py:numpy.sum", probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 1024}, 470},
		{"py:numpy.sum", probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 1 << 20}, 1000},
		{"py:numpy.sum", probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4096, Axis: "1"}, 100},
		{"py:numpy.matmul", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 512}, 140},
		{"blas:blis", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 512}, 140},
		{"go:naive", probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 16384}, 33000},
	} {
		c.spec.Timeout = timeout(c.spec)
		target, err := targets.Open(t.Context(), c.address, c.spec)
		var fault *probe.Fault
		if errors.As(err, &fault) && strings.HasSuffix(fault.ID, "missing") {
			require.Missing(t, c.address)
		}
		if err != nil {
			t.Fatal(err)
		}
		f := revealtest.Must(t, target, reveal.Options{}, nil)
		t.Logf("%s: %d calls", target.Key(), f.Calls)
		if f.Calls > c.most {
			t.Errorf("%s: %d calls, more than %d", target.Key(), f.Calls, c.most)
		}
		target.Close()
	}
}
