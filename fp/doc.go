// Package fp describes binary floating-point formats no wider than binary64,
// and computes in them: the formats of IEEE 754, and the short ones of matrix
// accelerators. Package fp/blocks adds blocks of numbers that share a scale.
//
// Every value of every format here is also a binary64 value, so a float64
// carries it: a "value of format f" is a float64 that f.Round leaves alone.
//
//	half := fp.Binary16
//	sum := half.Add(512, 0.5, fp.NearestEven)    // 512.5
//	ulp := half.ULP(sum)                         // 0.5
//
// # Promise
//
// Round, Add, Mul and FMA are correctly rounded in every rounding mode, from
// the exact result, never from one that was rounded before. The bits are the
// same on every processor.
//
// # Special values
//
// Operations follow IEEE 754, and IsIEEE reports which formats have all its
// values. Format.Round gives the rules of the others, and RoundSaturated the
// conversion that never leaves the finite numbers. Overflow gives ±Inf, or ±Max
// where the mode points inwards; underflow is gradual. An exact zero sum of
// opposite operands is +0, and −0 in mode Down. Any operation on NaN gives NaN;
// its payload is not defined.
//
// # Cost
//
// Binary64 and Binary32 in mode NearestEven take about as long as the hardware.
// The other formats and modes take some tens of nanoseconds an operation.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
//   - [MicikeviciusOFP8] Paulius Micikevicius, Stuart Oberman, Pradeep Dubey,
//     Marius Cornea, Andres Rodriguez, Ian Bratt, Richard Grisenthwaite, Norm
//     Jouppi, Chiachen Chou, Amber Huffman, Michael Schulte, Ralph Wittig,
//     Dharmesh Jani and Summer Deng. OCP 8-bit Floating Point Specification
//     (OFP8), revision 1.0. Open Compute Project, 2023.
//   - [OCPMX] Bita Darvish Rouhani, Nitin Garegrat, Tom Savell, Ankit More and
//     others. OCP Microscaling Formats (MX) Specification, version 1.0. Open
//     Compute Project, 2023.
//   - [Noune2022] Badreddine Noune, Philip Jones, Daniel Justus, Dominic
//     Masters and Carlo Luschi. 8-bit Numerical Formats for Deep Neural
//     Networks. arXiv:2206.02915, 2022.
package fp
