package wide

import "github.com/lastbit/lastbit/fp"

// TryPow returns x^y, rounded in direction m, for arguments as in SetPow; false
// where two words do not decide, as for all powers that are representable or
// midpoints.
func TryPow(x, y float64, m fp.Mode) (r float64, ok bool) {
	return logShort(shortFloat(x), false).times(shortFloat(y)).tryExp(m)
}

// TryPown is TryPow for x^k, as in SetPown.
func TryPown(x float64, k int, m fp.Mode) (r float64, ok bool) {
	return logShort(shortFloat(x), false).times(shortInt(int64(k))).tryExp(m)
}

// TryCompound is TryPow for (1+x)^k, as in SetCompound.
func TryCompound(x float64, k int, m fp.Mode) (r float64, ok bool) {
	return log1pShort(shortFloat(x)).times(shortInt(int64(k))).tryExp(m)
}

// TryRootn is TryPow for x^(1/k), as in SetRootn.
func TryRootn(x float64, k int, m fp.Mode) (r float64, ok bool) {
	return logShort(shortFloat(x), false).over(shortInt(int64(k))).tryExp(m)
}

// tryExp returns e^x rounded in direction m, and whether two words decide it,
// for |x| < 2^12 with a relative error below 2^-119.9: the product or the
// quotient of a logarithm adds 2^-124 to its own. The relative error of e^x is
// below 2^(x.exp-119.9) + 2^-122.
func (x short) tryExp(m fp.Mode) (r float64, ok bool) {
	return expShort(x, &rateE).rounded(m, max(0, x.exp-2))
}
