package lapack

import "math"

// larger returns math.Max of two numbers. It calls that only where they are
// equal or one is NaN.
func larger(x, y float64) float64 {
	if x > y {
		return x
	}
	if x < y {
		return y
	}
	return math.Max(x, y)
}

// smaller returns math.Min of two numbers, as larger does math.Max.
func smaller(x, y float64) float64 {
	if x < y {
		return x
	}
	if x > y {
		return y
	}
	return math.Min(x, y)
}
