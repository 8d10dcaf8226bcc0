// Window moves a window over numbers, keeps their sum as it goes, and comes
// back to the numbers that it began with. The exact state is then the same, to
// the byte; the two sums in float64 are not.
//
//	$ go run ./examples/window
//	8f834802a2d1aa22  before and after 1000000 numbers; plain drift -1.6e-06, Kahan's -1.5e-08
//	$ go run ./examples/window -n 1000 -width 10
//	11383790ed40e109  before and after 1000 numbers; plain drift 9.7e-10, Kahan's -1.9e-10
//
// # Idea
//
// A window that moves on by one number adds the new one and removes the oldest,
// so its sum costs the same for any width. In float64 each step leaves its
// rounding error behind: the sum depends on all numbers that ever passed, and
// drifts. Kahan's compensation makes the drift smaller, and does not end it. A
// large number that passes by takes digits with it, and an infinity leaves NaN
// for ever.
//
// # What fixes the bits
//
// An exact.Accumulator holds integers. Add adds to them, Sub takes away exactly
// what was added, and infinities are counted, not added. So the state depends
// on the numbers in the window and on nothing that was there before.
//
// References:
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
package main
