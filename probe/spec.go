package probe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
)

// Op is the operation a target performs.
type Op string

// The operations. A sum, and those whose summands cannot be negative, have one
// factor, the others two.
const (
	Sum  Op = "sum"  // Σ x[i]; over an axis of a matrix, one lane a row
	Dot  Op = "dot"  // Σ x[i]·y[i]
	Gemv Op = "gemv" // A·y, one lane a row of A
	Gemm Op = "gemm" // A·B, one lane a row of A; every column of B is y

	// SumSq is Σ x[i]², or its root.
	SumSq Op = "sumsq"
	// RMSNorm is x/√(Σ x[i]²/n + ε), one lane a row. The result of a lane is
	// the output at its input of largest magnitude, the first of several.
	RMSNorm Op = "rmsnorm"
	// Softmax is exp(x[k]−max x)/Σ exp(x[i]−max x), one lane a row. The result
	// of a lane is the output at its smallest input above −∞, the first of
	// several. An input of −∞ is a summand of zero.
	Softmax Op = "softmax"
	// Attention is Σ x[i]/n: attention of a query of zeros, which gives all n
	// keys the same weight, to the values x, one lane a column of the values.
	Attention Op = "attention"
)

// Ops returns all operations.
func Ops() []Op { return []Op{Sum, Dot, Gemv, Gemm, SumSq, RMSNorm, Softmax, Attention} }

// Products reports whether the summands are products x[i]·y[i].
func (o Op) Products() bool { return o == Dot || o == Gemv || o == Gemm }

// Squares reports whether the summands are squares x[i]².
func (o Op) Squares() bool { return o == SumSq || o == RMSNorm }

// Positive reports whether no summand can be negative.
func (o Op) Positive() bool { return o.Squares() || o == Softmax }

// Rows reports whether the operation computes a matrix of inputs, one lane a
// row, and has a result for each.
func (o Op) Rows() bool { return o == RMSNorm || o == Softmax || o == Attention }

// ParseOp returns the operation of that name.
func ParseOp(s string) (Op, error) {
	if o := Op(strings.ToLower(s)); slices.Contains(Ops(), o) {
		return o, nil
	}
	return "", &Fault{
		ID:    "bad-op",
		Thing: fmt.Sprintf("operation %q", s),
		Cause: "there is no operation of that name",
		Cure:  "use sum, dot, gemv, gemm, sumsq, rmsnorm, softmax or attention",
	}
}

// Spec is a request to a driver. Zero values mean the driver's defaults. A
// driver ignores no field: if it cannot honour one, it returns a Fault. See
// Restrict.
type Spec struct {
	Op       Op            // a driver whose address implies the operation accepts ""
	DType    fp.Format     // format of the inputs
	Integers Integer       // i8 or u8: the inputs are integers, and DType is f64; "" for numbers
	Acc      fp.Format     // accumulation format (NumPy's dtype=); 0: the implementation's own
	N        int           // number of summands
	M        int           // gemv, gemm, axis sums: number of lanes (rows); 0: the driver's default
	Cols     int           // gemm: columns of B; 0: the driver's default
	Axis     string        // sums over an axis of a matrix: "", "0" or "1"
	Trans    string        // gemv, gemm: operands stored transposed: "", "a", "b", "ab"
	Order    string        // memory order of matrices: "", "C" or "F"
	Stride   int           // distance between the elements of x (and y) in elements; 0 is 1
	Align    int           // start address of the data modulo 64, in bytes
	Threads  int           // 0: one thread; −1: the implementation's default
	Ranks    int           // processes that share the summands; 0: the driver's default
	OutIndex []int         // output [i], or [i j] of gemm; nil: the first (cumsum: the last)
	Device   string        // "", "cpu", "cuda"
	Env      []string      // variables that its process gets besides lastbit's own: NAME=value
	Timeout  time.Duration // of one call; 0 is 10 s
}

// CallTimeout returns Timeout, or the default of 10 s.
func (s Spec) CallTimeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return 10 * time.Second
}

// Key returns the key of a target that honours all of s. It has the fields that
// a Spec and a Key share, with their defaults: one thread, no stride where it
// is 1, and results in the format of the inputs.
func (s Spec) Key(target string) Key {
	k := Key{
		Target: target, Op: s.Op, DType: s.DType, Integers: s.Integers, Acc: s.Acc, Out: s.DType,
		N: s.N, M: s.M, Cols: s.Cols,
		Axis: s.Axis, Trans: s.Trans, Order: s.Order, Stride: s.Stride, Align: s.Align,
		Threads: s.Threads, Ranks: s.Ranks, OutIndex: slices.Clone(s.OutIndex), Device: s.Device,
		Env:  slices.Clone(s.Env),
		Mean: s.Op == Attention,
	}
	if k.Stride == 1 {
		k.Stride = 0
	}
	if k.Threads == 0 {
		k.Threads = 1
	}
	return k
}
