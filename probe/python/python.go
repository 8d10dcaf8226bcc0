package python

import (
	"bytes"
	"compress/zlib"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/wire"
)

// prefix begins the addresses of this driver.
const prefix = "py:"

//go:embed arrays.py
var arraysCode string

//go:embed blas.py
var blasCode string

//go:embed norms.py
var normsCode string

//go:embed callable.py
var callableCode string

//go:embed worker.py
var mainCode string

// runMain runs the worker's program. Nothing needs tidying up at its end, and
// large libraries are slow to exit.
const runMain = "main()\nsys.stderr.flush()\nos._exit(0)\n"

// workerCode returns the worker's program. Its last statements run it, so the
// classes and functions that it uses come first.
func workerCode() string {
	return strings.Join([]string{arraysCode, blasCode, normsCode, callableCode, mainCode,
		runMain}, "\n\n")
}

// argument returns code as an argument of python -c. It is compressed, since
// Windows takes no longer command lines than 32,767 characters. What unpacks it
// does not import from the working directory either.
func argument(code string) string {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = io.WriteString(w, code) // a Buffer takes everything
	_ = w.Close()
	return "import sys; sys.path[:] = [p for p in sys.path if p not in ('', '.')]\n" +
		"import base64, zlib; exec(zlib.decompress(base64.b64decode('" +
		base64.StdEncoding.EncodeToString(packed.Bytes()) + "')))"
}

// Driver opens Python targets. The zero value looks for interpreters in the
// usual places. A Driver remembers which interpreter has which module, so one
// Driver should open many targets. Several goroutines may use it.
type Driver struct {
	// Python is the interpreter to use, and the only one; "" means the first
	// that has the module.
	Python string

	// Share runs the targets of one library and number of threads in one
	// interpreter, where the first loads the library. It is kept for five
	// seconds after the last of them is closed.
	Share bool

	// Stderr gets what the user's own callables print, at most 64 KiB from each
	// process. nil discards it.
	Stderr io.Writer

	patience, limit time.Duration // of watch and ask; 0 is the usual

	prepare sync.Once
	code    string // the argument of every interpreter

	mu       sync.Mutex
	found    map[string]string // module to interpreter
	answered map[string]bool   // interpreters that answered a survey
	pool     wire.Pool
}

// Options are the fields of a Spec that some function honours.
const Options = probe.AllOptions | probe.WithIntegers

// Names returns the address of every function, in the order of List.
func Names() []string {
	var names []string
	for i := range functions {
		names = append(names, functions[i].address())
	}
	return names
}

// Open opens a target with a new Driver whose Python is the value of the
// environment variable LASTBIT_PYTHON. It is a probe.Opener.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	return (&Driver{Python: os.Getenv("LASTBIT_PYTHON")}).Open(ctx, address, s)
}

// List returns the functions of a new Driver whose Python is the value of the
// environment variable LASTBIT_PYTHON.
func List(ctx context.Context) []probe.Listing {
	return (&Driver{Python: os.Getenv("LASTBIT_PYTHON")}).List(ctx)
}

// Open starts an interpreter that has the module of an address, such as
// "numpy.sum", and opens the function in it: for vectors, for sums over an
// axis, and for matrices of any layout that the library has. Key.Runtime is the
// interpreter and its version, Key.Kernel the BLAS and its CPU kernel, where it
// reports them. For matrix products the target is a probe.CellTarget.
//
// By default a call on matrices has at most 64 MiB and 2^28 products. It has at
// most 2^24 products of 16-bit matrices, because few libraries have kernels for
// them. With s.Threads = −1, Key.Threads is the number of threads that the
// library reports. Every operand has the requested alignment.
//
// The error is a *probe.Fault: unknown-function, unsupported for an operation,
// format or layout that the function does not have, unsupported-option,
// bad-spec, python-missing, module-missing, or one of package wire.
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
		w, err := d.start(ctx, python, d.program(f, python, s), key, lanes)
		if err == nil {
			t := w.Target()
			d.remember(f.module, behind(python, t.Key().Runtime))
			return t, nil
		}
		why, other := d.unavailable(err)
		if !other || f.own && d.isFatal(ctx, err, python) {
			return nil, f.explain(err)
		}
		absent.add(python, why)
	}
	return nil, f.missing(absent)
}

// patience is the time for a worker to load its library before a survey checks
// whether the interpreter runs at all.
const patience = 2 * time.Second

// loadTime is the least time allowed for loading a library.
const loadTime = time.Minute

// start starts a worker. A library may take a minute to load. So when a worker
// is slow, a survey of its interpreter separates a busy one from a silent one;
// the error of a silent one is errSilent.
func (d *Driver) start(ctx context.Context, python string, p wire.Program, key probe.Key,
	lanes int) (*wire.Worker, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wait := d.patience
	if wait <= 0 {
		wait = patience
	}
	watch := time.AfterFunc(wait, func() {
		if d.hasAnswered(python) {
			return
		}
		if _, err := d.survey(ctx, python); errors.Is(err, errSilent) {
			cancel(errSilent)
		}
	})
	defer watch.Stop()
	return wire.Open(ctx, p, key, lanes)
}

// noPython returns the Fault of a machine without Python.
func noPython(address string) error {
	return &probe.Fault{ID: "python-missing", Thing: address,
		Cause: "there is no python3 on PATH nor in the usual places",
		Cure:  "install Python, or set LASTBIT_PYTHON to an interpreter"}
}

// refusals groups the interpreters that could not serve by the reason.
type refusals struct {
	reasons []reason
	pythons map[reason][]string
}

// reason is the text before and after the names of interpreters.
type reason struct{ before, after string }

// add notes the reason why an interpreter could not serve.
func (r *refusals) add(python string, why reason) {
	if r.pythons == nil {
		r.pythons = make(map[reason][]string)
	}
	if r.pythons[why] == nil {
		r.reasons = append(r.reasons, why)
	}
	r.pythons[why] = append(r.pythons[why], python)
}

// String returns every reason with its interpreters.
func (r *refusals) String() string {
	var parts []string
	for _, why := range r.reasons {
		parts = append(parts, why.before+several(r.pythons[why])+why.after)
	}
	return strings.Join(parts, "; ")
}

// maxNamed bounds the interpreters that a reason names.
const maxNamed = 4

// several names interpreters, the first ones of many.
func several(pythons []string) string {
	if len(pythons) <= maxNamed {
		return strings.Join(pythons, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(pythons[:maxNamed-1], ", "),
		len(pythons)-maxNamed+1)
}

// missing returns the Fault of a module that no interpreter has, or no
// interpreter that runs.
func (f *function) missing(absent refusals) error {
	top, _, _ := strings.Cut(f.module, ".")
	cure := "run it by hand to see why, or set LASTBIT_PYTHON to another interpreter"
	if slices.ContainsFunc(absent.reasons, func(r reason) bool { return r.before != "" }) {
		cure = "install it for one of them (python3 -m pip install " + top +
			"), or set LASTBIT_PYTHON to an interpreter that has it"
		if f.own {
			cure = "install it for one of them, begin in the folder of a module of your own, " +
				"or set LASTBIT_PYTHON to an interpreter that has it"
		}
	}
	return &probe.Fault{ID: "module-missing", Thing: f.address(), Cause: absent.String(),
		Cure: cure}
}

// unavailable returns the reason to try another interpreter: this one lacks the
// module, or does not run at all.
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
	if errors.As(err, &f) &&
		(f.ID == "worker-start" || f.ID == "worker-died" || f.ID == "worker-protocol") {
		return reason{after: ": " + strings.TrimSpace(f.Cause)}, true
	}
	return reason{}, false
}

// isFatal reports whether a callable ended its process: the interpreter runs
// the worker with Python's own sum.
func (d *Driver) isFatal(ctx context.Context, err error, python string) bool {
	var fault *probe.Fault
	if !errors.As(err, &fault) || fault.ID != "worker-died" && fault.ID != "worker-protocol" {
		return false
	}
	plain := &Driver{Python: python, patience: d.patience, limit: d.limit}
	t, err := plain.Open(ctx, "builtins.sum", probe.Spec{DType: fp.Binary64, N: 1})
	if err != nil {
		return false
	}
	_ = t.Close() // an interpreter that does not end has been killed
	return true
}

// explain rewords the refusal of a worker, or the end of one by a callable, for
// this driver.
func (f *function) explain(err error) error {
	var refusal *wire.Refusal
	var fault *probe.Fault
	if f.own && errors.As(err, &fault) && fault.ID == "worker-died" {
		died := *fault
		died.Cure = "call it by hand with such operands; it should return a number or raise an " +
			"exception, and leave the process alone"
		return &died
	}
	if !errors.As(err, &refusal) {
		return err
	}
	if fault := f.faultOf(refusal.Text); fault != nil {
		return fault
	}
	cause, device := strings.CutPrefix(refusal.Text, "device: ")
	cure := "ask for another operation, format or layout"
	if device {
		library, _, _ := strings.Cut(cause, " ")
		cure = "leave --device out to run on the processor, or name by LASTBIT_PYTHON a Python " +
			"whose " + library + " has the device"
		if f.given { // the calling process has its own Python
			cure = "leave device out to run on the processor, or ask in a Python whose " +
				library + " has the device"
		}
	}
	return &probe.Fault{ID: "unsupported", Thing: f.address(), Cause: cause, Cure: cure}
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

// behind returns the interpreter that a shim of pyenv or asdf started, by what
// that says of itself. A shim takes a tenth of a second to find it. Other
// programs that start an interpreter may set up more than its path.
func behind(python, runtime string) string {
	if filepath.Base(filepath.Dir(python)) != "shims" {
		return python
	}
	if end := strings.LastIndexByte(runtime, ' '); end > 0 && filepath.IsAbs(runtime[:end]) {
		return runtime[:end]
	}
	return python
}

// interpreters returns the interpreters to try for a module, the best first.
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

// threadVariables holds the variables that libraries read, when they are
// loaded, for their number of threads. The worker reads the last, for libraries
// that read none.
var threadVariables = [...]string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
	"BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS",
	"LASTBIT_THREADS"}

// Close ends the interpreters that wait for another target. The driver can be
// used again.
func (d *Driver) Close() { d.pool.Close() }

// program returns the program that runs a function in an interpreter, which
// targets of one library may share. A function of the user's may change
// anything in an interpreter, so it has one of its own.
func (d *Driver) program(f *function, python string, s probe.Spec) wire.Program {
	d.prepare.Do(func() { d.code = argument(workerCode()) })
	p := f.program(python, d.code, s)
	if f.own {
		p.Stderr = d.Stderr
	}
	if d.Share && !f.own {
		library, _, _ := strings.Cut(f.module, ".")
		p.Pool = &d.pool
		p.Kind = fmt.Sprintf("%s %s %d %s %q", python, library, s.Threads, s.Device, s.Env)
	}
	return p
}

// program returns the program that runs a function in an interpreter, code its
// argument.
func (f *function) program(python, code string, s probe.Spec) wire.Program {
	env := os.Environ()
	if s.Threads >= 0 {
		for _, v := range threadVariables {
			env = append(env, v+"="+strconv.Itoa(max(1, s.Threads)))
		}
	}
	env = append(env, s.Env...)
	p := wire.Program{
		Args:   []string{python, "-c", code},
		Env:    env,
		Fields: []wire.Field{{Name: "function", Value: f.reference()}},
		Start:  max(s.CallTimeout(), loadTime),
		Call:   s.CallTimeout(),
		Shared: true,
		Fault:  f.faultOf,
	}
	if f.own && !wrapped.MatchString(f.name) { // a wrapper may compile
		limit := strconv.FormatInt(s.CallTimeout().Milliseconds(), 10)
		p.Fields = append(p.Fields, wire.Field{Name: "limit", Value: limit})
	}
	return p
}
