// Package portable finds the places of a module whose results depend on the
// platform, and rewrites them.
//
//	report, err := portable.Examine(ctx, portable.Options{Patterns: []string{"./..."}})
//	result, err := portable.Rewrite(ctx, options)
//	err = result.Write()
//
// The places are what the analyzers of package vet find, except floattext and
// widesum, and the operations that the compiler itself fuses for other
// processors. Each has a kind, and each kind that can be rewritten has a
// function that returns the edits for a place, or the reason for none:
//
//	fma         float64(x*y) + z
//	libm        functions of packages crmath and crmath/f32
//	complex     functions of package fp/complexes
//	floatconv   functions of package fp/trunc
//	maps        a range over sorted keys, or an exact.Accumulator
//	goroutines  an exact.Accumulator, or an exact.Shared for atomic swaps
//	nan         functions of package fp/signs; other bits of a NaN stay
//
// # Promise
//
// Rewritten code computes on every platform what it computed on amd64 with
// GOAMD64=v1, except for elementary functions, which are correctly rounded,
// sums whose order was open, and signs of NaN, which are positive.
//
// Rewrite keeps all files in memory. It compiles the result for every target,
// and type-checks it with the tests, before Write changes the first file.
package portable
