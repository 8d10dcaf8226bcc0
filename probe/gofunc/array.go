package gofunc

import (
	"unsafe"

	"github.com/lastbit/lastbit/probe"
)

type float interface{ float32 | float64 }

// lineBytes is the size of a cache line. Alignments count from a multiple of
// it.
const lineBytes = 64

// reach is the largest distance, in bytes, that an operand moves from its own
// place. It is also the boundary that places count from.
const reach = 4096

// operand is a slice that can lie in several places of its memory.
type operand[T float] struct {
	v    []T
	room []T // begins at the operand's own place
}

// aligned returns n zeros that begin align bytes past a multiple of reach.
// align is a multiple of the size of T. The memory does not move: Go's heap
// never does, and the slice is too large and too long-lived for a stack.
func aligned[T float](n, align int) operand[T] {
	size := int(unsafe.Sizeof(T(0)))
	spare := make([]T, n+(2*reach+lineBytes)/size)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(spare))) % reach
	skip := (reach + align - int(at)) % reach / size
	o := operand[T]{room: spare[skip : skip+n+reach/size]}
	o.v = o.room[:n:n]
	return o
}

// move places the operand a number of bytes past its own place, as zeros.
func (o *operand[T]) move(past int) {
	n, skip := len(o.v), past/int(unsafe.Sizeof(T(0)))
	clear(o.v)
	o.v = o.room[skip : skip+n : skip+n]
}

// narrow copies src into every step-th element of dst, as T.
func narrow[T float](dst []T, step int, src []float64) {
	for i, v := range src {
		dst[i*step] = T(v)
	}
}

// transpose copies the rows×cols matrix src into dst, column by column.
func transpose[T float](dst []T, src []float64, rows, cols int) {
	for r := range rows {
		for c, v := range src[r*cols : (r+1)*cols] {
			dst[c*rows+r] = T(v)
		}
	}
}

// vectors computes a function of one or two vectors of the same length.
type vectors[T float] struct {
	x, y   operand[T]
	stride int
	result float64
	f      func(x, y []T) float64
}

// newVectors takes a function whose result has the format of its inputs.
func newVectors[T float](s probe.Spec, f func(x, y []T) T) *vectors[T] {
	return newWideVectors(s, func(x, y []T) float64 { return float64(f(x, y)) })
}

// newWideVectors takes a function that returns any format as a float64.
func newWideVectors[T float](s probe.Spec, f func(x, y []T) float64) *vectors[T] {
	stride := max(s.Stride, 1)
	v := &vectors[T]{stride: stride, f: f, x: aligned[T]((s.N-1)*stride+1, s.Align)}
	if s.Op.Products() {
		v.y = aligned[T](len(v.x.v), s.Align)
	}
	return v
}

func (v *vectors[T]) lanes() int { return 1 }

func (v *vectors[T]) load(b *probe.Batch) {
	narrow(v.x.v, v.stride, b.X)
	narrow(v.y.v, v.stride, b.Y)
}

func (v *vectors[T]) compute()            { v.result = v.f(v.x.v, v.y.v) }
func (v *vectors[T]) store(out []float64) { out[0] = v.result }

func (v *vectors[T]) reach() probe.Placement {
	if v.y.v == nil {
		return probe.Placement{X: reach}
	}
	return probe.Placement{X: reach, Y: reach}
}

func (v *vectors[T]) move(at probe.Placement) {
	v.x.move(at.X)
	if v.y.v != nil {
		v.y.move(at.Y)
	}
}
