// Package accel infers the arithmetic of a matrix unit from the products that
// it computes: the parameters of mma.Arithmetic that its results allow.
//
// The questions, and what each separates:
//   - lost summands: products M and −M, and one product far below them, at one
//     place after the other. The small one survives from the first place of the
//     next group on: Terms.
//   - gaps: two large products that cancel, or nearly, and smaller ones at
//     every distance below them, of both signs and with significands in [1, 4):
//     Bits, Align and Normalise.
//   - carries: a large product in one group, its opposite in another, and
//     small ones in both: Structure, since c is one more term, or added later.
//   - wide products: every exponent at random: Round and Precision.
//   - ties: an accumulator of 24 bits, and products that bring it halfway
//     between two results, or one low bit beside that: SumBits and LateBits.
//   - tiny products: sums near the subnormal numbers of binary32: Zero.
//   - subnormal factors: whether the unit takes them for zeros.
//
// Every combination of parameters that the package knows is computed by package
// mma on the same inputs, and dropped at the first result that differs. While
// several are left, more inputs are searched for one that they differ on, and
// only such inputs are asked. Parameters that still differ are undetermined.
package accel
