// Package order finds the order that a target adds in, as a claimed tree.
//
// There is one file for each algorithm, and one table of them in table.go. An
// algorithm asks questions through an ask.Channel; package proof has to prove
// its claim. See package ask for the glossary.
//
// L(i,j) below is the paper's l(i,j): the number of leaves under the lowest
// common ancestor of leaves i and j. It is n less the count that comes out when
// i and j carry +M and −M and all others 1 (§4.1 and §4.2, the masked all-one
// arrays).
//
// References:
//   - [Xie2025] Peichen Xie, Yanjie Gao, Yang Wang and Jilong Xue. Revealing
//     Floating-Point Accumulation Orders in Software/Hardware Implementations.
//     2025 USENIX Annual Technical Conference (USENIX ATC 25), 2025.
package order
