// Package nankey finds bits of numbers that may be NaN.
//
// It reports bits that are compared, a key, hashed or stored, and any bits or
// sign of a NaN that arithmetic makes. The sign and the payload depend on
// the processor, so math.Float64bits(0/x) differs between amd64, whose NaN is
// negative, and arm64:
//
//	h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
//	seed := math.Float64bits(x / x)
//
// So does binary.Write of numbers, of lists and of structures with some, and
// Encode of package gob.
//
// Refuse NaN, or replace it by math.NaN(), before. A function that calls
// math.IsNaN or compares x != x is not reported, except for x/x and its like.
//
// The flag keys reports NaN as a key, too: m[NaN] = v adds an entry that no
// lookup finds, and a sync.Map has the same keys. That is a mistake, but the
// same one on every machine.
package nankey
