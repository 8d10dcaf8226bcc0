package mpi

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"
)

// Number is the types of array elements.
type Number interface {
	float64 | float32 | int64 | byte
}

// kind is one of the types of Number.
type kind int

const (
	kindFloat64 kind = iota
	kindFloat32
	kindInt64
	kindByte
	kinds
)

func kindOf[T Number]() kind {
	switch any(*new(T)).(type) {
	case float64:
		return kindFloat64
	case float32:
		return kindFloat32
	case int64:
		return kindInt64
	}
	return kindByte
}

// Bcast copies the array of rank root into the arrays of all others. All ranks
// call it with arrays of one length.
func Bcast[T Number](c *Comm, x []T, root int) error {
	return inPieces(x, c.w.maxCall, func(p unsafe.Pointer, n int32) error {
		return c.w.do("MPI_Bcast", c, func() int32 {
			return c.w.fn.bcast(p, n, c.w.abi.datatypes[kindOf[T]()], int32(root), c.handle)
		})
	})
}

// Allreduce replaces x[i], in all ranks, with op over the ranks' x[i]. All
// ranks call it with arrays of one length; longer ones than 2^30 values are
// reduced in pieces of that length. The order of the ranks' values depends on
// the library, the number of ranks and the length, unless op is not
// commutative.
//
// It returns an error if MPI does, if op was freed, or if the length of x is
// not a multiple of op's width. After an error x may hold anything.
func Allreduce[T Number](c *Comm, x []T, op Op) error {
	return reduction(c, "MPI_Allreduce", x, op, func(p unsafe.Pointer, n int32, o operator) int32 {
		return c.w.fn.allreduce(c.w.abi.inPlace, p, n, o.dtype, o.op, c.handle)
	})
}

// Reduce replaces x[i] of rank root with op over the ranks' x[i]; the other
// ranks' arrays do not change. Otherwise it is Allreduce. Rank root makes a
// copy of x.
func Reduce[T Number](c *Comm, x []T, op Op, root int) error {
	return reduction(c, "MPI_Reduce", x, op, func(p unsafe.Pointer, n int32, o operator) int32 {
		if c.rank != root {
			return c.w.fn.reduce(p, nil, n, o.dtype, o.op, int32(root), c.handle)
		}
		// Not MPI_IN_PLACE: for more than 2 KiB MPICH 4.0 reads from that
		// address where root is not rank 0.
		mine := slices.Clone(unsafe.Slice((*T)(p), int(n)*o.width))
		return c.w.fn.reduce(unsafe.Pointer(&mine[0]), p, n, o.dtype, o.op, int32(root), c.handle)
	})
}

// reduction calls reduce for every piece of x, with n elements of o.
func reduction[T Number](c *Comm, name string, x []T, op Op,
	reduce func(p unsafe.Pointer, n int32, o operator) int32) error {
	o, err := op.operator(c.w, kindOf[T]())
	if err != nil {
		return err
	}
	if len(x)%o.width != 0 {
		return fmt.Errorf("mpi: an array of %d values for an operation on elements of %d: its "+
			"length must be a multiple", len(x), o.width)
	}
	return inPieces(x, c.w.maxCall/o.width*o.width, func(p unsafe.Pointer, n int32) error {
		return c.w.doWith(o.user, name, c, func() int32 { return reduce(p, n/int32(o.width), o) })
	})
}

// inPieces calls f for each piece of at most maxLength values of x. The array
// is on the heap, where it does not move, because its pointer goes to functions
// that the compiler does not know.
func inPieces[T Number](x []T, maxLength int, f func(p unsafe.Pointer, n int32) error) error {
	for len(x) > 0 {
		n := min(len(x), maxLength)
		err := f(unsafe.Pointer(&x[0]), int32(n))
		runtime.KeepAlive(x)
		if err != nil {
			return err
		}
		x = x[n:]
	}
	return nil
}
