package clib

// blasInt is the int of a BLAS. On this system arguments on the stack take only
// as much room as their type, so that it must be exact.
type blasInt = int32
