package clib

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/probetest"
)

// function opens a function of the library.
func function(t testing.TB, so, symbol string, s probe.Spec) probe.Target {
	t.Helper()
	target, err := Open(context.Background(), so+":"+symbol, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

func TestFunctions(t *testing.T) {
	so := compile(t, functions)
	for _, c := range []struct {
		symbol string
		spec   probe.Spec
	}{
		{"chain", probe.Spec{N: 100}},
		{"chain", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 1, Align: 8}},
		{"chainf", probe.Spec{DType: fp.Binary32, N: 8193}},
		{"dot", probe.Spec{Op: probe.Dot, N: 50, Align: 56}},
		{"dotf", probe.Spec{Op: probe.Dot, DType: fp.Binary32, N: 33}},
		{"talker", probe.Spec{N: 4}},
	} {
		t.Run(c.symbol, func(t *testing.T) {
			holdExact(t, function(t, so, c.symbol, c.spec))
			probetest.Run(t, func() (probe.Target, error) {
				return Open(context.Background(), so+":"+c.symbol, c.spec)
			})
		})
	}
}

// A function that writes to an operand is refused, be it the sign of a zero.
func TestFunctionChanges(t *testing.T) {
	so := compile(t, functions)
	for symbol, operand := range map[string]string{"scales": "x", "swaps": "y"} {
		target := function(t, so, symbol, probe.Spec{Op: probe.Dot, N: 3})
		b := probe.NewBatch(target)
		for _, first := range []float64{1, 13, 1} {
			b.X[0] = first
			err := target.Call(t.Context(), b)
			if first == 13 {
				drivertest.Fault(t, err, "function-changes", "it writes to its operand "+operand)
			} else if err != nil {
				t.Errorf("%s: %v", symbol, err)
			}
		}
	}
}

// TestChainBits compares a chain with the same chain in Go.
func TestChainBits(t *testing.T) {
	so := compile(t, functions)
	target := function(t, so, "chainf", probe.Spec{DType: fp.Binary32, N: 1000})
	b := probe.NewBatch(target)
	var want float32
	for i := range b.X {
		x := float32(math.Sin(float64(i))) * float32(i%17)
		b.X[i] = float64(x)
		want += x
	}
	if err := target.Call(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if math.Float64bits(b.Out[0]) != math.Float64bits(float64(want)) {
		t.Errorf("got %v, want %v", b.Out[0], want)
	}
	k := target.Key()
	if k.Runtime != so || k.Op != probe.Sum || k.DType != fp.Binary32 ||
		k.Target != "clib:"+so+":chainf" {
		t.Errorf("%+v", k)
	}
}

func TestNarrowBits(t *testing.T) {
	so := compile(t, functions)
	x := []float64{3, 0, 1, 255, 2, 0.0}
	for symbol, f := range map[string]fp.Format{"half": fp.Binary16, "bf16": fp.BFloat16} {
		target := function(t, so, symbol, probe.Spec{DType: f, N: len(x)})
		b := probe.NewBatch(target)
		copy(b.X, x)
		if err := target.Call(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if want := f.Round(261, fp.NearestEven); b.Out[0] != want || target.Key().Out != f {
			t.Errorf("%v: %v as %v, want %v", f, b.Out[0], target.Key().Out, want)
		}
	}
}

// shorts is the C code of functions that return a number of 16 bits, and of one
// that returns a float.
const shorts = `
#include <stddef.h>
_Float16 total(const _Float16 *x, size_t n) {
	_Float16 s = 0;
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}
_Float16 dot(const _Float16 *x, const _Float16 *y, size_t n) {
	_Float16 s = 0;
	for (size_t i = 0; i < n; i++) s += x[i] * y[i];
	return s;
}
float wide(const _Float16 *x, size_t n) {
	float s = 0;
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}
`

// TestShortResults calls functions that return a _Float16, which comes in
// another register than the bits of one.
func TestShortResults(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors have _Float16 in other modes")
	}
	so := require.Library(t, shorts, "-O2")
	for symbol, op := range map[string]probe.Op{"total": probe.Sum, "dot": probe.Dot} {
		target := function(t, so, symbol, probe.Spec{Op: op, DType: fp.Binary16, N: 3})
		b := probe.NewBatch(target)
		copy(b.X, []float64{1, 0x1p-24, -3})
		copy(b.Y, []float64{1, 1, 1})
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if b.Out[0] != -2 {
			t.Errorf("%s: %v, want -2", symbol, b.Out[0])
		}
	}
	for _, n := range []int{1, 2, 3, 8, 999} {
		_, err := Open(t.Context(), so+":wide", probe.Spec{DType: fp.Binary16, N: n})
		drivertest.Fault(t, err, notASumSymbol)
	}
}

func TestFloat32Bits(t *testing.T) {
	so := compile(t, functions)
	target := function(t, so, "first", probe.Spec{DType: fp.Binary32, N: 2})
	b := probe.NewBatch(target)
	for _, x := range []float64{0, math.Copysign(0, -1), fp.Binary32.Smallest(), -fp.Binary32.Max(),
		math.Inf(1)} {
		b.X[0] = x
		if err := target.Call(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if math.Float64bits(b.Out[0]) != math.Float64bits(x) {
			t.Errorf("%v came back as %v", x, b.Out[0])
		}
	}
}

// flushing makes the processor flush subnormals, as libraries compiled with
// -ffast-math do when they are loaded.
const flushing = `
#include <stddef.h>
#include <string.h>
#include <xmmintrin.h>
__attribute__((constructor)) static void fast(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
float first(const float *x, size_t n) { float f; memcpy(&f, x, 4); return f; }
float twice(const float *x, size_t n) { return x[0] + x[0]; }
`

// TestFlushingIsTheLibrarysAlone checks that a library's changes to the
// processor's state affect its own arithmetic in every call, and nothing else.
func TestFlushingIsTheLibrarysAlone(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("sets the modes of amd64")
	}
	so := compile(t, flushing)
	least := fp.Binary32.Smallest()
	for symbol, want := range map[string]float64{"first": least, "twice": 0} {
		target := function(t, so, symbol, probe.Spec{DType: fp.Binary32, N: 1})
		b := probe.NewBatch(target)
		for range 100 {
			b.X[0] = least
			if err := target.Call(context.Background(), b); err != nil {
				t.Fatal(err)
			}
			if b.Out[0] != want {
				t.Fatalf("%s(%v) = %v, want %v", symbol, least, b.Out[0], want)
			}
		}
	}
}

func TestAlignAndThreads(t *testing.T) {
	so := compile(t, functions)
	for _, c := range []struct {
		symbol string
		spec   probe.Spec
		want   float64
	}{
		{"address", probe.Spec{N: 9}, 1}, {"address", probe.Spec{N: 9, Align: 24}, 25},
		{"threads", probe.Spec{N: 2}, 1}, {"threads", probe.Spec{N: 2, Threads: 3}, 3},
	} {
		target := function(t, so, c.symbol, c.spec)
		b := probe.NewBatch(target)
		b.X[0] = 1
		if err := target.Call(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if b.Out[0] != c.want {
			t.Errorf("%s %+v: %v, want %v", c.symbol, c.spec, b.Out[0], c.want)
		}
	}
	t.Setenv("OMP_NUM_THREADS", "7")
	target := function(t, so, "threads", probe.Spec{N: 1, Threads: -1})
	b := probe.NewBatch(target)
	b.X[0] = 1
	if err := target.Call(context.Background(), b); err != nil || b.Out[0] != 7 {
		t.Errorf("by default %v threads (%v), want 7", b.Out[0], err)
	}
}

// TestDeaths checks that every way for C code to end its process is a Fault
// that names the way, and that the next call is answered.
func TestDeaths(t *testing.T) {
	so := compile(t, functions)
	for symbol, c := range map[string]struct{ id, cause string }{
		"segfault": {"worker-died", "segmentation fault"},
		"aborts":   {"worker-died", "aborted"},
		"traps":    {"worker-died", "floating point exception"},
		"exits":    {"worker-died", "exit status 3"},
		"recurses": {"worker-died", "segmentation fault"},
		"loops":    {"worker-timeout", "killed"},
	} {
		t.Run(symbol, func(t *testing.T) {
			spec := probe.Spec{N: 3}
			if symbol == "loops" {
				spec.Timeout = time.Second
			}
			target := function(t, so, symbol, spec)
			b := probe.NewBatch(target)
			b.X[0] = 13
			f := drivertest.Fault(t, target.Call(context.Background(), b), c.id)
			if !strings.Contains(f.Cause, c.cause) || !strings.Contains(f.Thing, so+":"+symbol) ||
				strings.Contains(f.Error(), "goroutine") {
				t.Error(f)
			}
			if c.id == "worker-died" &&
				!strings.Contains(f.Cure, "double "+symbol+"(const double *x, size_t n)") {
				t.Errorf("the cure %q does not give the signature", f.Cure)
			}
			holdExact(t, target)
		})
	}
}

func TestImplausible(t *testing.T) {
	so := compile(t, functions)
	for _, symbol := range []string{"nothing", "nan_always", "reads_on"} {
		_, err := Open(context.Background(), so+":"+symbol, probe.Spec{N: 5})
		drivertest.Fault(t, err, notASumSymbol)
	}
	_, err := Open(context.Background(), so+":dies_at_once", probe.Spec{N: 5})
	drivertest.Fault(t, err, "worker-died")
	// A sum that drops a summand is accepted.
	function(t, so, "drops", probe.Spec{N: 5})
}

// TestWrongSignatures calls functions with the wrong signature. n is even: with
// an odd n, one double would hold the last float and the NaN bits behind it,
// and the resulting NaN would carry that float back.
func TestWrongSignatures(t *testing.T) {
	so := compile(t, functions)
	for _, n := range []int{2, 6, 1000} {
		for _, c := range []struct {
			symbol string
			spec   probe.Spec
		}{
			{"chainf", probe.Spec{N: n}},
			{"chain", probe.Spec{DType: fp.Binary32, N: n}},
			{"chain", probe.Spec{DType: fp.BFloat16, N: n}},
			{"chainf", probe.Spec{DType: fp.Binary16, N: n}},
			{"chain", probe.Spec{Op: probe.Dot, N: n}},
			{"dot", probe.Spec{N: n}},
			{"dotf", probe.Spec{DType: fp.Binary32, N: n}},
			{"half", probe.Spec{N: n}},
		} {
			target, err := Open(context.Background(), so+":"+c.symbol, c.spec)
			if err == nil {
				t.Errorf("%s passes for %v %v, n = %d", c.symbol, target.Key().Op,
					target.Key().DType, n)
				target.Close()
				continue
			}
			var f *probe.Fault
			if !errors.As(err, &f) || f.ID != notASumSymbol && f.ID != "worker-died" {
				t.Errorf("%s: %v", c.symbol, err)
			}
		}
	}
}

func TestBadAddresses(t *testing.T) {
	so := compile(t, functions)
	dir := t.TempDir()
	text := filepath.Join(dir, "text.so")
	if err := os.WriteFile(text, []byte("GROUP ( libm.so.6 )\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	object := filepath.Join(dir, "program.o")
	if out, err := exec.Command(require.Program(t, "cc"), "-xc", "-c", "-o", object,
		"/dev/null").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct{ address, id, message string }{
		{"", badAddress, ""},
		{so, badAddress, ""},
		{so + ":", badAddress, ""},
		{":f", badAddress, ""},
		{"/nowhere/lib.so:f", libraryMissing, "/nowhere/lib.so"},
		{"libnowhere.so.9:f", libraryLoad, "libnowhere.so.9"},
		{dir + ":f", libraryFormat, dir},
		{text + ":f", libraryFormat, text},
		{object + ":f", libraryFormat, object},
		{otherMachine(t) + ":f", libraryFormat, "another processor"},
		{so + ":nowhere", symbolMissing, "nowhere"},
	} {
		if runtime.GOOS != "linux" && c.id == libraryFormat {
			continue // files are looked into on Linux
		}
		_, err := Open(context.Background(), c.address, probe.Spec{N: 3})
		if f := drivertest.Fault(t, err, c.id); !strings.Contains(f.Error(), c.message) ||
			!strings.Contains(f.Thing, c.address) {
			t.Errorf("%s: %v", c.address, f)
		}
	}
	for _, c := range []struct{ address, id string }{
		{"", badAddress}, {"nonsense", badAddress}, {"/nowhere/lib.so",
			libraryMissing}, {"libnowhere.so.9", libraryLoad}, {text, libraryFormat}, {so,
			symbolMissing},
	} {
		_, err := OpenCBLAS(context.Background(), c.address, probe.Spec{N: 3})
		drivertest.Fault(t, err, c.id)
	}
}

// otherMachine returns a copy of a library that claims to be for a processor
// that no one loads: the field e_machine, 2 bytes from 18 on.
func otherMachine(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(compile(t, functions))
	if err != nil {
		t.Fatal(err)
	}
	b[18], b[19] = 8, 0 // EM_MIPS
	path := filepath.Join(t.TempDir(), "mips.so")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMissingDependency loads a library whose own library is gone.
func TestMissingDependency(t *testing.T) {
	dep := compile(t, `double f(const double *x, unsigned long n) { return x[0]; }`)
	so := require.Library(t, `double f(const double *, unsigned long);
double g(const double *x, unsigned long n) { return f(x, n); }
`, dep)
	if err := os.Remove(dep); err != nil {
		t.Fatal(err)
	}
	_, err := Open(context.Background(), so+":g", probe.Spec{N: 3})
	drivertest.Fault(t, err, libraryLoad, dep)
}

// TestNotServing opens a target in a process that was started to be a worker
// and has gone on as if it were not.
func TestNotServing(t *testing.T) {
	so := compile(t, functions)
	t.Setenv("LASTBIT_WORKER", role)
	_, err := Open(context.Background(), so+":chain", probe.Spec{N: 3})
	if f := drivertest.Fault(t, err, notServing); !strings.Contains(f.Error(), "ServeIfWorker") {
		t.Error(f)
	}
}

// TestNoCore checks that a crash leaves no file.
func TestNoCore(t *testing.T) {
	so := compile(t, functions)
	t.Chdir(t.TempDir())
	target := function(t, so, "segfault", probe.Spec{N: 3})
	b := probe.NewBatch(target)
	b.X[0] = 13
	drivertest.Fault(t, target.Call(context.Background(), b), "worker-died")
	if left, err := os.ReadDir("."); err != nil || len(left) != 0 {
		t.Errorf("%v left (%v)", left, err)
	}
}

// TestNoOrphan checks that a worker in an endless loop is gone after a call
// that was cancelled.
func TestNoOrphan(t *testing.T) {
	so := compile(t, functions)
	target := function(t, so, "loops", probe.Spec{N: 3})
	b := probe.NewBatch(target)
	b.X[0] = 13
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if err := target.Call(ctx, b); err == nil {
		t.Fatal("an endless loop ended")
	}
	target.Close()
	if pids := children(t); len(pids) != 0 {
		t.Errorf("processes %v are left", pids)
	}
}

// children returns the processes that this one has started and that live.
func children(t *testing.T) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var pids []int
	for _, s := range stats {
		b, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if ppid, _ := strconv.Atoi(f[1]); ppid == os.Getpid() && f[0] != "Z" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(s)))
			pids = append(pids, pid)
		}
	}
	return pids
}
