package mpi

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/lastbit/lastbit/internal/dl"
)

// Op is an operation that combines the values of ranks: a Builtin or a *UserOp.
type Op interface {
	operator(w *world, k kind) (operator, error)
}

// operator is an operation in MPI's form.
type operator struct {
	op, dtype handle
	width     int     // values in an element of dtype
	user      *UserOp // nil: MPI's own
}

// Builtin is an operation of MPI's own.
type Builtin int

// MPI's own operations. Max and Min of NaN, and of zeros of both signs, are up
// to the library.
const (
	Sum  Builtin = iota // x + y; of integers, modulo 2^64 (of bytes, 2^8)
	Prod                // x · y
	Max
	Min
	builtins
)

func (b Builtin) operator(w *world, k kind) (operator, error) {
	if b < 0 || b >= builtins {
		return operator{}, fmt.Errorf("mpi: there is no built-in operation %d", b)
	}
	return operator{op: w.abi.ops[b], dtype: w.abi.datatypes[k], width: 1}, nil
}

// UserOp is an operation defined by a Go function.
type UserOp struct {
	comm      *Comm
	kind      kind
	width     int
	op, dtype handle
	combine   func(dst, src unsafe.Pointer, n int)
	freed     bool
}

// NewOp makes an operation of a Go function on elements of width values each:
//
//	dst[i·w : (i+1)·w] = src[i·w : (i+1)·w] ∘ dst[i·w : (i+1)·w],  w = width,
//
// for the elements of the slices, whose number MPI chooses. The function must
// be associative for the result not to depend on the brackets, which the
// library chooses. If it is not commutative, src comes from lower ranks than
// dst; otherwise in any order. It gets whole elements only.
//
// combine runs in the goroutine that called Allreduce or Reduce, must not keep
// its arguments and must not call this package. A panic in it cannot pass
// through MPI: it ends the job by Abort.
//
// NewOp returns an error for a width below 1 or above 2^30, and if MPI does.
func NewOp[T Number](
	c *Comm, width int, commutative bool, combine func(dst, src []T),
) (*UserOp, error) {
	if width < 1 || width > c.w.maxCall {
		return nil, fmt.Errorf("mpi: elements of %d values cannot be", width)
	}
	o := &UserOp{comm: c, kind: kindOf[T](), width: width}
	o.combine = func(dst, src unsafe.Pointer, n int) {
		combine(unsafe.Slice((*T)(dst), n*width), unsafe.Slice((*T)(src), n*width))
	}
	w := c.w
	if err := w.makeCallback(); err != nil {
		return nil, err
	}
	if err := o.makeType(); err != nil {
		return nil, err
	}
	commute := int32(0)
	if commutative {
		commute = 1
	}
	h := new(handle)
	if err := w.do("MPI_Op_create", c, func() int32 {
		return w.fn.opCreate(w.callback, commute, h)
	}); err != nil {
		return nil, errors.Join(err, o.freeType())
	}
	o.op = w.abi.read(h)
	return o, nil
}

// makeType makes the datatype of an element.
func (o *UserOp) makeType() error {
	w, c := o.comm.w, o.comm
	h := new(handle)
	err := w.do("MPI_Type_contiguous", c, func() int32 {
		return w.fn.contiguous(int32(o.width), w.abi.datatypes[o.kind], h)
	})
	if err != nil {
		return err
	}
	if err := w.do("MPI_Type_commit", c, func() int32 { return w.fn.typeCommit(h) }); err != nil {
		return err
	}
	o.dtype = w.abi.read(h)
	return nil
}

func (o *UserOp) freeType() error {
	h := new(handle)
	*h = o.dtype
	return o.comm.w.do("MPI_Type_free", o.comm, func() int32 { return o.comm.w.fn.typeFree(h) })
}

// Free gives the operation back to the library. A second call is an error.
func (o *UserOp) Free() error {
	if o.freed {
		return errors.New("mpi: an operation was freed twice")
	}
	o.freed = true
	h := new(handle)
	*h = o.op
	err := o.comm.w.do("MPI_Op_free", o.comm, func() int32 { return o.comm.w.fn.opFree(h) })
	return errors.Join(err, o.freeType())
}

func (o *UserOp) operator(w *world, k kind) (operator, error) {
	switch {
	case o.freed:
		return operator{}, errors.New("mpi: the operation was freed")
	case o.kind != k:
		return operator{}, errors.New("mpi: the operation is for values of another type than the " +
			"array's")
	}
	return operator{op: o.op, dtype: o.dtype, width: o.width, user: o}, nil
}

// makeCallback makes a C function of combine, once.
func (w *world) makeCallback() (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.callback == 0 {
		w.callback, err = dl.Callback(w.combine)
	}
	return err
}

// combine is the MPI_User_function of every UserOp. MPI passes it only the
// datatype, but calls are made one at a time, and the running one is in
// w.combining.
func (w *world) combine(src, dst unsafe.Pointer, n *int32, _ *handle) {
	o := w.combining
	ended := false
	defer func() {
		if !ended {
			o.comm.Abort(1, fmt.Errorf("in an operation on ranks: %w", unfinished(recover())))
		}
	}()
	o.combine(dst, src, int(*n))
	ended = true
}
