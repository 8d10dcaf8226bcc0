// Package sim makes targets of software models: of matrix units, as "sim:h100",
// and of the sums that several accelerators share, as "sim:nccl-ring:8".
//
//	target, err := sim.Open(ctx, "h100", probe.Spec{N: 32})
//	target, err = sim.Open(ctx, "nccl-ring:8", probe.Spec{N: 4096})
//
// # Matrix units
//
// The sums of products that the tensor cores and matrix cores of GPUs compute,
// and the matrix and dot product instructions of processors. The format out is
// binary32. The results equal the hardware's, bit for bit, as far as
// publications describe it, and are the same bits on every machine. Package mma
// has the arithmetic, with its sources.
//
// Units that take scales are left out, and inputs of E2M1, whose range is too
// small to ask for an order.
//
// # Sums over ranks
//
// The product of a matrix and a vector, or of two matrices, whose n summands
// are split over ranks, as in a row-parallel layer. Each rank has n/ranks
// neighbouring summands, and the first n mod ranks have one more. It adds them
// with one accumulator, in binary32, or binary64 for inputs of that format:
// products by fused multiply-adds, from +0. It stores the sum in the format of
// the inputs, as a kernel stores its output, and the ranks add these sums. Real
// kernels split their own part further; only the order between the ranks is
// NCCL's. The ranks of "all-gather" have all summands of some columns, as in a
// column-parallel layer, so that nothing is added between them.
//
// The array that is reduced has an element for each output: M·Cols of them. The
// element decides the order where it names its chunk:
//
//   - nccl-ring: the elements of chunk c are added from rank c + 1 on, around
//     the ring, to rank c. The array has ranks chunks of equal length, rounded
//     up to 16 bytes; there is a loop of such chunks for each ranks·2 MiB.
//   - reduce-scatter: the same, with chunks of 1/ranks of the array, padded.
//   - nccl-tree: a binary tree over ranks, each on a node of its own, for the
//     first half of the array, and its mirror image, or for an odd number of
//     ranks the tree moved by one rank, for the second half. A node adds its
//     children to its own part, one after the other.
//   - nccl-chain: the same algorithm within one node: each rank adds its part
//     to the sum of all later ranks.
//   - nvls: the switch adds, in binary32, and rounds once.
//   - one-shot: every GPU adds in binary32 in the order of the ranks, and
//     rounds once.
//   - fixed-tree: the n summands are cut into 8 blocks for any number of ranks,
//     whose sums stay in the accumulator's format. A binary tree adds them, and
//     the result is rounded once. A rank holds neighbouring blocks; which rank
//     adds two sums does not change a bit. Zhang2025 describes such kernels.
//
// In the others every addition is rounded to the format of the inputs. Where a
// rank has no summand, it contributes +0.
//
// These are assumptions:
//   - Rank r is at place r of the ring and of the chain.
//   - One channel has the whole array, two in nccl-tree. NCCL takes more for
//     long arrays, whose parts are treated alike.
//   - The protocol is Simple, with the default buffer.
//   - The order of additions in an NVLink switch is not published. The model
//     takes the order of the ranks, with a rounding to binary32 after each.
//   - NCCL is built with CUDA 12.2 or later. Before, nvls accumulated in the
//     format of the inputs.
//
// Sources: NCCL, src/device/all_reduce.h, reduce_scatter.h,
// reduce_kernel.h and common_kernel.h, src/graph/trees.cc and connect.cc; vLLM,
// csrc/custom_all_reduce.cuh.
//
// References:
//   - [Zhang2025] Ziyang Zhang, Xinheng Ding, Jiayi Yuan, Rixin Liu, Huizi Mao,
//     Jiarong Xing and Zirui Liu. Deterministic Inference across Tensor
//     Parallel Sizes That Eliminates Training-Inference Mismatch.
//     arXiv:2511.17826, 2025.
package sim
