package clib

// blasInt is the int of a BLAS. It has to be exact: on this system an argument
// on the stack takes only the size of its type.
type blasInt = int32
