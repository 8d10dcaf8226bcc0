package f64

import "math"

// Logarithms of numbers that are not near 1, with fused operations. There the
// result is not small, and fewer bits behind it suffice than near 1, where
// fusedLog computes.

// A quickCell is a row of a table of logarithms, as in tables_log_quick.go.
type quickCell struct{ c, hi, lo float64 }

// Bounds of the errors, with room for ziv. Units are 2^-53 of the sum q of the
// terms from r² on:
//
//	1    r²
//	1.6  the polynomial: its last sum, its coefficients, other sums
//	1    the sum with the product
//	2    ziv
//
// |r| is below 2^-7.6, so that q is below 2^-16.2 for ln, and the sum of these
// below 2^-66.7. The polynomial itself is off by less than 2^-69, and other
// parts are below 2^-33. The factors of the other logarithms are 0.44 and 1.45.
const (
	lnQuickErr = 0x1p-66
	lgQuickErr = 0x1p-67
	lbQuickErr = 0x1.8p-66
)

// isNearish reports whether u encodes a number in [1-2^-4, 1+2^-4).
func isNearish(u uint64) bool {
	const first, end = 0x3fee << 48, 0x3ff1 << 48
	return u-first < end-first
}

// quickRow returns the index of the row for a significand.
func quickRow(m uint64) uint64 { return (m - logOffset) >> (52 - logBits) % logCells }

// rest returns m·c - 1, which has 53 bits.
func (t *quickCell) rest(m uint64) float64 { return math.FMA(math.Float64frombits(m), t.c, -1) }

// quickLn returns hi + lo ≈ ln x for positive normal x, encoded by u, that is
// not isNearish.
func quickLn(u uint64) (hi, lo float64) {
	base, r, rest := quickLnParts(u)
	hi, s := fastTwoSum(base, r)
	return hi, s + rest
}

// quickLnParts returns quickLn as a sum of three numbers. base, k·ln 2 and the
// row's first part, is a multiple of 2^-42, and larger than r.
func quickLnParts(u uint64) (base, r, rest float64) {
	m, k := logSplit(u)
	t := &lnQuick[quickRow(m)]
	r = t.rest(m)
	r2 := float64(r * r)
	p := (lnQuickC2 + float64(r*lnQuickC3)) +
		float64(r2*((lnQuickC4+float64(r*lnQuickC5))+float64(r2*(lnQuickC6+float64(r*lnQuickC7)))))
	return math.FMA(k, logLn2Hi, t.hi), r, math.FMA(r2, p, math.FMA(k, logLn2Lo, t.lo))
}

// quickLg is quickLn for log10. r·invLn10 is exact as a sum of two numbers.
func quickLg(u uint64) (hi, lo float64) {
	m, k := logSplit(u)
	t := &lgQuick[quickRow(m)]
	r := t.rest(m)
	first := float64(r * invLn10)
	hi, s := fastTwoSum(math.FMA(k, logLg2Hi, t.hi), first)
	s += math.FMA(r, invLn10Rest, math.FMA(r, invLn10, -first))
	r2 := float64(r * r)
	p := (lgQuickC2 + float64(r*lgQuickC3)) +
		float64(r2*((lgQuickC4+float64(r*lgQuickC5))+float64(r2*(lgQuickC6+float64(r*lgQuickC7)))))
	return hi, math.FMA(r2, p, s+math.FMA(k, logLg2Lo, t.lo))
}

// quickLb is quickLg for log2.
func quickLb(u uint64) (hi, lo float64) {
	m, k := logSplit(u)
	t := &lbQuick[quickRow(m)]
	r := t.rest(m)
	first := float64(r * invLn2)
	hi, s := fastTwoSum(k+t.hi, first)
	s += math.FMA(r, invLn2Rest, math.FMA(r, invLn2, -first))
	r2 := float64(r * r)
	p := (lbQuickC2 + float64(r*lbQuickC3)) +
		float64(r2*((lbQuickC4+float64(r*lbQuickC5))+float64(r2*(lbQuickC6+float64(r*lbQuickC7)))))
	return hi, math.FMA(r2, p, s+t.lo)
}

// The rests of 1/ln 10 and 1/ln 2.
const (
	invLn10Rest = 1/math.Ln10 - invLn10
	invLn2Rest  = 1/math.Ln2 - invLn2
)
