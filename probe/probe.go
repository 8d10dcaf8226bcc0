// Package probe says what an implementation under test is: a Target that
// answers Batches, and the Key under which its findings are filed.
//
// A Target is a black box that computes sums Σ x[i] or products Σ x[i]·y[i].
// One call may compute many of them at once (the rows of a matrix); each is a
// lane. Values travel as float64 whatever the target's formats are: every value
// of a narrower format is a float64, and a driver converts on the way in (the
// caller hands over values of the input format only) and on the way out.
//
// The drivers are the packages below this one; none knows another.
package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
)

// Op is the operation a target performs.
type Op string

// The operations. A sum has one factor, the others two.
const (
	Sum  Op = "sum"  // Σ x[i]; over an axis of a matrix, one lane a row
	Dot  Op = "dot"  // Σ x[i]·y[i]
	Gemv Op = "gemv" // A·y, one lane a row of A
	Gemm Op = "gemm" // A·B, one lane a row of A; every column of B is y
)

// Products reports whether the summands are products x[i]·y[i].
func (o Op) Products() bool { return o != Sum }

// ParseOp returns the operation of that name.
func ParseOp(s string) (Op, error) {
	switch o := Op(strings.ToLower(s)); o {
	case Sum, Dot, Gemv, Gemm:
		return o, nil
	}
	return "", &Fault{ID: "bad-op", Thing: fmt.Sprintf("operation %q", s), Cause: "there is none of that name", Cure: "use sum, dot, gemv or gemm"}
}

// Spec is what a caller asks a driver for. Zero values mean the driver's
// defaults; a driver refuses with a Fault what it cannot honour, it never
// ignores a field.
type Spec struct {
	Op       Op            // what to compute; a driver whose address says it accepts ""
	DType    fp.Format     // format of the inputs
	Acc      fp.Format     // requested accumulation format (numpy's dtype=); 0: the implementation's own
	N        int           // number of summands
	M        int           // gemv, gemm, axis sums: number of lanes (rows); 0: the driver's default
	Cols     int           // gemm: columns of B; 0: the driver's default
	Axis     string        // sums over an axis of a matrix: "", "0" or "1"
	Trans    string        // gemv, gemm: which operands are stored transposed: "", "a", "b", "ab"
	Order    string        // memory order of matrices: "", "C" or "F"
	Stride   int           // distance between the elements of x (and y) in elements; 0 is 1
	Align    int           // start address of the data modulo 64, in bytes
	Threads  int           // 0: one thread; −1: whatever the implementation does by default
	OutIndex []int         // which output: [i] for gemv and cumulative sums, [i j] for gemm; nil: the first lane and column (the last for cumulative sums)
	Device   string        // "", "cpu", "cuda"
	Timeout  time.Duration // of one call; 0 is 10 s
}

// CallTimeout returns Timeout, or the default of 10 s.
func (s Spec) CallTimeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return 10 * time.Second
}

// Key names what a finding belongs to. Orders change with every field, so none
// is left out of what is printed, locked or compared.
type Key struct {
	Target   string    `json:"target"`              // address: "py:numpy.sum"
	Library  string    `json:"library,omitempty"`   // "NumPy", "OpenBLAS"
	Version  string    `json:"version,omitempty"`   // of the library
	Kernel   string    `json:"kernel,omitempty"`    // CPU kernel in use, where the library tells
	Runtime  string    `json:"runtime,omitempty"`   // interpreter or file: "/usr/bin/python3 (3.11.2)"
	Op       Op        `json:"op"`                  //
	DType    fp.Format `json:"dtype"`               // of the inputs
	Acc      fp.Format `json:"acc,omitempty"`       // requested accumulation format
	Out      fp.Format `json:"out"`                 // of the result
	N        int       `json:"n"`                   // summands
	M        int       `json:"m,omitempty"`         // rows
	Cols     int       `json:"cols,omitempty"`      // columns
	Axis     string    `json:"axis,omitempty"`      //
	Trans    string    `json:"trans,omitempty"`     //
	Order    string    `json:"order,omitempty"`     //
	Stride   int       `json:"stride,omitempty"`    // omitted when 1
	Align    int       `json:"align,omitempty"`     // bytes past a 64-byte boundary
	Threads  int       `json:"threads"`             // −1: the implementation's default
	OutIndex []int     `json:"out_index,omitempty"` //
	Device   string    `json:"device,omitempty"`    //
	Mean     bool      `json:"mean,omitempty"`      // the result is the sum divided by N
}

// String gives the key on one line, for people.
func (k Key) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", k.Target)
	if k.Library != "" {
		fmt.Fprintf(&b, " (%s)", strings.TrimSpace(k.Library+" "+k.Version))
	}
	if k.Kernel != "" {
		fmt.Fprintf(&b, " [%s]", k.Kernel)
	}
	fmt.Fprintf(&b, " %s %s", k.Op, k.DType)
	if k.Out != k.DType {
		fmt.Fprintf(&b, "→%s", k.Out)
	}
	fmt.Fprintf(&b, " n=%d", k.N)
	if k.M > 0 && k.Cols > 0 {
		fmt.Fprintf(&b, " shape=%d×%d×%d", k.M, k.Cols, k.N)
	} else if k.M > 0 {
		fmt.Fprintf(&b, " rows=%d", k.M)
	}
	for _, f := range []struct{ name, val string }{{"axis", k.Axis}, {"trans", k.Trans}, {"order", k.Order}, {"device", k.Device}} {
		if f.val != "" {
			fmt.Fprintf(&b, " %s=%s", f.name, f.val)
		}
	}
	if k.Stride > 1 {
		fmt.Fprintf(&b, " stride=%d", k.Stride)
	}
	if k.Align != 0 {
		fmt.Fprintf(&b, " align=%d", k.Align)
	}
	switch {
	case k.Threads > 1:
		fmt.Fprintf(&b, " threads=%d", k.Threads)
	case k.Threads < 0:
		b.WriteString(" threads=default")
	}
	if k.OutIndex != nil {
		fmt.Fprintf(&b, " out=%s", strings.Trim(strings.ReplaceAll(fmt.Sprint(k.OutIndex), " ", ","), "[]"))
	}
	return b.String()
}

// Batch is one call: Lanes() independent inputs in x, one second factor y.
type Batch struct {
	X   []float64 // lane r's summands (or first factors) are X[r*N : (r+1)*N]
	Y   []float64 // second factors, shared by all lanes; nil for sums
	Out []float64 // one result a lane
}

// NewBatch returns a batch of zeros of the right size for t; Y is all ones.
func NewBatch(t Target) *Batch {
	n, lanes := t.Key().N, t.Lanes()
	b := &Batch{X: make([]float64, n*lanes), Out: make([]float64, lanes)}
	if t.Key().Op.Products() {
		b.Y = make([]float64, n)
		for i := range b.Y {
			b.Y[i] = 1
		}
	}
	return b
}

// Target is an implementation under test, opened for one key. It is used by one
// goroutine at a time.
type Target interface {
	// Key returns the key. It does not change.
	Key() Key
	// Lanes returns how many results one Call computes, at least 1.
	Lanes() int
	// Call computes Out from X and Y, which it does not change. The slices have
	// the lengths that NewBatch gives. An error is a *Fault: the target could
	// not be run; after one, the next Call starts it anew if that can be done.
	Call(ctx context.Context, b *Batch) error
	// Close ends the target and every process it has started.
	Close() error
}

// CellTarget is a Target whose call computes a matrix of outputs, of which the
// lanes are the column Key().OutIndex[1].
type CellTarget interface {
	Target
	// Cells returns the shape of the output matrix.
	Cells() (rows, cols int)
	// CallCells is Call, and fills all, row by row, with the whole matrix.
	CallCells(ctx context.Context, b *Batch, all []float64) error
}

// Opener opens a target. The address is what follows the driver's prefix.
type Opener func(ctx context.Context, address string, s Spec) (Target, error)

// Listing describes what a driver finds on this machine.
type Listing struct {
	Address string      `json:"address"`          // what to type: "py:numpy.sum"
	Ops     []Op        `json:"ops"`              //
	DTypes  []fp.Format `json:"dtypes"`           //
	Library string      `json:"library"`          // "NumPy 1.24.2"
	Where   string      `json:"where,omitempty"`  // file or interpreter
	Mean    bool        `json:"mean,omitempty"`   // it divides the sum by its length
	Absent  string      `json:"absent,omitempty"` // why it cannot be run here; empty when it can
}

// Fault is the error of a target that could not be run: it names the thing,
// what was wrong with it and what to do. ID is its anchor in docs/errors.md.
type Fault struct {
	ID    string
	Thing string
	Cause string
	Cure  string
	Err   error // what lies behind it, may be nil
}

// Error gives thing, cause, cure and the place where to read more, on one line.
func (f *Fault) Error() string {
	s := f.Thing + ": " + f.Cause
	if f.Err != nil {
		s += " (" + f.Err.Error() + ")"
	}
	if f.Cure != "" {
		s += "; " + f.Cure
	}
	return s + " [docs/errors.md#" + f.ID + "]"
}

// Unwrap returns the error behind the fault.
func (f *Fault) Unwrap() error { return f.Err }

// MarshalJSON gives the fault's parts and its message.
func (f *Fault) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"id": f.ID, "thing": f.Thing, "cause": f.Cause, "cure": f.Cure, "message": f.Error()})
}
