// Package arithmetic holds the tests that reveal functions of an unusual
// arithmetic: products fused here and rounded there, subnormals flushed, zeros
// of either sign, lanes that begin empty, other directions of rounding. A
// finding that is verified replays all of them, or the test fails.
package arithmetic
