// Package mma computes matrix products as the matrix units of processors do,
// bit for bit as far as the publications below describe them: the tensor cores
// of NVIDIA, the matrix cores of AMD, Intel's tiles and Arm's dot products. The
// arithmetic is data, one row for each unit and input format.
//
//	unit, _ := mma.Find("h100", fp.BFloat16)
//	unit.Multiply(d, a, b, c, m, n, k)
//
// # Promise
//
// Replayed: the result is the one that the published arithmetic gives, the same
// bits on every machine. Results are binary32.
//
// # Fused sums
//
// The products of a group and the accumulator c are summed at once, group after
// group. Zeros fill the last group.
//
// Each term is a significand times 2^e. For the accumulator e is its exponent,
// for a product the sum of its factors' exponents: a product is exact and is
// not normalised, so its significand lies in [1, 4). A subnormal number has the
// least exponent of its format and a significand below 1. A term of zero has
// the exponent Zero.
//
// Every term is rounded in direction Align to a multiple of 2^(E−Bits), where E
// is the largest e. The rounded terms are summed exactly, and the sum is
// rounded in direction Round to a significand of Precision bits. A sum of 2^128
// or more is infinite, and a sum of zero is +0. Where a product or c is not
// finite, the result is the infinity or the NaN that adding all terms in any
// order gives.
//
// Other structures are described at Structure, and the figures of each unit
// with their sources in the table.
//
// # Where sources disagree
//
// Xie2025MMASim revised its models after its first version. The rows for
// binary16 and bfloat16 follow the first version, except where named:
//   - Zero is −126 there. The program of the later version has −131 for Volta,
//     −132 for Turing, Ampere and Ada, −133 for Hopper and Blackwell. bfloat16
//     results below 2^-126 can differ; binary16 products are larger. Rows
//     of other formats have the later figures.
//   - CDNA1 sums a group's products and c exactly in the later version, with
//     one rounding, and not pairwise.
//   - CDNA2 makes zeros of inputs that are subnormal in their format, as
//     AMD's notes on MIOpen say. The later version makes +0 of them; here the
//     sign is kept. A product of −0 keeps its sign as in the later version;
//     the first adds +0 to it, as both do for CDNA1.
//   - CDNA3 keeps one more bit of the products' sum in the later version, and
//     then 31 fraction bits of the total: LateBits, which the rows of its other
//     formats have.
//
// Fasi2021 examined Volta, Turing and Ampere, and Li2024 Volta, Ampere, Hopper,
// CDNA1 and CDNA2. Khattak2025 has models of Volta, Ampere, Hopper and
// Blackwell; only its abstract was at hand, so no figure comes from it.
//
// # Not in the table
//
// No source was at hand for FP6 inputs, for AMX-FP16, for Arm's BFMOPA with
// FPCR.EBF, and for CDNA4. Results in binary16, which several units offer, have
// no rows.
//
// AVX512-FP16 adds no products to each other, so it has no row: the order of a
// sum is its program's, and package reveal finds it as it finds other orders.
// Each instruction is an operation of IEEE 754 that rounds once to binary16 in
// the direction of MXCSR or its own, and keeps subnormal numbers of binary16
// whatever DAZ and FTZ are. The complex ones round twice: they add the products
// with the real part of b first, and the others to that sum.
//
// # Compared with processors
//
// The row of AVX512-BF16 gives the results of VDPBF16PS of AMD's Zen 4 and Zen
// 5 and of Intel's Emerald Rapids. Package fp gives the results of AVX512-FP16
// of Emerald Rapids: sums, products, quotients, roots, multiply-adds, complex
// products and conversions from binary32 and binary64. DAZ makes zeros of
// subnormal numbers of these two formats before they are converted. The row of
// BFDOT gives the results of BFDOT, BFMMLA and SME's BFMOPA in QEMU, a program
// that others wrote, signs of zeros included. The other rows rest on their
// sources.
//
// # Cost
//
// A few nanoseconds a product on one core.
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
//   - [Khattak2025] Faizan A. Khattak and Mantas Mikaitis. Accurate Models of
//     NVIDIA Tensor Cores. arXiv:2512.07004, 2025.
//   - [IntelSDM] Intel Corporation. Intel 64 and IA-32 Architectures Software
//     Developer's Manual, volume 2. Instructions TDPBF16PS and VDPBF16PS, 2024.
//   - [ArmISA] Arm Limited. Arm A64 Instruction Set Architecture. Instructions
//     BFDOT and BFMMLA, 2024.
package mma
