// Package floattext finds numbers that are compared as text.
//
// Text of a few digits hides a difference in the last bit, except where the
// number lies next to the edge between two roundings: there the texts differ on
// one machine in thousands of values.
//
//	if fmt.Sprintf("%.6f", got) != want {
//
// Text of all digits (%v) differs with every last bit. Compare the numbers,
// with a tolerance that has a reason, or their bits with math.Float64bits.
package floattext
