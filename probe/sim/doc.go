// Package sim makes targets of software models of matrix accelerators: the sums
// of products that the tensor cores and matrix cores of GPUs compute, as
// "sim:h100". The formats in are binary16 and bfloat16, the format out is
// binary32.
//
//	target, err := sim.Open(ctx, "h100", probe.Spec{N: 32})
//
// The results equal the hardware's, bit for bit, as far as the publications
// below describe it, and are the same bits on every machine. A call costs about
// 5 ns a product on one core.
//
// # Fused sums (NVIDIA)
//
// The products of a group and the accumulator c, which begins at +0, are summed
// at once, group after group. Zeros fill the last group.
//
// Each term is a significand times 2^e. For the accumulator e is its exponent,
// for a product the sum of its factors' exponents: a product is exact and is
// not normalised, so its significand lies in [1, 4). A subnormal number has the
// least exponent of its format and a significand below 1, and so has c = 0. A
// product of zero takes no part.
//
// Every term is truncated towards zero to a multiple of 2^(E−F), where E is the
// largest e. The truncated terms are summed exactly, and the sum is truncated
// towards zero to binary32. A sum of 2^128 or more is infinite, and a sum of
// zero is +0. Where a product or c is not finite, the result is the infinity or
// the NaN that adding all terms in any order gives.
//
//	              group  F
//	v100   Volta      4  23   HMMA.884
//	turing Turing     8  24
//	a100   Ampere     8  24   HMMA.16816 is two chained halves
//	ada    Ada        8  24   likewise
//	h100   Hopper    16  25
//	b200   Blackwell 16  25
//
// # AMD
//
// CDNA3 fuses the products of a group of eight as above, with F = 24. Then it
// aligns that sum and c to the larger of E and the exponent of c, and rounds
// both down, not towards zero: the sum to 31 fraction bits, c to 24. The total
// is rounded to the nearest binary32; a small negative one becomes −0. A
// product of 2^128 or more is infinite.
//
// CDNA1 and CDNA2 add a group of four pairwise (of two for bfloat16 on CDNA1),
// round every product and every sum to the nearest binary32, and then add the
// group to c. CDNA2 takes subnormal numbers for zeros, in and out.
//
// References:
//   - [Fasi2021] Massimiliano Fasi, Nicholas J. Higham, Mantas Mikaitis and
//     Srikara Pranesh. Numerical behavior of NVIDIA tensor cores. PeerJ
//     Computer Science 7:e330, 2021.
//   - [Li2024] Xinyi Li, Ang Li, Bo Fang, Katarzyna Swirydowicz, Ignacio Laguna
//     and Ganesh Gopalakrishnan. FTTN: Feature-Targeted Testing for Numerical
//     Properties of NVIDIA & AMD Matrix Accelerators. 24th IEEE International
//     Symposium on Cluster, Cloud and Internet Computing (CCGrid), 2024.
//   - [Xie2025MMASim] Peichen Xie, Yang Wang, Fan Yang and Mao Yang. MMA-Sim:
//     Bit-Accurate Reference Model of Tensor Cores and Matrix Cores.
//     arXiv:2511.10909, 2025.
package sim
