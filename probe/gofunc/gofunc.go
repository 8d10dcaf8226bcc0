package gofunc

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/probe"
)

// entry is one address: the operations and formats that it takes, and the
// function that opens it.
type entry struct {
	address string
	ops     []probe.Op
	dtypes  []fp.Format
	out     fp.Format // of the result, where it is not the format of the inputs
	strides bool      // honours Spec.Stride
	split   bool      // its address may end in a split, which block is then; 0 for none
	block   int
	module  string // whose it is; "" for Go's and the loops here
	open    func(e entry, s probe.Spec) (computer, error)
}

func (e entry) library() (name, version string) {
	if e.module == "" {
		return "Go", runtime.Version()
	}
	return path.Base(e.module), moduleVersion(e.module)
}

// entries returns every address, in the order of List.
func entries() []entry {
	sums, dots, both := []probe.Op{probe.Sum}, []probe.Op{probe.Dot}, []probe.Op{probe.Sum,
		probe.Dot}
	loops := append(both[:2:2], probe.SumSq)
	all := []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16}
	f64, f32 := []fp.Format{fp.Binary64}, []fp.Format{fp.Binary32}
	return slices.Concat([]entry{
		{address: "go:naive", ops: loops, dtypes: all, open: openLoop},
		{address: "go:pairwise", ops: []probe.Op{probe.Sum, probe.SumSq}, dtypes: all,
			open: openLoop},
		{address: "go:kahan", ops: loops, dtypes: all, open: openLoop},
		{address: "go:neumaier", ops: sums, dtypes: all, open: openLoop},
		{address: "go:fma", ops: []probe.Op{probe.Dot, probe.SumSq}, dtypes: all, open: openLoop},
		{address: "gonum:floats.Sum", ops: sums, dtypes: f64, module: gonumModule,
			open: openFloats},
		{address: "gonum:floats.SumCompensated", ops: sums, dtypes: f64, module: gonumModule,
			open: openFloats},
		{address: "gonum:floats.Dot", ops: dots, dtypes: f64, module: gonumModule,
			open: openFloats},
		{address: "gonum:blas32.DDot", ops: dots, dtypes: f32, out: fp.Binary64,
			module: gonumModule, strides: true, open: openMixedDot},
		{address: "gonum:blas32.SDDot", ops: dots, dtypes: f32, module: gonumModule, strides: true,
			open: openMixedDot},
	},
		blasEntries("gonum:blas64.", f64, openBLAS(double())),
		blasEntries("gonum:blas32.", f32, openBLAS(single())),
		lastbitEntries(),
		modelEntries(),
	)
}

func blasEntries(prefix string, dtypes []fp.Format,
	open func(entry, probe.Spec) (computer, error)) []entry {
	return []entry{
		{address: prefix + "Dot", ops: []probe.Op{probe.Dot}, dtypes: dtypes, module: gonumModule,
			strides: true, open: open},
		{address: prefix + "Gemv", ops: []probe.Op{probe.Gemv}, dtypes: dtypes, module: gonumModule,
			strides: true, open: open},
		{address: prefix + "Gemm", ops: []probe.Op{probe.Gemm}, dtypes: dtypes, module: gonumModule,
			open: open},
	}
}

// Options are the fields of a Spec that some function here honours. Matrix
// products honour all of them; of the vector functions, only BLAS functions
// have a stride.
const Options = probe.WithRows | probe.WithCols | probe.WithTrans |
	probe.WithStride | probe.WithAlign | probe.WithOutIndex

// Names returns every address, in the order of List.
func Names() []string {
	var names []string
	for _, e := range entries() {
		names = append(names, e.address)
	}
	return names
}

// List returns every address that Open opens. All are in this binary, so none
// is absent.
func List(context.Context) []probe.Listing {
	var l []probe.Listing
	for _, e := range entries() {
		library, version := e.library()
		if e.module != "" { // every address here runs in Go's version
			library += " " + version
		}
		l = append(l,
			probe.Listing{Address: e.address, Ops: e.ops, DTypes: e.dtypes, Library: library})
	}
	return l
}

// Open opens a function by its whole address, such as "go:naive" or
// "gonum:blas64.Gemm".
//
// Where s leaves it open, Op is the address's only operation, or sum. DType is
// its first format, float64 where there is the choice. Rows and columns of
// matrices are N, or as many as a call of about 2^27 multiplications and 64 MiB
// allows.
//
// Every array begins s.Align bytes past a multiple of 64. A stride holds for
// both vectors of a dot product, and for the two of gemv. Matrices are in row
// order. No result depends on the number of threads (gonum splits gemm over
// blocks of the output only), so a key has one thread.
//
// Values of binary16 and bfloat16, which Go lacks, are held as float64, and
// every addition and product is rounded.
//
// The error is a *probe.Fault: unknown-target, unsupported-op,
// unsupported-dtype, bad-n, bad-align, bad-shape, bad-out-index, or
// unsupported-option.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	if err := ctx.Err(); err != nil {
		return nil, cancelled(address, err)
	}
	for _, e := range entries() {
		if strings.EqualFold(e.address, address) {
			return e.target(s)
		}
		if e, ok := e.splitOf(address); ok {
			return e.target(s)
		}
	}
	return nil, unknown(address)
}

func (e entry) target(s probe.Spec) (probe.Target, error) {
	s, err := e.complete(s)
	if err != nil {
		return nil, err
	}
	c, err := e.open(e, s)
	if err != nil {
		return nil, err
	}
	return newTarget(e.key(s), c, s.CallTimeout(), true), nil
}

// key returns the key of a completed Spec.
func (e entry) key(s probe.Spec) probe.Key {
	k := s.Key(e.address)
	k.Kernel = compiledFor()
	if e.out != 0 {
		k.Out = e.out
	}
	k.Library, k.Version = e.library()
	if e.module == lastbitModule {
		k.Kernel = kernel.Best().String()
	}
	return k
}

// New returns a target for a function of a slice of n summands, so that a test
// can reveal its order:
//
//	target := gofunc.New("mypkg.Sum", mypkg.Sum, 1000)
//
// The slice begins at a multiple of 64 bytes, and the function may write to it.
// A call may take 10 s. New panics when n < 1.
func New[T float32 | float64](name string, f func(x []T) T, n int) probe.Target {
	return own(name, probe.Sum, n, func(x, _ []T) T { return f(x) })
}

// NewDot is New for a function of two slices of n factors each.
func NewDot[T float32 | float64](name string, f func(x, y []T) T, n int) probe.Target {
	return own(name, probe.Dot, n, f)
}

// NewSquares is New for a function that returns the sum of the squares of n
// values, or its root.
func NewSquares[T float32 | float64](name string, f func(x []T) T, n int) probe.Target {
	return own(name, probe.SumSq, n, func(x, _ []T) T { return f(x) })
}

func own[T float](name string, op probe.Op, n int, f func(x, y []T) T) probe.Target {
	if n < 1 {
		panic(fmt.Sprintf("gofunc: a sum of %d summands", n))
	}
	s := probe.Spec{Op: op, N: n, DType: formatOf[T]()}
	key := s.Key(name)
	key.Library, key.Version, key.Kernel = "Go", runtime.Version(), compiledFor()
	return newTarget(key, newVectors(s, f), s.CallTimeout(), false)
}
