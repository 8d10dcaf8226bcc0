//go:build amd64 && !amd64.v3

package blas

// asksForFMA reports whether compiled code asks the processor before each
// math.FMA whether it has the instruction, and keeps no numbers in registers
// across the question.
const asksForFMA = true
