package ask

import "math"

// exp2Of returns the powers of two that random sizes are made by: math.Exp2, or
// quickExp2 for long inputs.
func exp2Of(in *Inputs) func(x float64) float64 {
	if in.n > maxShared {
		return quickExp2
	}
	return math.Exp2 //lastbit:ignore libm inputs need no last bit
}

// quickExp2 returns 2^x, with a relative error below 2^-27, for |x| < 1000.
// math.Exp2 takes several times as long.
func quickExp2(x float64) float64 {
	whole := math.Floor(x + 0.5)
	t := float64((x - whole) * math.Ln2)
	u := float64(t * t)
	// The Taylor polynomial of degree 7, its terms in pairs.
	high := 1.0/24 + float64(t*(1.0/120)) + float64(u*(1.0/720+float64(t*(1.0/5040))))
	low := 1 + t + float64(u*(0.5+float64(t*(1.0/6))+float64(u*high)))
	//lastbit:ignore floatconv exponents are in range
	return low * math.Float64frombits(uint64(int64(whole)+1023)<<52)
}
