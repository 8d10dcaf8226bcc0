// Package exec makes targets of any program that speaks the wire protocol of
// docs/reference/wire.md on its standard input and output, as "exec:command
// args…".
//
//	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 100}
//	target, err := exec.Open(ctx, "./mysum --fast", s)
//
// The folder testdata has such programs in C and in Python.
//
// The program runs in a process of its own and is kept. A crash, a hang or an
// invalid answer is a *probe.Fault, and the next call starts it anew. Values
// travel as the bits of the program's formats, so the program decides how to
// treat NaN, infinities, −0 and subnormal numbers. A call costs about 10 µs
// more than the program's work.
package exec
