package probe

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/fp"
)

// Batch is one call: Lanes() independent inputs in x, one second factor y.
type Batch struct {
	X   []float64 // lane r's summands (or first factors) are X[r*N : (r+1)*N]
	Y   []float64 // second factors, shared by all lanes; nil for sums
	Out []float64 // one result a lane

	// Changed is a hint, which a target may ignore. Unless it is nil, the last
	// call of the target had this batch, and since then nothing has changed
	// except the elements X[i] with an index i in Changed.
	Changed []int
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

	// Lanes returns the number of results of one Call, at least 1.
	Lanes() int

	// Call computes Out from X and Y, which it does not change. The slices have
	// the lengths that NewBatch gives them. The error is a *Fault: the target
	// could not run. After one, the next Call starts the target again if
	// possible.
	Call(ctx context.Context, b *Batch) error

	// Close ends the target and every process that it has started.
	Close() error
}

// A Target may also implement the interfaces below. No other method of a target
// is called.

// CellTarget is a Target whose call computes a matrix of outputs. Its lanes are
// the column Key().OutIndex[1], or the first where OutIndex has one index.
type CellTarget interface {
	Target

	// Cells returns the shape of the output matrix.
	Cells() (rows, cols int)

	// CallCells is Call, and also fills all with the whole matrix, row by row.
	CallCells(ctx context.Context, b *Batch, all []float64) error
}

// Restarter is a Target that runs in a process of its own, and starts it again
// after it has died. A finding made across a restart carries a warning.
type Restarter interface {
	Target

	// Restarts returns the number of times that the process was started again.
	Restarts() int
}

// Threaded is a Target that knows whether more than one thread computes a sum.
type Threaded interface {
	Target

	// OtherThreads returns the processor time that all threads of the target's
	// process except the first have used. When two calls of it return the same
	// time, one thread alone has computed between them. It is always 0 for a
	// target that is known to share no sum among threads. ok is false where the
	// time is unknown.
	OtherThreads() (t time.Duration, ok bool)
}

// Opener opens a target. The address lacks the driver's scheme.
type Opener func(ctx context.Context, address string, s Spec) (Target, error)

// Listing describes one of a driver's targets on this machine.
type Listing struct {
	Address string      `json:"address"` // as on the command line: "py:numpy.sum"
	Ops     []Op        `json:"ops"`
	DTypes  []fp.Format `json:"dtypes"`
	Library string      `json:"library"`          // "NumPy 1.24.2"
	Where   string      `json:"where,omitempty"`  // file or interpreter
	Mean    bool        `json:"mean,omitempty"`   // the result is the sum divided by N
	Ranks   int         `json:"ranks,omitempty"`  // that share the summands; 0: one process has all
	Absent  string      `json:"absent,omitempty"` // why it cannot be run here; "" if it can
}
