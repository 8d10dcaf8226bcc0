// Package blocks decodes and encodes blocks of short floating-point numbers
// that share a scale: the microscaling formats of the Open Compute Project, and
// NVIDIA's NVFP4.
//
//	codes := make([]uint8, 32)
//	scale := blocks.MXFP8E4M3.Encode(codes, x, blocks.Options{Saturate: true})
//	blocks.MXFP8E4M3.Decode(y, scale, codes, 1)
//
//	            elements  a block  scale
//	MXFP8E4M3   E4M3FN    32       E8M0
//	MXFP8E5M2   E5M2      32       E8M0
//	MXFP6E3M2   E3M2      32       E8M0
//	MXFP6E2M3   E2M3      32       E8M0
//	MXFP4       E2M1      32       E8M0
//	NVFP4       E2M1      16       E4M3FN without sign, times the tensor's
//
// # Promise
//
// A decoded value is the exact product of scale and element. An encoded element
// is the exact quotient of value and scale, rounded once.
//
// # Scales
//
// The scale of an MX block is 2^(e−E), where 2^e is the largest power of two
// not above the largest magnitude and E the largest exponent of the elements,
// within the range of E8M0 (OCPMX, 6.3). It is 2^-127 for a block of zeros.
//
// The scale of an NVFP4 block is its largest magnitude divided by 6 and by the
// scale of the tensor, rounded to the nearest E4M3FN, at most 448. TensorScale
// returns the usual scale of a tensor, its largest magnitude divided by 6·448.
// An element whose scale was rounded to 0 is a zero (NVFP4). Kernels multiply
// by an approximate reciprocal instead of dividing, and may differ.
//
// # Special values
//
// A block whose scale is NaN is all NaN. NaN among the values is kept by
// elements that have NaNs, and else makes the scale NaN. So does an infinity
// that neither saturates nor has an encoding. Neither counts for the scale.
// OCPMX leaves both to the implementation.
//
// # Cost
//
// Some tens of nanoseconds a value.
//
// References:
//   - [OCPMX] Bita Darvish Rouhani, Nitin Garegrat, Tom Savell, Ankit More and
//     others. OCP Microscaling Formats (MX) Specification, version 1.0. Open
//     Compute Project, 2023.
//   - [NVFP4] NVIDIA. Pretraining Large Language Models with NVFP4.
//     arXiv:2509.25149, 2025.
package blocks
