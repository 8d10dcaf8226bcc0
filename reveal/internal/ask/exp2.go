package ask

import "math"

// exp2 returns the function that random sizes are powers of two by: math.Exp2,
// or for long inputs quickExp2.
func (in *Inputs) exp2() func(x float64) float64 {
	if in.n > maxShared {
		return quickExp2
	}
	return math.Exp2
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
	return low * math.Float64frombits(uint64(int64(whole)+1023)<<52)
}
