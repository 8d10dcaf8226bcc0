// Package reveal finds the order that an implementation accumulates in, and the
// arithmetic, by calling it. A Finding is a tree with its proof, or a refusal
// with a witness.
//
//	target, err := …            // a driver of package probe opens one
//	f, err := reveal.Reveal(ctx, target, reveal.Options{})
//	fmt.Println(f.Verdict, f.Verified, f.Tree)
//
// # Promise
//
// A verified finding of verdict "tree" held two proofs. The certificate masks
// every subtree of the claimed tree in turn, and compares the counts that come
// out: it proves the structure. The replay computes inputs of many kinds by
// tree and arithmetic, and compares bits: it proves the arithmetic, and shows
// orders that depend on values. Either proof alone is worth little.
//
// A finding holds for the implementation, shape and machine that Finding.Key
// names, and for the inputs tried, classes of values such as all positive or
// ascending among them. No number of calls proves anything about other inputs:
// a rule that changes the order for one pattern of bits, or for one call in a
// thousand, is seldom found.
//
// # Verdicts
//
// One table maps evidence to verdicts: reveal/internal/verdict/table.go. Its
// rows are read from top to bottom, and each names the facts that make its
// verdict. Every refusal carries a witness: an input, and the outputs seen, so
// that it can be checked without this package.
//
// # Comparisons
//
// Compare concludes Same only where every finding is verified, with one tree
// and one arithmetic; Different only with a witness; and Open otherwise, with
// the reasons. Agreement on samples alone is Open. Targets that agree are asked
// the questions that revealed the others, so that a question that refuted one
// of them meets all.
//
// # Algorithms
//
// Algorithms lists them; the code is in reveal/internal/order, one file each.
// They are the four of the paper (basic, fprev-binary, fprev, scaled), its
// brute force (naive), and two that take fewer calls: packed, which asks for
// the places of many summands at once, and family, which guesses a known shape.
// auto takes the fastest. Operations whose summands cannot be negative (sumsq,
// rmsnorm, softmax) have triples only, which asks which two of three summands
// meet first.
//
// # Special values
//
// Inputs are finite, except a few with infinities, which a target may refuse.
// Last come NaN at the first, a middle and the last place, and infinities of
// both signs; a target may end in an error, or panic, there. Traits.NaN and
// Traits.Special hold what it does with them. A replay treats NaN as IEEE 754
// does, so the promise of a verified tree that skips NaN excludes it. Huge
// summands are (±2^13 and more for float16, ±2^100 for float32 and bfloat16,
// ±2^800 for float64), subnormals and negative zeros too. A target that gives
// NaN or an infinity for huge summands is refused as "unsupported", as is a
// mean of more than 4096 float16 values, which has no room for masks beside a
// count. NaN results compare equal to each other. n is at least 1. Inputs of
// softmax include −∞, a summand of zero.
//
// # Cost
//
// Calls dominate the cost. At n = 1024 NumPy's pairwise sum takes about 450,
// most of them for the proof, and a random tree up to 940 (float32) or 690
// (float64). Targets with many lanes take few: a matrix product of 512 products
// at most 120. Rooted triples take about n·log2(n) calls, and 3n for the proof,
// divided by the number of lanes. Options.MaxCalls bounds them. Memory is about
// 900 bytes a summand.
//
// # Optional methods of targets
//
// Besides probe.Target, the package looks for these methods:
//
//   - probe.CellTarget: a target that gives a whole matrix of outputs. Cells
//     needs one.
//   - probe.Restarter: a target that counts restarts of its process. A Finding
//     warns when there were any.
//   - probe.Threaded: a target that knows whether several threads share a sum.
//     Inputs are repeated more often then.
//   - probe.Movable: a target that places its operands elsewhere. The finding
//     has whether results depend on their addresses.
//
// References:
//   - [Xie2025] Peichen Xie, Yanjie Gao, Yang Wang and Jilong Xue. Revealing
//     Floating-Point Accumulation Orders in Software/Hardware Implementations.
//     2025 USENIX Annual Technical Conference (USENIX ATC 25), 2025.
package reveal
