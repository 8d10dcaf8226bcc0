// Package clib makes targets of functions in shared libraries: the dot products
// and matrix products of a CBLAS ("blas:openblas"), and any C function that
// sums a vector ("clib:/path/lib.so:symbol").
//
//	target, err := clib.Open(ctx, "./libmine.so:sum", probe.Spec{N: 1000})
//
// calls double sum(const double *x, size_t n).
//
// The library is loaded and called in a process of its own, which is this
// program again: see ServeIfWorker. A crash, a hang or an exit of foreign code
// is a *probe.Fault, and the next call starts the process anew.
//
// Values reach the function as the bits of its format: NaN, infinities, −0 and
// subnormal numbers are unchanged. A call costs about 10 µs more than the
// function itself, and large batches travel through shared memory where the
// system has it.
package clib
