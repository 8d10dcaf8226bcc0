// Package gofunc makes targets of functions in this process: plain Go loops
// (go:naive, go:pairwise, go:kahan, go:neumaier, go:fma), models of kernels
// with a split (go:rmsnorm:256, go:softmax:128, go:attention:64), gonum's
// functions (gonum:floats.Sum, gonum:blas64.Gemm), this module's own
// (lastbit:exact.Sum), and the functions of a caller.
//
// A test of a Go program can reveal the order of its own sum:
//
//	target := gofunc.New("mypkg.Sum", mypkg.Sum, 1000)
//	defer target.Close()
//	finding, err := reveal.Reveal(ctx, target, reveal.Options{})
//
// The function gets slices aligned as Spec.Align asks, and computes in its own
// formats. NaN, infinities, −0 and subnormal numbers reach it unchanged, and
// its result comes back unchanged. Go lacks 16-bit formats: loops over binary16
// and bfloat16 hold values as float64 and round every product and every
// addition.
//
// A call costs two goroutine switches besides the function itself.
//
// A panic of the function is a fault of the target, and so is a call that does
// not end in time. Go cannot stop a goroutine: after a timeout the target is
// unusable, and its goroutine stays until the function returns. A fatal error,
// such as a stack overflow, ends this process.
package gofunc
