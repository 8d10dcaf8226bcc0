// Package proof proves a claimed tree, or finds out why it cannot be proven.
//
// A proof has two parts, because each sees faults that the other cannot. The
// certificate (certificate.go) proves the structure with masks and counts. The
// replay (replay.go) proves the arithmetic, and that nothing depends on the
// values, with ordinary numbers; search.go and parts.go look for the arithmetic
// that reproduces them. challenge.go, orders.go, classes.go, deviate.go and
// thresholds.go ask inputs derived from both, which decide where random ones
// seldom do. rivals.go tells the arithmetics apart that reproduce all of them.
//
// For summands that cannot be negative, the certificate is of rooted triples
// (triples.go) or, for many summands, of splits (splits.go), and positive.go,
// squareparts.go and softmax.go look for the arithmetic, with inputs of
// extremes.go and shortsoftmax.go; specks.go judges sums that lose nothing.
//
// flush.go and zeros.go are about subnormals that are flushed, and the signs of
// the zeros that are left; overflows.go is about the other end of the format.
//
// weights.go, weighted.go and mixedweights.go look for fixed weights of the
// summands and for the arithmetic of weighted sums; infinite.go asks for sums
// with infinities. neighbours.go is about sums of neighbouring inputs,
// centred.go about squares of differences from the mean, and tilted.go about
// rooted triples of products that are fused with additions.
//
// The other files look for counter-evidence: exactness.go, hard.go and kahan.go
// for sums that keep more than a plain sum does, mismatch.go and values.go for
// orders that depend on values, directed.go and widened.go for roundings that
// look like other orders, missed.go for what unverified inputs have in
// common, twice.go for summands that are added twice, and widths.go for squares
// that are added in two formats. They return verdict.Facts and decide nothing.
//
// References:
//   - [Xie2025] Peichen Xie, Yanjie Gao, Yang Wang and Jilong Xue. Revealing
//     Floating-Point Accumulation Orders in Software/Hardware Implementations.
//     2025 USENIX Annual Technical Conference (USENIX ATC 25), 2025.
//   - [Sperner1928] Emanuel Sperner. Ein Satz über Untermengen einer endlichen
//     Menge. Mathematische Zeitschrift 27:544–548, 1928.
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
package proof
