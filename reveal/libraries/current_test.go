package libraries

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/python"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestArithmeticOfCurrentLibraries reveals functions whose arithmetic is more
// than a rounding per addition, in the environment of current libraries, and
// replays them.
func TestArithmeticOfCurrentLibraries(t *testing.T) {
	driver := &python.Driver{Python: pyenv.Python(t), Share: true}
	defer driver.Close()
	spec := func(op probe.Op, f fp.Format, n int) probe.Spec {
		return probe.Spec{Op: op, DType: f, N: n, Timeout: sweepLimit}
	}
	rows := spec(probe.Sum, fp.Binary32, 600)
	rows.Axis, rows.M = "0", 10
	one := spec(probe.Gemm, fp.BFloat16, 100)
	one.M = 1
	reciprocal := func(a sumtree.Arithmetic) bool { return a.Reciprocal }
	flushes := func(a sumtree.Arithmetic) bool { return a.DAZ && a.FTZ }
	any := func(sumtree.Arithmetic) bool { return true }
	scaled := func(a sumtree.Arithmetic) bool { return a.Mean || a.Factor != 0 || a.Divisor != 0 }
	const attends = "torch.nn.functional.scaled_dot_product_attention"
	carries := func(a sumtree.Arithmetic) bool {
		for _, e := range a.Except {
			if e.Arith.Carry != sumtree.CarryNone {
				return true
			}
		}
		return false
	}
	for _, c := range []struct {
		address string
		spec    probe.Spec
		has     func(sumtree.Arithmetic) bool
	}{
		{"jax.numpy.dot", spec(probe.Gemv, fp.Binary64, 64), flushes},
		{"jax.numpy.matmul", spec(probe.Gemm, fp.Binary64, 37), flushes},
		{"jax.numpy.mean", spec(probe.Sum, fp.Binary32, 100), reciprocal},
		{"jax.numpy.sum", rows, carries},
		{"jax.numpy.sum", spec(probe.Sum, fp.Binary32, 33), flushes},
		{"jax.numpy.dot", spec(probe.Gemv, fp.Binary64, 4), flushes},
		{"jax.numpy.dot", spec(probe.Dot, fp.Binary32, 129), flushes},
		{"jax.numpy.sum", spec(probe.Sum, fp.Binary32, 4096), carries},
		{"torch.mm", one, func(a sumtree.Arithmetic) bool { return a.FlushOut || !a.FTZ }},
		{"numpy.mean", spec(probe.Sum, fp.Binary16, 1000),
			func(a sumtree.Arithmetic) bool { return a.Mean && !a.Reciprocal }},
		{"torch.mm", spec(probe.Gemm, fp.BFloat16, 33), any},
		{"torch.mv", spec(probe.Gemv, fp.BFloat16, 65), any},
		{"torch.mv", spec(probe.Gemv, fp.BFloat16, 127), any},
		{"torch.nn.functional.rms_norm", spec(probe.RMSNorm, fp.BFloat16, 33), any},
		{attends, spec(probe.Attention, fp.Binary16, 33), scaled},
		{attends, spec(probe.Attention, fp.BFloat16, 17), scaled},
		{"numpy.linalg.norm", spec(probe.SumSq, fp.Binary16, 17),
			func(a sumtree.Arithmetic) bool { return a.After.Format == fp.Binary16 }},
	} {
		target, err := driver.Open(t.Context(), c.address, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		f := revealtest.Must(t, target, reveal.Options{}, nil)
		if !c.has(*f.Arithmetic) {
			t.Errorf("%s: %+v", f.Key, *f.Arithmetic)
		}
		if err := revealtest.Mismatch(t.Context(), target, f, sweepSeed, sweepInputs); err != nil {
			t.Errorf("%s: %v", f.Key, err)
		}
		target.Close()
	}
}

// TestIntegersOfCurrentLibraries holds what happens to sums of int8 and uint8
// that are too large for the results.
func TestIntegersOfCurrentLibraries(t *testing.T) {
	driver := &python.Driver{Python: pyenv.Python(t), Share: true}
	defer driver.Close()
	for _, c := range []struct {
		address string
		op      probe.Op
		in      probe.Integer
		n       int
		want    reveal.Integers
	}{
		{"torch:_int_mm", probe.Gemm, probe.Int8, 64, reveal.Integers{
			Results: probe.Int32, Overflow: reveal.NoOverflow, Bits: 22}},
		{"torch:_int_mm", probe.Gemm, probe.Int8, 200_000, reveal.Integers{
			Results: probe.Int32, Overflow: reveal.Wraps, Bits: 32}},
		{"torch.matmul", probe.Gemv, probe.Uint8, 100, reveal.Integers{
			Results: probe.Uint8, Overflow: reveal.Wraps, Bits: 8}},
		{"torch.sum", probe.Sum, probe.Int8, 100, reveal.Integers{
			Results: probe.Int64, Overflow: reveal.NoOverflow, Bits: 15}},
		{"numpy.einsum", probe.Gemm, probe.Int8, 20, reveal.Integers{
			Results: probe.Int8, Overflow: reveal.Wraps, Bits: 8}},
		{"numpy.sum", probe.Sum, probe.Uint8, 1000, reveal.Integers{
			Results: probe.Uint64, Overflow: reveal.NoOverflow, Bits: 18}},
	} {
		spec := probe.Spec{Op: c.op, DType: fp.Binary64, Integers: c.in, N: c.n,
			Timeout: sweepLimit}
		if c.op == probe.Gemm {
			spec.M, spec.Cols = 32, 16
		}
		target, err := driver.Open(t.Context(), c.address, spec)
		if err != nil {
			t.Fatal(err)
		}
		f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		target.Close()
		g := *f.Integers
		g.Wrong = 0
		if g != c.want || f.Verdict != reveal.Exact || !f.Verified {
			t.Errorf("%s: %+v, %s", f.Key, g, f.Verdict)
		}
	}
}

// changing returns how many calls of a target, with the same random summands,
// give another result than most.
func changing(t *testing.T, target probe.Target, calls int) int {
	rng := rand.New(rand.NewPCG(31, 32))
	b := probe.NewBatch(target)
	for i := range b.X {
		b.X[i] = rng.NormFloat64()
	}
	count, most := map[float64]int{}, 0
	for range calls {
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		count[b.Out[0]]++
		most = max(most, count[b.Out[0]])
	}
	return calls - most
}

// TestThreadsOfCurrentLibraries reveals sums of 300,000 that DuckDB, Polars and
// Numba share among threads, by their own number of these and by two. A call
// that threads share as they did in the call before is likely, so several seeds
// are tried. A library whose result seldom changes need not be found: a busy
// machine runs its threads one after the other.
func TestThreadsOfCurrentLibraries(t *testing.T) {
	if runtime.NumCPU() < 2 {
		require.Missing(t, "a second processor")
	}
	file := filepath.Join(t.TempDir(), "parallel.py")
	const source = `import numba


@numba.njit(parallel=True, fastmath=True)
def total(x):
    s = 0.0
    for i in numba.prange(x.size):
        s += x[i]
    return s
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	driver := &python.Driver{Python: pyenv.Python(t)}
	defer driver.Close()
	const n, seeds, calls, most, often = 300_000, 4, 400, 32, 400
	for _, c := range []struct {
		address string
		threads int
	}{
		{"duckdb.sum", -1},
		{"polars.DataFrame.group_by.sum", 2},
		{file + ":total", 2},
	} {
		s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: n, Threads: c.threads,
			Timeout: sweepLimit}
		target, err := driver.Open(t.Context(), c.address, s)
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		// Where few calls differ, as on a busy machine, a witness may stay
		// large. TestSharedSumsAreNamedEarly holds how small it gets, by models
		// with known schedules.
		found, fewest := false, n
		for seed := uint64(0); fewest > most && seed < seeds; seed++ {
			o := reveal.Options{Seed: seed, MaxCalls: calls}
			f, err := reveal.Reveal(t.Context(), target, o)
			var fault *probe.Fault
			if err != nil && !(errors.As(err, &fault) && fault.ID == "call-limit") {
				t.Fatal(err)
			}
			if f != nil && f.Verdict == reveal.Nondeterministic {
				found, fewest = true, min(fewest, summands(f.Witness.X))
			}
		}
		if found && fewest > most {
			t.Logf("%s: the witness has %d summands", c.address, fewest)
		} else if !found {
			report := t.Logf
			changed := changing(t, target, often)
			if 10*changed > often {
				report = t.Errorf
			}
			report("%s with %d threads is not found to change, as %d of %d calls do",
				c.address, c.threads, changed, often)
		}
	}
}

// summands returns the number of summands that are not zero.
func summands(x []float64) (n int) {
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}
