// Package ordered sums float64 and float32 by one published tree, at the speed
// of a sum that promises nothing.
//
//	s := ordered.Sum(x) // the same bits on every CPU, with any threads
//
// # Promise
//
// Ordered: the sequence of the inputs fixes the bits of a result. They are the
// same on every CPU and operating system, with every SIMD width, number of
// threads and alignment. They depend on the order of the inputs; package exact
// has sums that do not.
//
// # The tree
//
// Let t[0], …, t[n−1] be the summands, and a ⊕ b their sum rounded to nearest,
// ties to even, in the format of the inputs. There are L lanes, 64 of float64
// or 128 of float32, and a block is 128·L summands. Then
//
//	chain(b, i)   = (t[128Lb + i] ⊕ t[128Lb + i + L]) ⊕ t[128Lb + i + 2L] ⊕ …
//	                to the end of block b
//	lane(b, c, i) = chain(b, i)                         if c = b + 1
//	              = lane(b, m, i) ⊕ lane(m, c, i)       else, where m − b is the
//	                largest power of two below c − b
//	half(L, i)    = lane(0, ⌈n / 128L⌉, i)
//	half(w, i)    = half(2w, i) ⊕ half(2w, i + w)       for w = L/2, L/4, …, 1
//	result        = half(1, 0)
//
// A sum of no summands is absent, and an absent operand is not added. In words:
// summand k is in lane k mod L. Within a block a lane is added from first to
// last. Over the blocks a lane is added pairwise. Then the upper half of the
// lanes is added to the lower half until one lane is left.
//
// For ten summands of float64, one in each of the first ten lanes, this is
// ((((0 8) 4) (2 6)) (((1 9) 5) (3 7))):
//
//	lane    0       1       2     3     4     5     6     7     8     9
//	        │       │       │     │     │     │     │     │     │     │
//	i + 8   0⊕8     1⊕9     │     │     │     │     │     │
//	        │       │       │     │     │     │     │     │
//	i + 4   08⊕4    19⊕5    2⊕6   3⊕7
//	        │       │       │     │
//	i + 2   084⊕26  195⊕37
//	        │       │
//	i + 1   08426⊕19537
//
// Its height is at most h = 127 + log₂ L + ⌈log₂ ⌈n / 128L⌉⌉, which is 144 for
// 10⁷ summands of float64. A sum therefore differs from the exact one by at
// most γ·Σ|t[k]| with γ = hu / (1 − hu), where u is the unit roundoff, 2⁻⁵³ or
// 2⁻²⁴ for float32 (Higham1993, section 2). The left-to-right sum has h = n −
// 1. A dot product has h + 1 for h, as long as no product underflows.
//
// # Special values
//
// Special values follow IEEE 754, in the processor's standard mode, which Go
// assumes: a C library that sets another mode on a thread changes these sums
// too. A sum with a NaN, or with both infinities, is NaN; its sign and payload
// are not promised. A partial sum may overflow to an infinity where the whole
// would not. The sum of nothing is +0; a sum of −0 only is −0. Subnormals are
// kept.
//
// # Cost
//
// One pass, at the speed of memory or, in the first-level cache, of the loads;
// nothing is allocated. A slice of 16 MiB or more is summed by as many
// goroutines as GOMAXPROCS allows, on whole subtrees; one of 512 KiB or more
// by those that a sum in the 50 µs before has left. A kernel holds the lanes
// in eight registers of AVX-512, in the sixteen of AVX2, or in 24 of NEON and
// eight places of the cache; elsewhere, and with the build tag purego, it is
// plain Go. Package internal/kernel lists the kernels.
//
// References:
//   - [Higham1993] Nicholas J. Higham. The Accuracy of Floating Point
//     Summation. SIAM Journal on Scientific Computing 14(4):783–799, 1993.
package ordered
