// Package fused lists the multiplications and additions that the Go compiler
// fuses for a target: the operations whose results differ from a target without
// fused instructions.
//
//	ops, err := fused.List(ctx, fused.Build{}, target, "./...")
//
// The compiler itself makes the list: the go command compiles the packages for
// the target with the flag -d=fmahash=vy, which prints the position of each
// fused operation. Nothing is linked and nothing is run. The go
// command keeps the compiler's output in its build cache and prints it again
// when nothing has changed.
//
// An operation of an inlined function is at its own position, and Op.Through
// has the calls that it was inlined through.
package fused
