package cblas

import (
	"fmt"
	"unsafe"
)

// Slots of [Call.Arrays]. Vectors x and y are in the places of matrices B and
// C.
const (
	slotA = iota
	slotB
	slotC
	slotD
	slotE
	slots

	slotX = slotB
	slotY = slotC
)

// Array is an argument that is a vector or a matrix: runs of Length elements
// that begin Step apart.
type Array struct {
	At           unsafe.Pointer
	Count        int64 // elements from the first to the last
	Length, Step int64
	Size         int32 // bytes of one
	Direction    int32 // bits: 1 it is read, 2 it is written
}

// Call is a call of a routine. It has the layout of lb_call in
// cmd/liblastbit_blas/call.h.
type Call struct {
	Routine                                    Routine
	Format                                     int32 // 's', 'd', 'c' or 'z'
	Layout                                     byte  // 'R' by rows, 'C' by columns
	Side, Uplo, TransA, TransB, Diag           byte
	JobU, JobV                                 byte
	M, N, K, KL, KU, LDA, LDB, LDC, IncX, IncY int64
	Alpha, Beta                                [2]float64
	Arrays                                     [slots]Array
	Result                                     [2]float64
	Info                                       int64 // as LAPACK's INFO
}

// Run computes the call. An error means that an argument is wrong; then nothing
// was computed.
func (c *Call) Run() (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			c.Info = -1
			err = fmt.Errorf("%c%v: %v", c.Format, c.Routine, cause)
		}
	}()
	if c.Layout != 'R' && c.Layout != 'C' {
		return fmt.Errorf("%c%v: matrices are by rows or by columns", c.Format, c.Routine)
	}
	if c.Routine >= firstFactorization {
		return c.factorize()
	}
	switch c.Format {
	case 's':
		run(c, float32Routines)
	case 'd':
		run(c, float64Routines)
	case 'c':
		run(c, complex64Routines)
	case 'z':
		run(c, complex128Routines)
	default:
		return fmt.Errorf("%v: no format %q", c.Routine, rune(c.Format))
	}
	return nil
}

// slice returns an argument as a slice.
func slice[T any](c *Call, slot int) []T {
	a := c.Arrays[slot]
	if a.Count <= 0 {
		return nil
	}
	return unsafe.Slice((*T)(a.At), a.Count)
}
