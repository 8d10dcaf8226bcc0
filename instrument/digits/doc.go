// Package digits estimates how many digits of a program's output are right.
//
// It runs an instrumented program (package instrument) once as it is and
// several times with operations rounded up or down at random, and compares the
// outputs token by token. Two more runs round everything away from 0, and
// toward 0, so that no single error is the same in all. Digits that the runs
// share are right; the others hang on rounding errors. The profiles of the runs
// show the lines where digits are lost, and delta debugging finds the
// operations whose errors cause a loss.
//
// The method is statistical (Vignes1993): it sees rounding errors, not wrong
// formulas, and errors that every rounding shares can escape it, as in a
// recurrence that converges to a wrong limit.
//
// References:
//   - [Vignes1993] Jean Vignes. A stochastic arithmetic for reliable scientific
//     computation. Mathematics and Computers in Simulation 35(3):233–261, 1993.
package digits
