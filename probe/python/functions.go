package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/plan"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

// function is a function of Python that can be called.
type function struct {
	module, name string
	ops          []probe.Op // the first is the default
	dtypes       []fp.Format
	matrix       bool // sums over an axis too
	index        bool // its results are all the prefixes' sums
	acc          bool // an accumulation format can be asked for
	own          bool // a callable of the user's; module is its place
	given        bool // one that the calling process has given, by its name
}

var (
	sums     = []probe.Op{probe.Sum}
	products = []probe.Op{probe.Dot, probe.Gemv, probe.Gemm}
	anything = append(slices.Clone(sums), products...)
	ieee     = []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16}
	all      = []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16}
	double   = []fp.Format{fp.Binary64}
	squares  = []probe.Op{probe.SumSq}
	single   = []fp.Format{fp.Binary32}
	wide     = []fp.Format{fp.Binary64, fp.Binary32}
)

// functions holds all functions, in the order of List.
var functions = [...]function{
	{module: "builtins", name: "sum", ops: sums, dtypes: double},
	{module: "math", name: "fsum", ops: sums, dtypes: double},
	{module: "numpy", name: "sum", ops: sums, dtypes: ieee, matrix: true, acc: true},
	{module: "numpy", name: "mean", ops: sums, dtypes: ieee, matrix: true, acc: true},
	{module: "numpy", name: "cumsum", ops: sums, dtypes: ieee, index: true, acc: true},
	{module: "numpy", name: "dot", ops: products, dtypes: ieee},
	{module: "numpy", name: "inner", ops: products[:2], dtypes: ieee},
	{module: "numpy", name: "matmul", ops: products, dtypes: ieee, acc: true},
	{module: "numpy", name: "einsum", ops: []probe.Op{probe.Dot, probe.Gemv, probe.Gemm, probe.Sum},
		dtypes: ieee, acc: true},
	{module: "numpy.linalg", name: "norm", ops: squares, dtypes: ieee, matrix: true},
	{module: "torch", name: "sum", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "torch", name: "mean", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "torch", name: "cumsum", ops: sums, dtypes: all, index: true, acc: true},
	{module: "torch", name: "dot", ops: products[:1], dtypes: all},
	{module: "torch", name: "mv", ops: products[1:2], dtypes: all},
	{module: "torch", name: "mm", ops: products[2:], dtypes: all},
	{module: "torch", name: "matmul", ops: products, dtypes: all},
	{module: "torch.linalg", name: "vector_norm", ops: squares, dtypes: all, matrix: true},
	{module: "torch.nn.functional", name: "layer_norm", ops: sums, dtypes: wide},
	{module: "torch.nn.functional", name: "rms_norm", ops: []probe.Op{probe.RMSNorm}, dtypes: all},
	{module: "torch.nn.functional", name: "softmax", ops: []probe.Op{probe.Softmax}, dtypes: all},
	{module: "torch.nn.functional", name: "scaled_dot_product_attention",
		ops: []probe.Op{probe.Attention}, dtypes: all},
	{module: "torch", name: "bmm", ops: products[2:], dtypes: all},
	{module: "torch.nn.functional", name: "linear", ops: products[1:], dtypes: all},
	{module: "jax.numpy", name: "sum", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "jax.numpy", name: "mean", ops: sums, dtypes: all, matrix: true, acc: true},
	{module: "jax.numpy", name: "dot", ops: products, dtypes: all, acc: true},
	{module: "jax.numpy", name: "matmul", ops: products, dtypes: all, acc: true},
	{module: "jax", name: "jit(jax.numpy.sum)", ops: sums, dtypes: all},
	{module: "scipy.linalg.blas", name: "ddot", ops: products[:1], dtypes: double},
	{module: "scipy.linalg.blas", name: "sdot", ops: products[:1], dtypes: single},
	{module: "scipy.linalg.blas", name: "dgemv", ops: products[1:2], dtypes: double},
	{module: "scipy.linalg.blas", name: "sgemv", ops: products[1:2], dtypes: single},
	{module: "scipy.linalg.blas", name: "dgemm", ops: products[2:], dtypes: double},
	{module: "scipy.linalg.blas", name: "sgemm", ops: products[2:], dtypes: single},
	{module: "pandas", name: "Series.sum", ops: sums, dtypes: wide},
	{module: "pandas", name: "Series.mean", ops: sums, dtypes: wide},
	{module: "pandas", name: "Series.groupby.sum", ops: sums, dtypes: wide},
	{module: "polars", name: "Series.sum", ops: sums, dtypes: wide},
	{module: "polars", name: "Series.mean", ops: sums, dtypes: wide},
	{module: "polars", name: "DataFrame.group_by.sum", ops: sums, dtypes: wide},
	{module: "pyarrow.compute", name: "sum", ops: sums, dtypes: wide},
	{module: "pyarrow.compute", name: "mean", ops: sums, dtypes: wide},
	{module: "duckdb", name: "sum", ops: sums, dtypes: wide},
	{module: "duckdb", name: "fsum", ops: sums, dtypes: wide},
}

// called holds functions of libraries that are called as any callable is, and
// need no colon in their address. Their results are sums of something else than
// the operand.
var called = [...]string{
	"numpy.trapezoid", "numpy.trapz", "numpy.average", "numpy.var",
	"scipy.integrate.trapezoid", "torch.trapezoid", "torch.var",
}

// text returns what follows "py:" in the address of a function.
func (f *function) text() string {
	if f.own {
		return f.name
	}
	return f.module + "." + f.name
}

// reference returns the text that the worker finds a function by. The text has
// a colon for a file's function or a callable.
func (f *function) reference() string {
	if f.own && !f.given && !isCallable(f.name) {
		return f.module + ":" + strings.TrimPrefix(f.name, f.module+".")
	}
	return f.text()
}

// address returns the address of a function.
func (f *function) address() string {
	if f.given {
		return callerPrefix + f.name
	}
	return prefix + f.text()
}

// isMean reports whether the result is the sum divided by n. The result of
// layer_norm is the mean that it subtracts.
func (f *function) isMean() bool {
	return f.name == "mean" || strings.HasSuffix(f.name, ".mean") ||
		f.name == "layer_norm" && !f.own
}

// lookup returns the function of an address.
func lookup(address string) (*function, error) {
	var names []string
	for i := range functions {
		f := &functions[i]
		if address == f.text() || f.module == "builtins" && address == f.name {
			return f, nil
		}
		names = append(names, f.text())
	}
	if isCallable(address) {
		return callable(address)
	}
	if slices.Contains(called[:], address) {
		return ownFunction(address[:strings.LastIndexByte(address, '.')], address), nil
	}
	return nil, &probe.Fault{ID: "unknown-function", Thing: prefix + address,
		Cause: "there is no such Python target",
		Cure: "use one of " + strings.Join(names, ", ") +
			", or py:module:function for any other callable"}
}

// options returns the fields of a Spec that a function honours in an operation.
// Python's own sums take lists, JAX chooses the layout of its arrays, and only
// PyTorch and JAX have devices.
func (f *function) options(s probe.Spec) probe.Options {
	const matrix = probe.WithRows | probe.WithCols
	var o probe.Options
	library, _, _ := strings.Cut(f.module, ".")
	if f.own {
		library = "own"
	}
	switch library {
	case "numpy", "scipy":
		o = probe.AllOptions &^ probe.WithDevice
	case "torch", "own":
		if o = probe.AllOptions; f.given {
			o = CallerOptions
		}
	case "jax":
		o = matrix | probe.WithAcc | probe.WithAxis | probe.WithThreads |
			probe.WithOutIndex | probe.WithDevice | probe.WithEnv
	default:
		o = probe.WithThreads | probe.WithEnv
	}
	if takesIntegers := f.own || library == "numpy" || library == "torch"; takesIntegers &&
		slices.Contains(anything, s.Op) && !f.index && !f.isMean() {
		o |= probe.WithIntegers
	}
	if !f.acc {
		o &^= probe.WithAcc
	}
	if !f.matrix {
		o &^= probe.WithAxis
	}
	if (s.Op == probe.Sum || s.Op == probe.SumSq) && s.Axis == "" && !f.index {
		o &^= probe.WithOutIndex
	}
	return o
}

// few16 bounds the products of a multiplication of 16-bit matrices: without
// special kernels these take 10 to 100 times as long as others.
const few16 = 1 << 24

// plan checks a request and fills it in.
func (f *function) plan(s probe.Spec) (probe.Key, int, error) {
	if s.Op == "" {
		s.Op = f.ops[0]
		if s.Cols > 0 && slices.Contains(f.ops, probe.Gemm) { // nothing else has columns
			s.Op = probe.Gemm
		}
	}
	if s.DType == 0 && len(f.dtypes) == 1 {
		s.DType = f.dtypes[0]
	}
	var cause, cure string
	switch {
	case !slices.Contains(f.ops, s.Op):
		cause = fmt.Sprintf("it computes %s, not %s", prose.List(f.ops, "and"), s.Op)
		cure = "use --op " + prose.List(f.ops, "or")
	case s.DType != 0 && !slices.Contains(f.dtypes, s.DType):
		cause = fmt.Sprintf("it takes %s, not %s", prose.List(f.dtypes, "and"), s.DType)
		cure = "use --dtype " + prose.List(f.dtypes, "or")
	case f.acc && s.Acc != 0 && !slices.Contains(f.dtypes, s.Acc):
		cause = fmt.Sprintf("it accumulates in %s, not in %s", prose.List(f.dtypes, "or"), s.Acc)
		cure = "use --acc " + prose.List(f.dtypes, "or")
	}
	if cause != "" {
		return probe.Key{}, 0, &probe.Fault{ID: "unsupported", Thing: f.address(), Cause: cause,
			Cure: cure}
	}
	device := s.Device
	s, err := s.Restrict(f.address(), f.options(s))
	if err != nil {
		return probe.Key{}, 0, err
	}
	s.Device = device // a key names the processor when a Spec does
	if f.index && s.OutIndex == nil && s.N > 0 {
		s.OutIndex = []int{s.N - 1}
	}
	if s.Op == probe.Gemm && s.DType.Bytes() == 2 && s.N > 0 {
		s = small(s)
	}
	if s.Op == probe.Attention && s.M == 0 {
		s.M = headDim
	}
	return plan.Key(f.address(), s)
}

// headDim is the number of columns that the values of attention have by
// default.
const headDim = 64

// small bounds the shape of a 16-bit product if it is open.
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
