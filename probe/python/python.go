// Package python is the driver for what can be reached from Python: its own
// sums, NumPy, PyTorch and JAX, as "py:numpy.sum".
//
// A function runs in a Python interpreter that is started for a target and
// kept; the code that it runs is part of this package, and nothing is written
// to disk.
package python

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/plan"
	"github.com/lastbit/lastbit/probe/internal/prose"
	"github.com/lastbit/lastbit/probe/wire"
)

// prefix is what addresses of this driver begin with.
const prefix = "py:"

//go:embed worker.py
var workerCode string

// Driver opens Python targets. Its zero value looks for interpreters where they
// usually are; it remembers which has which module, so that many targets are
// best opened by one Driver. It may be used by several goroutines.
type Driver struct {
	// Python is the interpreter to use, and the only one; "" means the first
	// that has the module.
	Python string

	patience, limit time.Duration // of watch and ask; 0 is the usual

	mu    sync.Mutex
	found map[string]string // module to interpreter
}

// Options are the fields of a Spec that some function honours.
const Options = probe.AllOptions

// Names returns the address of every function, in the order of List.
func Names() []string {
	var names []string
	for i := range functions {
		names = append(names, functions[i].address())
	}
	return names
}

// Open opens a target with a Driver of its own, of which Python is the
// environment variable LASTBIT_PYTHON. It is a probe.Opener.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	return (&Driver{Python: os.Getenv("LASTBIT_PYTHON")}).Open(ctx, address, s)
}

// List lists the functions of this driver with a Driver of its own, of which
// Python is the environment variable LASTBIT_PYTHON.
func List(ctx context.Context) []probe.Listing {
	return (&Driver{Python: os.Getenv("LASTBIT_PYTHON")}).List(ctx)
}

// Open starts an interpreter that has the module of an address, such as
// "numpy.sum", and opens the function in it: for sums over an axis, vectors and
// matrices of any layout that the library has. Key.Runtime is the interpreter
// and its version, Key.Kernel the BLAS that computes and the kernel that it has
// chosen, where it tells. For matrix products the target is a probe.CellTarget.
//
// Shapes that s leaves open are those of package plan; products of 16-bit
// matrices, which few libraries have kernels for, are kept to 2^24 products.
// With s.Threads = −1, Key.Threads is the number of threads that the library
// says it uses. Data is at the alignment asked for in every operand. Where
// math.fsum raises an exception instead of returning a sum (an overflow on the
// way, infinities of both signs) the result is NaN.
//
// The error is a *probe.Fault: unknown-function, unsupported for an operation,
// format or layout that the function does not have, bad-spec, python-missing,
// module-missing, or one of package wire.
func (d *Driver) Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	f, err := lookup(address)
	if err != nil {
		return nil, err
	}
	key, lanes, err := f.plan(s)
	if err != nil {
		return nil, err
	}
	pythons := d.interpreters(f.module)
	if len(pythons) == 0 {
		return nil, noPython(f.address())
	}
	var absent refusals
	for _, python := range pythons {
		w, err := d.start(ctx, python, f.program(python, s), key, lanes)
		if err == nil {
			d.remember(f.module, python)
			return w.Target(), nil
		}
		why, other := d.unavailable(err)
		if !other {
			return nil, f.explain(err)
		}
		absent.add(python, why)
	}
	return nil, f.missing(absent)
}

// patience is how long a worker may load its library before the interpreter is
// asked whether it runs at all.
const patience = 2 * time.Second

// loadTime is how long a worker may load its library at least.
const loadTime = time.Minute

// start starts a worker. Since a library may take a minute to load, an
// interpreter that answers nothing at all is told from one that is at work by a
// survey of it, as soon as it keeps one waiting; the error is then errSilent.
func (d *Driver) start(ctx context.Context, python string, p wire.Program, key probe.Key, lanes int) (*wire.Worker, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wait := d.patience
	if wait <= 0 {
		wait = patience
	}
	watch := time.AfterFunc(wait, func() {
		if _, err := ask(ctx, python, d.surveyTime()); errors.Is(err, errSilent) {
			cancel(errSilent)
		}
	})
	defer watch.Stop()
	return wire.Open(ctx, p, key, lanes)
}

// noPython is the Fault of a machine without Python.
func noPython(address string) error {
	return &probe.Fault{ID: "python-missing", Thing: address, Cause: "there is no python3 on PATH nor in the usual places", Cure: "install Python, or set LASTBIT_PYTHON to an interpreter"}
}

// refusals are the interpreters that could not serve, grouped by the reason.
type refusals struct {
	reasons []reason
	pythons map[reason][]string
}

// reason is what is said before and after the names of interpreters.
type reason struct{ before, after string }

// add notes why an interpreter could not serve.
func (r *refusals) add(python string, why reason) {
	if r.pythons == nil {
		r.pythons = make(map[reason][]string)
	}
	if r.pythons[why] == nil {
		r.reasons = append(r.reasons, why)
	}
	r.pythons[why] = append(r.pythons[why], python)
}

// String names every interpreter that was looked at.
func (r *refusals) String() string {
	var parts []string
	for _, why := range r.reasons {
		parts = append(parts, why.before+strings.Join(r.pythons[why], ", ")+why.after)
	}
	return strings.Join(parts, "; ")
}

// missing is the Fault of a module that no interpreter has, or no interpreter
// that runs.
func (f *function) missing(absent refusals) error {
	top, _, _ := strings.Cut(f.module, ".")
	cure := "run it by hand to see why, or set LASTBIT_PYTHON to another interpreter"
	if slices.ContainsFunc(absent.reasons, func(r reason) bool { return r.before != "" }) {
		cure = "install it for one of them (python3 -m pip install " + top + "), or set LASTBIT_PYTHON to an interpreter that has it"
	}
	return &probe.Fault{ID: "module-missing", Thing: f.address(), Cause: absent.String(), Cure: cure}
}

// unavailable tells why another interpreter may serve where this one did not:
// it lacks the module, or does not run at all.
func (d *Driver) unavailable(err error) (why reason, ok bool) {
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		text, ok := strings.CutPrefix(refusal.Text, "unavailable: ")
		return reason{before: text + " in "}, ok
	}
	if errors.Is(err, errSilent) {
		return d.silence(err), true
	}
	var f *probe.Fault
	if errors.As(err, &f) && (f.ID == "worker-start" || f.ID == "worker-died" || f.ID == "worker-protocol") {
		return reason{after: ": " + strings.TrimSpace(f.Cause)}, true
	}
	return reason{}, false
}

// explain gives what a worker has refused the words of this driver.
func (f *function) explain(err error) error {
	var refusal *wire.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	return &probe.Fault{ID: "unsupported", Thing: f.address(), Cause: refusal.Text, Cure: "ask for another operation, format or layout"}
}

// remember notes where a module was found.
func (d *Driver) remember(module, python string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.found == nil {
		d.found = make(map[string]string)
	}
	d.found[module] = python
}

// interpreters returns where to look for a module, the best first.
func (d *Driver) interpreters(module string) []string {
	if d.Python != "" {
		return []string{d.Python}
	}
	all := candidates()
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.found[module]; ok {
		all = slices.DeleteFunc(all, func(p string) bool { return p == known })
		all = append([]string{known}, all...)
	}
	return all
}

// threadVariables name what the libraries read, when they are loaded, to learn
// how many threads to use.
var threadVariables = [...]string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"}

// program returns how an interpreter is started for a function.
func (f *function) program(python string, s probe.Spec) wire.Program {
	env := os.Environ()
	if s.Threads >= 0 {
		for _, v := range threadVariables {
			env = append(env, v+"="+strconv.Itoa(max(1, s.Threads)))
		}
	}
	return wire.Program{
		Args:   []string{python, "-c", workerCode},
		Env:    env,
		Fields: []wire.Field{{Name: "function", Value: f.module + "." + f.name}},
		Start:  max(s.CallTimeout(), loadTime),
		Call:   s.CallTimeout(),
		Shared: true,
	}
}

// function is one that can be called.
type function struct {
	module, name string
	ops          []probe.Op // the first is the default
	dtypes       []fp.Format
	matrix       bool // sums over an axis too
	index        bool // its results are all the prefixes' sums
	acc          bool // an accumulation format can be asked for
}

var (
	sums     = []probe.Op{probe.Sum}
	products = []probe.Op{probe.Dot, probe.Gemv, probe.Gemm}
	ieee     = []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16}
	all      = []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16}
	double   = []fp.Format{fp.Binary64}
)

// functions are all there are, in the order in which they are listed.
var functions = [...]function{
	{module: "builtins", name: "sum", ops: sums, dtypes: double},
	{module: "math", name: "fsum", ops: sums, dtypes: double},
	{module: "numpy", name: "sum", ops: sums, dtypes: ieee, matrix: true, acc: true},
	{module: "numpy", name: "mean", ops: sums, dtypes: ieee, matrix: true, acc: true},
	{module: "numpy", name: "cumsum", ops: sums, dtypes: ieee, index: true, acc: true},
	{module: "numpy", name: "dot", ops: products, dtypes: ieee},
	{module: "numpy", name: "inner", ops: products[:2], dtypes: ieee},
	{module: "numpy", name: "matmul", ops: products, dtypes: ieee, acc: true},
	{module: "numpy", name: "einsum", ops: []probe.Op{probe.Dot, probe.Gemv, probe.Gemm, probe.Sum}, dtypes: ieee, acc: true},
	{module: "torch", name: "sum", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "torch", name: "mean", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "torch", name: "cumsum", ops: sums, dtypes: all, index: true, acc: true},
	{module: "torch", name: "dot", ops: products[:1], dtypes: all},
	{module: "torch", name: "mv", ops: products[1:2], dtypes: all},
	{module: "torch", name: "mm", ops: products[2:], dtypes: all},
	{module: "torch", name: "matmul", ops: products, dtypes: all},
	{module: "jax.numpy", name: "sum", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "jax.numpy", name: "mean", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "jax.numpy", name: "dot", ops: products, dtypes: all, acc: true},
	{module: "jax.numpy", name: "matmul", ops: products, dtypes: all, acc: true},
}

// address returns the address of a function. Python's own functions need no
// module's name there.
func (f *function) address() string { return prefix + f.module + "." + f.name }

// lookup returns the function of an address.
func lookup(address string) (*function, error) {
	var names []string
	for i := range functions {
		f := &functions[i]
		if full := f.module + "." + f.name; address == full || f.module == "builtins" && address == f.name {
			return f, nil
		}
		names = append(names, f.module+"."+f.name)
	}
	return nil, &probe.Fault{ID: "unknown-function", Thing: prefix + address, Cause: "there is no such Python target", Cure: "use one of " + strings.Join(names, ", ")}
}

// few16 bounds the products of a multiplication of 16-bit matrices: without a
// kernel of their own they take 10 to 100 times as long as others.
const few16 = 1 << 24

// plan checks a request and fills it in.
func (f *function) plan(s probe.Spec) (probe.Key, int, error) {
	if s.Op == "" {
		s.Op = f.ops[0]
	}
	if s.DType == 0 && len(f.dtypes) == 1 {
		s.DType = f.dtypes[0]
	}
	var cause string
	switch {
	case !slices.Contains(f.ops, s.Op):
		cause = fmt.Sprintf("it computes %s, not %s", prose.List(f.ops, "and"), s.Op)
	case s.DType != 0 && !slices.Contains(f.dtypes, s.DType):
		cause = fmt.Sprintf("it takes %s, not %s", prose.List(f.dtypes, "and"), s.DType)
	case s.Acc != 0 && (!f.acc || !slices.Contains(f.dtypes, s.Acc)):
		cause = fmt.Sprintf("it does not let one choose %s to accumulate in", s.Acc)
	case s.Axis != "" && !f.matrix:
		cause = "it does not sum over an axis"
	case s.Op == probe.Sum && s.Axis == "" && s.OutIndex != nil && !f.index:
		cause = "it has one result, so there is no output to choose"
	}
	if cause != "" {
		return probe.Key{}, 0, &probe.Fault{ID: "unsupported", Thing: f.address(), Cause: cause, Cure: "ask for something that it has; lastbit targets lists it"}
	}
	if f.index && s.OutIndex == nil && s.N > 0 {
		s.OutIndex = []int{s.N - 1}
	}
	if s.Op == probe.Gemm && s.DType.Bytes() == 2 && s.N > 0 {
		s = small(s)
	}
	return plan.Key(f.address(), s)
}

// small bounds the shape of a 16-bit product where it is open.
func small(s probe.Spec) probe.Spec {
	side := 1
	for side < s.N && (side+1)*(side+1) <= few16/s.N {
		side++
	}
	if s.M == 0 {
		s.M = side
	}
	if s.Cols == 0 {
		s.Cols = side
	}
	return s
}
