// Package ask asks a target questions: it fills batches, counts calls and reads
// outputs. It draws no conclusion from them.
//
// # Glossary
//
// The packages below reveal use these terms in this sense only.
//
//   - Target: the implementation under test. It sums n summands, or n products.
//   - Call: one run of the target. It computes one result for each lane.
//   - Lane: one of the results of a call, for example a row of a matrix.
//   - Main lane: the lane whose order is asked for.
//   - Pool: lanes that computed as the main lane does on every input they had
//     in common. The main lane is the first of them.
//   - Fill: a function that writes an input into a lane's row of zeros.
//   - Question: one input in one lane. Its answer is that lane's output.
//   - Unit: the value that represents 1 in the input format.
//   - Weights: whole numbers of units on the leaves.
//   - Count: an output, read as a number of units.
//   - Mask: a summand ±M so large that adding a count to it gives ±M again.
//   - Pair: two leaves that carry +M and −M. Everything added to either before
//     they cancel is lost, so the count is the weight outside their lowest
//     common ancestor.
//   - Structure: an input of masks and weights. Its output depends on the order
//     alone.
//   - Rooted triple: three leaves, and the two that meet before the third.
//     Asked with a large summand on the third and tiny ones on the two.
//   - Levels: the large and the tiny summands of rooted triples, for one
//     accumulator, and the two outputs that answer.
//   - Tilted: a rooted triple of weighted products, asked by rounding, where no
//     two products cancel.
//   - Quartet: four leaves with squares of differences from the mean. Its
//     answer is whether the first two meet first, or which leaves are pairs.
//   - Rooting: a place for the root of a tree that quartets find without one.
//   - Speck: a summand so small that no sum shows it.
//   - Patch: an input that differs from a base in a few places. Asking patches
//     of one base after each other costs time for these places only.
//   - Brink: a sample of one large summand, and others of a quarter to all of
//     half its last place, where many orders of additions round differently.
//   - Class of values: a spread of sizes and a pattern of signs, for example
//     all positive, or ascending. An order may depend on it.
//   - Sample: an input of ordinary numbers, of one Kind, with its output. It
//     depends on the arithmetic as well.
package ask
