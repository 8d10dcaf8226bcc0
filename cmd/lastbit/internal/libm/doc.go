// Package libm examines the elementary functions of this machine: Go's, the C
// library's, NumPy's. It calls each with fixed arguments, compares the results
// with the correctly rounded ones of crmath, and measures the time of a call.
//
//   - functions.go: the functions, in both formats, and their arguments;
//   - library.go, c.go, numpy.go: where implementations come from;
//   - fingerprint.go, worst.go, golden.go: the rounding of a function;
//   - hashes.go, sums.go, witness.go: hashes of results, and one that changed;
//   - file.go, diff.go: fingerprints in files, and their differences;
//   - times.go: the time of calls.
package libm
