package python

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// listings are those of this machine, which tests change nothing about.
var listings = sync.OnceValue(func() []probe.Listing { return (&Driver{}).List(context.Background()) })

// interpreterWith returns the interpreter that a Driver takes for a module.
func interpreterWith(t testing.TB, module string) string {
	t.Helper()
	for _, l := range listings() {
		if strings.HasPrefix(l.Address, prefix+module+".") && l.Absent == "" {
			python, _, _ := strings.Cut(l.Where, " ")
			return python
		}
	}
	require.Missing(t, "a Python with "+module)
	return ""
}

// reference is a running testdata/reference.py.
type reference struct {
	in  io.Writer
	out *bufio.Scanner
}

// startReference starts the reference under an interpreter, with one thread.
func startReference(t *testing.T, python string) *reference {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, "testdata/reference.py")
	for _, v := range threadVariables {
		cmd.Env = append(cmd.Environ(), v+"=1")
	}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // a reference that failed has said so by its silence
	})
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<26)
	return &reference{in, s}
}

// little gives values as bytes, the lowest first.
func little(v []float64) []byte {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// compute returns the reference's results for a batch.
func (r *reference) compute(t *testing.T, k probe.Key, b *probe.Batch) []float64 {
	t.Helper()
	acc, order := "", "C"
	if k.Acc != 0 {
		acc = k.Acc.String()
	}
	if k.Order != "" {
		order = k.Order
	}
	err := json.NewEncoder(r.in).Encode(map[string]any{
		"function": strings.TrimPrefix(k.Target, prefix), "op": k.Op, "dtype": k.DType, "n": k.N, "m": k.M, "cols": k.Cols, "axis": k.Axis, "trans": k.Trans, "order": order,
		"stride": max(1, k.Stride), "acc": acc, "index": k.OutIndex, "threads": k.Threads, "x": little(b.X), "y": little(b.Y),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.out.Scan() {
		t.Fatalf("the reference failed on %s", k)
	}
	var raw []byte
	if err := json.Unmarshal(r.out.Bytes(), &raw); err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(raw)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return v
}

// fill fills a batch with values of the format whose sums need rounding.
func fill(b *probe.Batch, f fp.Format, rng *rand.Rand) {
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			v[i] = f.Round(math.Ldexp(rng.NormFloat64(), rng.IntN(6)-3), fp.NearestEven)
		}
	}
}

// same compares bits; NaNs are the same.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// layouts are the variations of a request for an operation, beside the plain
// one.
func layouts(f *function, op probe.Op) []probe.Spec {
	specs := []probe.Spec{{}, {Stride: 3}, {Align: 8, Stride: 2}, {Align: 16}}
	switch op {
	case probe.Sum:
		specs = append(specs, probe.Spec{Threads: 2})
		if f.matrix {
			for _, axis := range []string{"0", "1"} {
				for _, order := range []string{"", "F"} {
					specs = append(specs, probe.Spec{Axis: axis, M: 6, Order: order}, probe.Spec{Axis: axis, M: 3, Order: order, Align: 24})
				}
			}
			specs = append(specs, probe.Spec{Axis: "1", M: 4, Stride: 2}, probe.Spec{Axis: "0", M: 4, Stride: 2, Order: "F"})
		}
		if f.index {
			specs = append(specs, probe.Spec{OutIndex: []int{0}}, probe.Spec{OutIndex: []int{4}})
		}
	case probe.Gemv:
		specs = append(specs, probe.Spec{M: 7, Trans: "a"}, probe.Spec{M: 5, Order: "F"}, probe.Spec{M: 5, Order: "F", Trans: "a", Stride: 2, Align: 40})
	case probe.Gemm:
		specs = []probe.Spec{{M: 9, Cols: 5}, {M: 16, Cols: 16, OutIndex: []int{3, 11}}, {M: 3, Cols: 1}, {M: 1, Cols: 4}}
		for _, trans := range []string{"a", "b", "ab"} {
			specs = append(specs, probe.Spec{M: 8, Cols: 20, Trans: trans, OutIndex: []int{0, 19}}, probe.Spec{M: 6, Cols: 4, Trans: trans, Order: "F", Stride: 2, Align: 32})
		}
	}
	return specs
}

// checkFunctions compares every function of a module with the reference, in
// the layouts that few leaves of all. Most of the workers are forks of one, for
// to load a library takes longer than all the rest; those of the plain layout
// for which fresh says so are started as they are outside of tests.
func checkFunctions(t *testing.T, module, python string, lengths []int, few func(f *function, dtype fp.Format, all []probe.Spec) []probe.Spec, fresh func(f *function, dtype fp.Format) bool) {
	started, forked := &Driver{Python: python}, &Driver{Python: forked(t, python, module)}
	ref := startReference(t, python)
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range functions {
		f := &functions[i]
		if f.module != module {
			continue
		}
		for _, op := range f.ops {
			for _, dtype := range f.dtypes {
				t.Run(fmt.Sprintf("%s/%s/%s", f.name, op, dtype), func(t *testing.T) {
					for j, s := range few(f, dtype, layouts(f, op)) {
						s.Op, s.DType, s.N = op, dtype, lengths[j%len(lengths)]
						if f.index && s.OutIndex != nil {
							s.N = 100
						}
						d := forked
						if j == 0 && fresh(f, dtype) {
							d = started
						}
						checkSpec(t, d, f, s, ref, rng)
						if f.acc && j == 0 && dtype != fp.Binary64 {
							s.Acc = fp.Binary64
							checkSpec(t, d, f, s, ref, rng)
						}
					}
				})
			}
		}
	}
}

// checkSpec compares one target with the reference on random inputs.
func checkSpec(t *testing.T, d *Driver, f *function, s probe.Spec, ref *reference, rng *rand.Rand) {
	t.Helper()
	target, err := d.Open(t.Context(), strings.TrimPrefix(f.address(), prefix), s)
	var fault *probe.Fault
	if errors.As(err, &fault) && fault.ID == "unsupported" && (strings.Contains(fault.Cause, "not implemented for") || strings.Contains(fault.Cause, "does not offer") || strings.Contains(fault.Cause, "has no tensors")) {
		return // the library has it not, and says so
	}
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	defer target.Close()
	k, b := target.Key(), probe.NewBatch(target)
	cells, _ := target.(probe.CellTarget)
	if (cells != nil) != (k.Op == probe.Gemm || k.Op == probe.Gemv) {
		t.Errorf("%s: cell target %v", k, cells != nil)
	}
	for range 2 {
		fill(b, k.DType, rng)
		want := ref.compute(t, k, b)
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatalf("%s: %v", k, err)
		}
		checkResults(t, k, b.Out, want)
		if cells != nil {
			all := make([]float64, len(want))
			if err := cells.CallCells(t.Context(), b, all); err != nil {
				t.Fatalf("%s: %v", k, err)
			}
			checkResults(t, k, b.Out, want)
			if !slices.EqualFunc(all, want, same) {
				t.Errorf("%s: cells %v, want %v", k, all, want)
			}
		}
	}
}

// checkResults compares lanes with the reference's results, of which they are a
// column where it gives a matrix.
func checkResults(t *testing.T, k probe.Key, out, want []float64) {
	t.Helper()
	cols, col := 1, 0
	if k.Op == probe.Gemm {
		cols, col = k.Cols, k.OutIndex[1]
	}
	if len(want) != len(out)*cols {
		t.Fatalf("%s: %d results, the reference has %d", k, len(out), len(want))
	}
	for i, v := range out {
		if !k.Out.Contains(v) {
			t.Errorf("%s: %v is no value of %s", k, v, k.Out)
		}
		if !same(v, want[i*cols+col]) {
			t.Errorf("%s: lane %d is %x, the reference says %x", k, i, v, want[i*cols+col])
			return
		}
	}
}

// each leaves all layouts.
func each(_ *function, _ fp.Format, all []probe.Spec) []probe.Spec { return all }

// always has every worker of the plain layout started.
func always(*function, fp.Format) bool { return true }

func TestNumPy(t *testing.T) {
	checkFunctions(t, "numpy", interpreterWith(t, "numpy"), []int{1, 100, 129, 31, 1000, 8}, each, always)
}

func TestTorch(t *testing.T) {
	// The reference reads and writes by NumPy.
	python := interpreterWith(t, "torch")
	if exec.CommandContext(t.Context(), python, "-c", "import numpy").Run() != nil {
		require.Missing(t, "a Python with torch and numpy")
	}
	checkFunctions(t, "torch", python, []int{1000, 129}, func(f *function, dtype fp.Format, all []probe.Spec) []probe.Spec {
		if dtype != fp.Binary32 || f.name != "sum" && f.name != "cumsum" && f.name != "matmul" {
			return all[:1]
		}
		return all
	}, func(f *function, dtype fp.Format) bool {
		return dtype == fp.Binary32 && (f.name == "sum" || f.name == "matmul")
	})
}

func TestPlain(t *testing.T) {
	python := interpreterWith(t, "numpy")
	checkFunctions(t, "math", python, []int{1, 100}, each, always)
	checkFunctions(t, "builtins", python, []int{1, 100}, each, always)
}

// open opens a target, which needs NumPy.
func open(t *testing.T, address string, s probe.Spec) probe.Target {
	t.Helper()
	target, err := (&Driver{Python: interpreterWith(t, "numpy")}).Open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

func TestKeys(t *testing.T) {
	python := interpreterWith(t, "numpy")
	version, err := exec.CommandContext(t.Context(), python, "-c", "import numpy, platform; print(numpy.__version__, platform.python_version(), end='')").Output()
	if err != nil {
		t.Fatal(err)
	}
	numpy, py, _ := strings.Cut(string(version), " ")
	for _, c := range []struct {
		address string
		spec    probe.Spec
		check   func(k probe.Key) bool
	}{
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 4}, func(k probe.Key) bool {
			return k.Op == probe.Sum && k.Out == fp.Binary32 && k.Threads == 1 && !k.Mean && k.Kernel == ""
		}},
		{"numpy.sum", probe.Spec{DType: fp.Binary16, Acc: fp.Binary32, N: 4}, func(k probe.Key) bool { return k.Out == fp.Binary32 && k.Acc == fp.Binary32 }},
		{"numpy.mean", probe.Spec{DType: fp.Binary16, N: 4}, func(k probe.Key) bool { return k.Mean && k.Out == fp.Binary16 }},
		{"numpy.cumsum", probe.Spec{DType: fp.Binary64, N: 9}, func(k probe.Key) bool { return slices.Equal(k.OutIndex, []int{8}) }},
		{"numpy.dot", probe.Spec{DType: fp.Binary64, N: 9}, func(k probe.Key) bool { return k.Op == probe.Dot && k.Kernel != "" && k.M == 0 }},
		{"numpy.dot", probe.Spec{Op: probe.Gemv, DType: fp.Binary64, N: 9}, func(k probe.Key) bool { return k.M == 9 && slices.Equal(k.OutIndex, []int{0}) }},
		{"numpy.matmul", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 9}, func(k probe.Key) bool { return k.M == 9 && k.Cols == 9 && slices.Equal(k.OutIndex, []int{0, 0}) }},
		{"numpy.matmul", probe.Spec{Op: probe.Gemm, DType: fp.Binary16, N: 1 << 14}, func(k probe.Key) bool { return k.M == 32 && k.Cols == 32 && k.Kernel == "" }},
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 1 << 14, Axis: "1"}, func(k probe.Key) bool { return k.M == 256 }},
	} {
		target := open(t, c.address, c.spec)
		k := target.Key()
		if !c.check(k) || k.Target != "py:"+c.address || k.Library != "NumPy" || k.Version != numpy || k.Runtime != python+" "+py {
			t.Errorf("%s %+v: key %+v", c.address, c.spec, k)
		}
		if want := max(1, k.M); target.Lanes() != want {
			t.Errorf("%s: %d lanes, want %d", k, target.Lanes(), want)
		}
	}
	if k := open(t, "sum", probe.Spec{N: 4}).Key(); k.Target != "py:builtins.sum" || k.DType != fp.Binary64 || k.Library != "Python" || k.Version != py {
		t.Errorf("sum: key %+v", k)
	}
}

func TestFsumWithoutResult(t *testing.T) {
	target := open(t, "math.fsum", probe.Spec{N: 3})
	for _, x := range [][]float64{{math.Inf(1), 1, math.Inf(-1)}, {math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}} {
		out := []float64{0}
		if err := target.Call(t.Context(), &probe.Batch{X: x, Out: out}); err != nil || !math.IsNaN(out[0]) {
			t.Errorf("fsum(%v) is %v, %v", x, out[0], err)
		}
	}
	out := []float64{0}
	if err := target.Call(t.Context(), &probe.Batch{X: []float64{1e16, 1, -1e16}, Out: out}); err != nil || out[0] != 1 {
		t.Errorf("fsum is %v, %v, want 1", out[0], err)
	}
}

func TestFaults(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	for _, c := range []struct {
		address string
		spec    probe.Spec
		id      string
		part    string
	}{
		{"numpy.max", probe.Spec{DType: fp.Binary32, N: 4}, "unknown-function", "numpy.sum, numpy.mean"},
		{"", probe.Spec{DType: fp.Binary32, N: 4}, "unknown-function", "numpy.sum"},
		{"numpy.sum", probe.Spec{Op: probe.Dot, DType: fp.Binary32, N: 4}, "unsupported", "it computes sum, not dot"},
		{"numpy.sum", probe.Spec{DType: fp.BFloat16, N: 4}, "unsupported", "it takes f64, f32 and f16, not bf16"},
		{"math.fsum", probe.Spec{DType: fp.Binary32, N: 4}, "unsupported", "not f32"},
		{"numpy.dot", probe.Spec{DType: fp.Binary32, Acc: fp.Binary64, N: 4}, "unsupported", "f64 to accumulate in"},
		{"numpy.cumsum", probe.Spec{DType: fp.Binary32, N: 4, Axis: "0"}, "unsupported", "axis"},
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 4, OutIndex: []int{0}}, "unsupported", "no output to choose"},
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 4, Device: "cuda"}, "unsupported", "device=cuda"},
		{"math.fsum", probe.Spec{N: 4, Stride: 2}, "unsupported", "stride=2"},
		{"numpy.sum", probe.Spec{N: 4}, "bad-spec", "format"},
		{"numpy.sum", probe.Spec{DType: fp.Binary32}, "bad-spec", "nothing to add"},
		{"numpy.cumsum", probe.Spec{DType: fp.Binary32, N: 4, OutIndex: []int{4}}, "bad-spec", "output 4 is"},
		{"numpy.dot", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 4, OutIndex: []int{0, 4}}, "bad-spec", "output 0,4 is outside of the results, of shape 4×4"},
	} {
		_, err := d.Open(t.Context(), c.address, c.spec)
		wantFault(t, err, c.id, c.part)
	}
}

// wantFault checks an error's ID and that it says something.
func wantFault(t *testing.T, err error, id string, parts ...string) {
	t.Helper()
	var f *probe.Fault
	if !errors.As(err, &f) || f.ID != id {
		t.Errorf("%v, want a fault %s", err, id)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%v does not say %q", err, p)
		}
	}
}

// fakePython makes an executable of a shell script in a folder of its own.
func fakePython(t *testing.T, script string) string {
	t.Helper()
	require.Program(t, "sh")
	path := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMissingModule(t *testing.T) {
	real := interpreterWith(t, "numpy")
	// -S leaves the folder of installed modules out.
	bare := fakePython(t, `exec "`+real+`" -S -E "$@"`)
	sum := probe.Spec{DType: fp.Binary32, N: 4}
	_, err := (&Driver{Python: bare}).Open(t.Context(), "numpy.sum", sum)
	wantFault(t, err, "module-missing", "no module numpy", bare, "LASTBIT_PYTHON")

	broken := fakePython(t, "echo it is broken >&2; exit 127\n")
	_, err = (&Driver{Python: broken}).Open(t.Context(), "numpy.sum", sum)
	wantFault(t, err, "module-missing", "it is broken", broken)

	t.Setenv("LASTBIT_PYTHON", bare)
	_, err = Open(t.Context(), "numpy.sum", sum)
	wantFault(t, err, "module-missing", bare)
	for _, l := range List(t.Context()) {
		if absent := !strings.HasPrefix(l.Library, "Python "); absent != (l.Absent != "") || absent && !strings.Contains(l.Absent, bare) {
			t.Errorf("listing %+v", l)
		}
	}
	t.Setenv("LASTBIT_PYTHON", filepath.Join(t.TempDir(), "nothing"))
	_, err = Open(t.Context(), "numpy.sum", sum)
	wantFault(t, err, "module-missing", "cannot be started")
}

// An interpreter that answers nothing is given up long before a library that
// takes its time to load would be, and is said to be what it is.
func TestSilentInterpreter(t *testing.T) {
	silent := fakePython(t, "sleep 1000\n")
	d := Driver{Python: silent, patience: time.Millisecond, limit: 100 * time.Millisecond}
	_, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	wantFault(t, err, "module-missing", silent+" did not answer within 100ms")
	for _, l := range d.List(t.Context()) {
		if l.Absent != silent+" did not answer within 100ms" {
			t.Errorf("listing %+v", l)
		}
	}
	if runtime.GOOS == "linux" {
		if left := workers(t); len(left) != 0 {
			t.Errorf("workers %v are left", left)
		}
	}
}

// A library that takes its time is waited for if the interpreter answers.
func TestSlowLibrary(t *testing.T) {
	real := interpreterWith(t, "numpy")
	// Only the worker knows the word; the survey does not.
	slow := fakePython(t, `case "$2" in *open_session*) while ! test -e "$0.asked"; do sleep 0.01; done; sleep 0.1;; *) : > "$0.asked";; esac; exec "`+real+`" "$@"`)
	d := Driver{Python: slow, patience: time.Millisecond, limit: time.Hour}
	target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	target.Close()
}

// An interpreter that dies when it is asked is not one that lacks a module.
func TestDeadInterpreter(t *testing.T) {
	dead, broken := fakePython(t, "kill -9 $$\n"), fakePython(t, "exit 5\n")
	for python, want := range map[string]string{dead: "signal: killed", broken: "exit status 5"} {
		d := Driver{Python: python}
		for _, l := range d.List(t.Context()) {
			if l.Absent != python+" died when asked for its modules ("+want+")" {
				t.Errorf("listing %+v", l)
			}
		}
		_, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
		wantFault(t, err, "module-missing", want, "run it by hand")
	}
}

// Of several interpreters on PATH the first that has the module is taken.
func TestFirstThatHasTheModule(t *testing.T) {
	real := interpreterWith(t, "numpy")
	bare, good := fakePython(t, `exec "`+real+`" -S -E "$@"`), fakePython(t, `exec "`+real+`" "$@"`)
	t.Setenv("PATH", filepath.Dir(bare)+string(filepath.ListSeparator)+filepath.Dir(good)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	var d Driver
	for range 2 {
		target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
		if err != nil {
			t.Fatal(err)
		}
		target.Close()
		if d.found["numpy"] != good {
			t.Errorf("taken was %q, want %q", d.found["numpy"], good)
		}
	}
	if got := candidates(); len(got) < 2 || got[0] != bare || got[1] != good {
		t.Errorf("candidates %q", got)
	}
}

// A module in the working directory is not imported.
func TestWorkingDirectoryIsNotImported(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	t.Chdir(t.TempDir())
	for _, name := range []string{"numpy.py", "ctypes.py", "mmap.py", "json.py"} {
		if err := os.WriteFile(name, []byte("raise SystemExit('a trap')\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	target, err := d.Open(t.Context(), "numpy.sum", probe.Spec{DType: fp.Binary32, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	target.Close()
	if l := d.List(t.Context()); l[2].Absent != "" {
		t.Errorf("listing %+v", l[2])
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 4 {
		t.Errorf("files %v, %v", left, err)
	}
}

// workers returns the processes that this one has started.
func workers(t *testing.T) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		require.Missing(t, "/proc, where processes can be found")
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if fields[1] == strconv.Itoa(os.Getpid()) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// signal sends a signal to the only worker.
func signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	pids := workers(t)
	if len(pids) != 1 {
		t.Fatalf("workers %v, want one", pids)
	}
	p, err := os.FindProcess(pids[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// sumOf calls a target for 1 + 1 + … and checks the sum.
func sumOf(t *testing.T, target probe.Target) {
	t.Helper()
	b := probe.NewBatch(target)
	for i := range b.X {
		b.X[i] = 1
	}
	if err := target.Call(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if b.Out[0] != float64(len(b.X)) {
		t.Errorf("sum %v of %d ones", b.Out[0], len(b.X))
	}
}

// A worker that is killed, or stops, makes one fault; the next call works.
func TestKilledAndStopped(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		id     string
		part   string
	}{{syscall.SIGKILL, "worker-died", "signal: killed"}, {syscall.Signal(stopSignal), "worker-timeout", "500ms"}} {
		target := open(t, "numpy.sum", probe.Spec{DType: fp.Binary32, N: 1000, Timeout: 500 * time.Millisecond})
		sumOf(t, target)
		signal(t, c.signal)
		wantFault(t, target.Call(t.Context(), probe.NewBatch(target)), c.id, c.part)
		sumOf(t, target)
		if n := target.(interface{ Restarts() int }).Restarts(); n != 1 {
			t.Errorf("%d restarts", n)
		}
		target.Close()
		if left := workers(t); len(left) != 0 {
			t.Errorf("workers %v are left", left)
		}
	}
}

// stopSignal is SIGSTOP on Linux, where workers can be found; other systems'
// syscall packages may not have it.
const stopSignal = 19

func TestCancel(t *testing.T) {
	target := open(t, "numpy.matmul", probe.Spec{Op: probe.Gemm, DType: fp.Binary16, N: 1000, M: 400, Cols: 400})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	err := target.Call(ctx, probe.NewBatch(target))
	wantFault(t, err, "cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not say so", err)
	}
	if left := workers(t); len(left) != 0 {
		t.Errorf("workers %v are left", left)
	}
}

// The operands lie in memory as they were asked to.
func TestPlaces(t *testing.T) {
	python := interpreterWith(t, "numpy")
	code, _, ok := strings.Cut(workerCode, "\nmain()\n")
	if !ok {
		t.Fatal("the worker has no main")
	}
	code += `
for line in sys.stdin:
    r = Request(line)
    s = NumPy(r, Buffers(r))
    for a in (s.a, s.b) if r.products else (s.a,):
        print(a.__array_interface__["data"][0] % 64, ",".join(str(n // a.itemsize) for n in a.strides), end=" ")
    print()
`
	cases := []struct{ hello, want string }{
		{"op=sum dtype=f32 n=10 lanes=1 function=numpy.sum align=0", "0 1"},
		{"op=sum dtype=f64 n=10 lanes=1 function=numpy.sum align=8 stride=3", "8 3"},
		{"op=sum dtype=f16 n=10 lanes=1 function=numpy.sum align=63", "63 1"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=1 function=numpy.sum", "0 10,1"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=1 order=F function=numpy.sum align=4", "4 1,4"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=0 function=numpy.sum", "0 4,1"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=0 order=F stride=2 function=numpy.sum", "0 2,20"},
		{"op=dot dtype=f32 n=10 lanes=1 function=numpy.dot align=20 stride=2", "20 2 20 2"},
		{"op=gemv dtype=f32 n=10 m=4 lanes=4 function=numpy.dot trans=a align=12", "12 1,4 12 1"},
		{"op=gemv dtype=f32 n=10 m=4 lanes=4 function=numpy.dot order=F stride=3", "0 1,12 0 3"},
		{"op=gemm dtype=f64 n=10 m=4 cols=3 lanes=4 function=numpy.dot align=16", "16 10,1 16 3,1"},
		{"op=gemm dtype=f64 n=10 m=4 cols=3 lanes=4 function=numpy.dot trans=b align=16", "16 10,1 16 1,10"},
		{"op=gemm dtype=f64 n=10 m=4 cols=3 lanes=4 function=numpy.dot trans=ab order=F", "0 10,1 0 3,1"},
	}
	var in strings.Builder
	for _, c := range cases {
		in.WriteString("lastbit 1 " + c.hello + "\n")
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", code)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(cases) {
		t.Fatalf("%d answers to %d questions", len(lines), len(cases))
	}
	for i, c := range cases {
		if got := strings.TrimSpace(lines[i]); got != c.want {
			t.Errorf("%s: %q, want %q", c.hello, got, c.want)
		}
	}
}

func TestNatural(t *testing.T) {
	v := []string{"3.10.1", "3.9.18", "3.12.0", "3.12", "3.8"}
	slices.SortFunc(v, natural)
	if want := []string{"3.8", "3.9.18", "3.10.1", "3.12", "3.12.0"}; !slices.Equal(v, want) {
		t.Errorf("%q, want %q", v, want)
	}
}

func BenchmarkCall(b *testing.B) {
	python := interpreterWith(b, "numpy")
	for _, s := range []probe.Spec{{DType: fp.Binary32, N: 1000}, {DType: fp.Binary32, N: 4096, M: 1024, Axis: "1"}} {
		b.Run(fmt.Sprintf("m=%d/n=%d", s.M, s.N), func(b *testing.B) {
			target, err := (&Driver{Python: python}).Open(b.Context(), "numpy.sum", s)
			if err != nil {
				b.Fatal(err)
			}
			defer target.Close()
			batch := probe.NewBatch(target)
			b.SetBytes(int64(8 * len(batch.X)))
			for b.Loop() {
				if err := target.Call(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
