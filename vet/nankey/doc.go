// Package nankey finds NaN where its bits or its identity decide: keys of maps,
// and bits that are compared, hashed or stored.
//
// A key that is NaN equals no key: each m[NaN] = v adds an entry that no lookup
// finds, and ranges meet them in any order. A sync.Map has the same keys. The
// sign and the payload of a NaN depend on the processor, so
// math.Float64bits(0/x) differs between amd64, whose NaN is negative, and
// arm64:
//
//	h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
//
// Refuse NaN, or replace it by math.NaN(), before. A function that calls
// math.IsNaN or compares x != x is not reported.
package nankey
