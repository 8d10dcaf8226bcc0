package trees

import (
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/ordered"
)

// Op is a sum of each row. The numbers are in liblastbit.h.
type Op int32

// The sums.
const (
	Sum     Op = iota + 1 // Σ x
	Dot                   // Σ x⊗y
	Squares               // Σ x⊗x
)

// Rows are sums of rows of n elements, each in one piece behind the row before
// it, by the tree of package ordered.
type Rows struct {
	Op      Op
	Format  array.Format // Float32 or Float64
	Rows, N int
	X, Y    unsafe.Pointer // Y of Dot
	Out     unsafe.Pointer
}

// Run stores a sum for each row at Out.
func (r *Rows) Run() error {
	if !isReal(r.Format) || r.Op < Sum || r.Op > Squares {
		return ErrUnknown
	}
	if r.Format == array.Float32 {
		sumRows[float32](r)
	} else {
		sumRows[float64](r)
	}
	return nil
}

// minRows is the number of elements that a goroutine sums at a time, at least.
const minRows = 1 << 13

func sumRows[T float32 | float64](r *Rows) {
	out := elements[T](r.Out, r.Rows)
	if r.N == 0 {
		clear(out)
		return
	}
	x := elements[T](r.X, r.Rows*r.N)
	y := x
	if r.Op == Dot {
		y = elements[T](r.Y, r.Rows*r.N)
	}
	group := max(1, minRows/r.N)
	share((r.Rows+group-1)/group, r.Rows*r.N, func(part int) {
		for i := part * group; i < min((part+1)*group, r.Rows); i++ {
			row := x[i*r.N : (i+1)*r.N]
			if r.Op == Sum {
				out[i] = ordered.Sum(row)
			} else {
				out[i] = ordered.Dot(row, y[i*r.N:(i+1)*r.N])
			}
		}
	})
}
