// Package crosscheck runs the tests of Go packages, or a program, on several
// platforms, and compares the bits of what they compute.
//
//	report, err := crosscheck.Check(ctx, crosscheck.Options{Patterns: []string{"./..."}})
//
// # Idea
//
// For each platform the go command builds the test programs of the packages,
// with other texts in the place of some files (-overlay). Each function with
// floating-point numbers gets a second one beside it, which calls the first and
// notes hashes of arguments and results by package record. The calls in test
// files go to the second one, and so do the calls of functions that the
// compiler inlines for none of the platforms. A function itself, and what it
// inlines, is compiled as ever: so the compiler fuses what it fuses without
// lastbit.
//
// The programs run on this processor, twice, and on others by package emulator.
// What differs between the two runs on this processor is left out. Else the
// first call with other results for the same arguments is shown.
//
// # Cause
//
// Sites are the operations that the compiler fuses for a platform, by its own
// list (-d=fmahash), and the calls of functions of package math. A site is off
// if the operation is not fused (-d=fmahash again), or if the call goes to a
// copy of package math without assembly. With all sites off the platforms have
// to agree on the call, and with all of them on they do not; in between,
// bisection finds a site that makes the difference.
//
// # Promise
//
// A difference is one that was seen: the same arguments, and other results. The
// same bits means that no call of the tests differs on the platforms that ran.
package crosscheck
