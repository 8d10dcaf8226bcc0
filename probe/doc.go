// Package probe defines an implementation under test: a Target that answers
// Batches, and the Key that its findings belong to.
//
// A Target is a black box that computes sums Σ x[i], products Σ x[i]·y[i], sums
// of squares, norms, softmax or attention: see Op.
// One call may compute many of them at once (the rows of a matrix); each is a
// lane. Summation orders depend on the number of summands, the format, the
// shape, the layout and the machine, so a Target is opened for one Spec, and
// its Key names all of that:
//
//	b := probe.NewBatch(target) // zeros, and ones for second factors
//	copy(b.X, []float64{0x1p53, 1, 1})
//	err := target.Call(ctx, b)  // b.Out[0] is 0x1p53 or 0x1p53 + 2
//
// Values travel as float64 whatever the target's formats are: every value of a
// narrower format is a float64. The caller hands over values of the input
// format only; NaN, infinities, −0 and subnormal numbers are values like
// others, and a driver passes on their bits. This package computes nothing, so
// it makes no promise about bits.
//
// The drivers are the packages beside this one; none knows another. Package
// probe/open turns an address into a Target, and docs/develop/recipes/driver.md
// shows how to add a driver. probe/probetest holds the suite that every driver
// passes.
package probe
