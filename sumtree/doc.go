// Package sumtree models the order that an implementation accumulates in: a
// rooted tree whose leaves are the summands 0 … n−1 and whose inner nodes are
// additions, of two operands or, for a fused sum, of more: the summation trees
// of Xie2025, §3.2 and §5.2.
//
// A Tree and an Arithmetic together fix every bit of a sum:
//
//	t, err := sumtree.Parse("((0 1) (2 3))")
//	sum, err := t.Replay(sumtree.Plain(fp.Binary32), x, nil)
//
// # Canonical form
//
// A Tree is always in canonical form: the children of a node are sorted by
// their smallest leaf, and inner nodes are numbered in post-order. Two trees
// are the same order of accumulation exactly when they are Equal, since
// floating-point addition commutes.
//
// # Families
//
// A Family is a rule that gives a tree for every number of leaves: the loops
// and recursions of libraries. Recognise names the family of a tree; where no
// list has it, Sample.Guess reads the parameters off the tree.
//
// # Promise
//
// Replayed: Replay returns, bit for bit, the result of an implementation with
// that tree and that arithmetic. Every operation is rounded once from its exact
// result, in software where the hardware has no such format or mode, so the
// result is the same on every processor.
//
// # Special values
//
// NaN and infinities follow IEEE 754; the sign and payload of a NaN result are
// not part of the promise. A sum of −0 is −0, or +0 with Arithmetic.PlusZero.
// Subnormals are kept, or become zeros with DAZ and FTZ. A tree has at least
// one leaf: NewBuilder panics for n < 1.
//
// # Cost
//
// A tree takes 12 bytes a leaf, a replay one pass of about 10 ns a leaf, more
// where a format needs exact rounding. Nothing recurses: a chain of millions of
// leaves is as good as any tree.
//
// References:
//   - [Xie2025] Peichen Xie, Yanjie Gao, Yang Wang and Jilong Xue. Revealing
//     Floating-Point Accumulation Orders in Software/Hardware Implementations.
//     2025 USENIX Annual Technical Conference (USENIX ATC 25), 2025.
package sumtree
