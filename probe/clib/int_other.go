//go:build !darwin

package clib

// blasInt is the int of a BLAS. Arguments are passed in registers or in words
// of the stack, so 64 bits also serve a BLAS of 32-bit integers.
type blasInt = int
