package clib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/process"
	"github.com/lastbit/lastbit/probe/wire"
)

// Open opens a C function. The address is path:symbol; the dynamic linker
// searches for a path without a slash. The function is
//
//	T f(const T *x, size_t n)             for op sum, the default, and sumsq
//	T f(const T *x, const T *y, size_t n) for op dot
//
// T being double for f64 (the default), float for f32, and uint16_t for f16 and
// bf16: the bits of the values. Where those results are no sum, a function that
// returns _Float16 or __bf16 is tried, whose results come in another register.
// A call computes one lane. Threads is passed as OMP_NUM_THREADS.
//
// The signature of a C function is unknown. Open calls it with zeros and with
// ones, and refuses one whose results do not depend on its input or are never a
// number. Less obvious mismatches are not detected. One of the first calls ends
// with the Fault function-changes where the function writes to its operands.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	name := "clib:" + address
	at := strings.LastIndexByte(address, ':')
	if at <= 0 || at == len(address)-1 {
		return nil, &probe.Fault{ID: badAddress, Thing: name,
			Cause: "it names no library and symbol", Cure: "write clib:/path/lib.so:symbol"}
	}
	path, symbol := address[:at], address[at+1:]
	k, err := functionKey(name, s)
	if err != nil {
		return nil, err
	}
	fields := []wire.Field{{Name: fieldLibrary, Value: path}, {Name: fieldSymbol, Value: symbol}}
	t, err := openFunction(ctx, path, k, s, fields, signature(k, symbol))
	var f *probe.Fault
	if shortType(k.DType) != "" && errors.As(err, &f) && f.ID == notASumSymbol {
		fields = append(fields, wire.Field{Name: fieldReturns, Value: shortType(k.DType)})
		short, err := openFunction(ctx, path, k, s, fields, shortSignature(k, symbol))
		switch {
		case err == nil && countsOne(ctx, short):
			return short, nil
		case err == nil:
			short.Close()
		}
	}
	return t, err
}

// countsOne reports whether a single 1 among zeros gives a normal number: the
// lower half of a float that is 1 is 0.
func countsOne(ctx context.Context, t probe.Target) bool {
	b := probe.NewBatch(t)
	b.X[0] = 1
	err := t.Call(ctx, b)
	v := math.Abs(b.Out[0])
	return err == nil && v >= t.Key().Out.MinNormal() && v <= t.Key().Out.Max()
}

// openFunction opens a C function of a signature, and refuses one that has
// another.
func openFunction(ctx context.Context, path string, k probe.Key, s probe.Spec,
	fields []wire.Field, signature string) (probe.Target, error) {
	t, err := open(ctx, path, k, s, fields, signature)
	if err != nil {
		return nil, err
	}
	if err := plausible(ctx, t, signature); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// OpenCBLAS opens a BLAS by its C interface. The address is openblas, blis or
// reference (netlib), which are looked for on this machine, or the path of a
// shared library. It offers dot (the default), gemv and gemm in f64 (the
// default) and f32, with alpha = 1 and beta = 0.
//
// A call of gemv or gemm computes one lane a row. M and Cols default to N, or
// to less where a call would exceed 64 MiB. The target is then a
// probe.CellTarget. Order is the memory order of all matrices, and Trans names
// the operands that are stored, and passed, transposed. Stride is incx and incy
// of dot and gemv. Every array starts Align bytes past a page boundary. Threads
// becomes the library's own setting, which is a Fault where it has none; at −1
// the environment and the library decide, and Key.Threads is the number that
// the library reports, if it does.
func OpenCBLAS(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	name := "blas:" + address
	k, err := cblasKey(name, s)
	if err != nil {
		return nil, err
	}
	v, known := vendorNamed(address)
	switch {
	case known:
		k.Target = "blas:" + v.name
		return openVendor(ctx, v, k, s)
	case address == "":
		return nil, &probe.Fault{ID: badAddress, Thing: name, Cause: "it names no library",
			Cure: "write blas:openblas, blas:blis, blas:reference or blas:/path/lib.so"}
	case !strings.ContainsRune(address, '/') && !strings.Contains(address, ".so") &&
		!strings.Contains(address, ".dylib"):
		return nil, &probe.Fault{ID: badAddress, Thing: name,
			Cause: "no BLAS of that name is known",
			Cure:  "use openblas, blis or reference, or give a path: blas:/path/lib.so"}
	}
	t, err := open(ctx, address, k, s, []wire.Field{{Name: fieldLibrary, Value: address}}, "")
	if err != nil {
		return nil, err
	}
	if err := plausible(ctx, t, cblasName(k.Op, k.DType)+" of cblas.h"); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Options are the fields of a Spec that a C function honours.
const Options = probe.WithAlign | probe.WithThreads | probe.WithEnv

// CBLASOptions are the fields of a Spec that a CBLAS honours in some operation.
const CBLASOptions = Options | probe.WithRows | probe.WithCols | probe.WithTrans |
	probe.WithOrder | probe.WithStride | probe.WithOutIndex

// openVendor opens the first library of a vendor that is found.
func openVendor(ctx context.Context, v vendor, k probe.Key, s probe.Spec) (probe.Target, error) {
	cause := "it was not found on this machine"
	for _, path := range v.candidates() {
		fields := []wire.Field{{Name: fieldLibrary, Value: path},
			{Name: fieldVendor, Value: v.name}}
		t, err := open(ctx, path, k, s, fields, "")
		var f *probe.Fault
		switch {
		case err == nil:
			return t, nil
		case !errors.As(err, &f):
			return nil, err
		case f.ID == libraryLoad && filepath.Base(path) == path:
			continue // a soname that is not there
		case f.ID != libraryKind && f.ID != libraryLoad && f.ID != symbolMissing &&
			f.ID != libraryFormat:
			return nil, err
		}
		cause += "; " + f.Cause
	}
	return nil, &probe.Fault{ID: libraryMissing, Thing: k.Target, Cause: cause,
		Cure: v.install + ", or give its path: blas:/path/lib.so"}
}

// open starts a worker for a library.
func open(ctx context.Context, path string, k probe.Key, s probe.Spec, fields []wire.Field,
	signature string) (probe.Target, error) {
	if !dl.Supported {
		return nil, unsupported(k.Target)
	}
	if process.TakeRole(role) {
		return nil, &probe.Fault{ID: notServing, Thing: k.Target,
			Cause: "this process was started to call C functions, " +
				"but its main does not call clib.ServeIfWorker",
			Cure: "call it first thing in main"}
	}
	if err := checkFile(k.Target, path); err != nil {
		return nil, err
	}
	args, env, err := process.Self(role)
	if err != nil {
		return nil, &probe.Fault{ID: "worker-start", Thing: k.Target,
			Cause: "this program does not know its own path, to start itself again",
			Cure:  "install it at a path that can be read", Err: err}
	}
	lanes := max(k.M, 1)
	w, err := wire.Open(ctx, wire.Program{
		Args:   args,
		Env:    slices.Concat(env, environment(k.Threads), k.Env),
		Fields: fields,
		Start:  max(s.CallTimeout(), startTimeout),
		Call:   s.CallTimeout(),
		Shared: lanes*k.N >= sharedFrom,
		Fault:  func(text string) *probe.Fault { return faultOf(k.Target, text) },
	}, k, lanes)
	if err != nil {
		return nil, explain(err, signature)
	}
	t := target{w, signature}
	if c, ok := w.Target().(probe.CellTarget); ok {
		return cellTarget{t, c}, nil
	}
	return t, nil
}

// startTimeout is the least time allowed for loading a library.
const startTimeout = 10 * time.Second

// sharedFrom is the smallest number of values per call that makes shared memory
// faster than a pipe.
const sharedFrom = 4096

// environment returns the variables that set the number of threads of a library
// before it is loaded.
func environment(threads int) []string {
	if threads < 0 {
		return nil
	}
	var env []string
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
		"MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"} {
		env = append(env, name+"="+strconv.Itoa(threads))
	}
	return env
}

// target is a worker whose Faults are worded for C code.
type target struct {
	*wire.Worker
	signature string
}

func (t target) Call(ctx context.Context, b *probe.Batch) error {
	return t.explain(t.Worker.Call(ctx, b))
}

// CallAt is Call with the operands moved.
func (t target) CallAt(ctx context.Context, b *probe.Batch, at probe.Placement) error {
	return t.explain(t.Worker.CallAt(ctx, b, at))
}

func (t target) explain(err error) error {
	if err == nil {
		return nil
	}
	return explainCall(err, t.signature)
}

// cellTarget is a target with a matrix of results.
type cellTarget struct {
	target
	cells probe.CellTarget
}

func (t cellTarget) Cells() (rows, cols int) { return t.cells.Cells() }

func (t cellTarget) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	return t.explain(t.cells.CallCells(ctx, b, all))
}

// plausible calls a function of unknown signature with zeros, with a single 1
// among zeros, and with ones. It refuses the function if no sum could have
// these results, even one that errs, drops or scales summands: 1 and ones give
// no number, or nothing above the subnormal range (a float read as a double),
// or all three give the same. A function that reads beyond its arrays finds
// NaN.
func plausible(ctx context.Context, t probe.Target, signature string) error {
	var got [3]float64
	for i := range got {
		b := probe.NewBatch(t)
		for j := range b.X {
			if i == 1 && j%t.Key().N == 0 || i == 2 {
				b.X[j] = 1
			}
		}
		if err := t.Call(ctx, b); err != nil {
			return err
		}
		got[i] = b.Out[0]
	}
	zeros, single, ones := got[0], got[1], got[2]
	if cause := implausible(t.Key().Out, zeros, single, ones); cause != "" {
		return &probe.Fault{ID: notASumSymbol, Thing: t.Key().Target, Cause: cause,
			Cure: "check that it is " + signature + otherType(t.Key().DType)}
	}
	return nil
}

// otherType returns the cure for a function of the other type of C.
func otherType(f fp.Format) string {
	switch f {
	case fp.Binary32:
		return ", or give --dtype f64 for one of double"
	case fp.Binary64:
		return ", or give --dtype f32 for one of float"
	}
	return ""
}

// implausible returns the reason that no sum could have these results, or "".
func implausible(out fp.Format, zeros, single, ones float64) string {
	finite := func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }
	tiny := func(x float64) bool { return math.Abs(x) < out.MinNormal() }
	switch bits := out.Bits; {
	case bits(zeros) == bits(single) && bits(single) == bits(ones):
		return fmt.Sprintf("it gives %v for zeros and for ones alike", zeros)
	case !finite(single) && !finite(ones), tiny(single) && tiny(ones):
		return fmt.Sprintf("it gives %v for a single 1 among zeros and %v for ones", single, ones)
	}
	return ""
}
