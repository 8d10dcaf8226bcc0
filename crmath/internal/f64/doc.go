// Package f64 holds the functions of crmath and their vector kernels, which
// crmath documents.
//
//   - dd.go: error-free sums and products, and Ziv's rounding test;
//   - exp.go, log.go, trig.go, …: the functions, a family in each file;
//   - lanes.go: the fast paths without rare cases. internal/_asm/lanes compiles
//     the vector kernels of the slice functions (slice.go) from them;
//   - tables_*.go: tables and polynomials, by internal/tables.
//
// No operation of the Go code is fused, on any architecture: every product that
// feeds a sum is written float64(x*y).
package f64
