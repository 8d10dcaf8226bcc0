// Package f64 holds the functions of crmath and their vector kernels, which
// crmath documents.
//
//   - exp.go, log.go, rsqrt.go, …: the functions, a family in each file. Rsqrt
//     rounds in any direction. rsqrtLane is what internal/_asm/lanes compiles
//     the vector kernels from, and rsqrtCall the single call, FastRsqrt.
//     inRsqrt reports for which arguments there is a kernel, and RsqrtSlice
//     applies it;
//   - functions.txt: the functions, a row for each. zfunctions*.go follow from
//     it, by internal/functions;
//   - dd.go, expansion.go, fused.go, fused_log.go, linear.go: what several
//     families share;
//   - lanes.go: what lanes are, and parts of them;
//   - tables_*.go: tables and polynomials, by internal/tables.
//
// No operation of the Go code is fused, on any architecture: every product that
// feeds a sum is written float64(x*y).
package f64
