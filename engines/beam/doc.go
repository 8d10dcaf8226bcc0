// Package exactbeam sums PCollections of Apache Beam with the promise exact: a
// result is the correctly rounded value of the real sum, whatever the bundles,
// the workers, and the order in which the runner merges them.
//
//	import exactbeam "github.com/lastbit/lastbit/engines/beam"
//
//	total := exactbeam.Sum(s, prices)             // PCollection<float64>
//	perShop := exactbeam.SumPerKey(s, pricesOf)   // PCollection<KV<K,float64>>
//
// The CombineFns [ExactSum], [ExactMean], [ExactDot] and [ExactVariance] can be
// given to beam.Combine and beam.CombinePerKey too. [ExactState] keeps the sum
// unrounded: the bytes of exact.Accumulator's MarshalBinary, which every other
// engine of lastbit merges.
//
// # Promise
//
// A result has the bits of package exact on the same multiset. stats.Sum and
// stats.Mean add in the order that the elements arrive in, and a runner that
// splits the input otherwise gets other bits.
//
// # Special values
//
// As in package exact: NaN, +Inf with −Inf, and ∞·0 give NaN; one infinity is
// the sum; numbers that are all −0 have the sum −0. For an empty PCollection
// Beam calls no CombineFn, and the result is empty too.
//
// # Accumulators
//
// Between workers an accumulator travels as the canonical bytes of its state,
// 11 to 590 of them, by coders that this package registers. Bytes of any other
// form are an error, which fails the bundle.
//
// # Cost
//
// An element costs Beam's calls, and some 3 ns for a sum or 6 ns for a
// variance.
package exactbeam
