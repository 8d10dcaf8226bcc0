//go:build !darwin

package clib

// blasInt is the int of a BLAS. Where arguments are passed in registers or in
// words of the stack, one of 64 bits serves a BLAS of 32-bit integers as well.
type blasInt = int
