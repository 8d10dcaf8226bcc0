package exact

// AddWide adds hi + lo as one summand: a number that one float64 cannot hold,
// such as a 64-bit integer, written as the exact sum of two of the same sign.
// Where hi is zero or not finite, lo must be 0.
//
//	a.AddWide(1<<63, 1025) // 2^63 + 1025
func (a *Accumulator) AddWide(hi, lo float64) {
	a.Add(hi)
	if lo != 0 {
		a.Add(lo)
		a.count.all--
	}
}

// AddWideProduct adds (xhi + xlo)·(yhi + ylo), unrounded, as one summand: see
// AddWide. A product with a factor that is zero or not finite is that of xhi
// and yhi.
func (a *Accumulator) AddWideProduct(xhi, xlo, yhi, ylo float64) {
	a.AddProduct(xhi, yhi)
	all := a.count.all
	for _, p := range [3][2]float64{{xlo, yhi}, {xhi, ylo}, {xlo, ylo}} {
		if isFinite(p[0]) && isFinite(p[1]) && p[0] != 0 && p[1] != 0 {
			a.AddProduct(p[0], p[1])
		}
	}
	a.count.all = all
}

// isFinite reports whether x is neither infinite nor NaN.
func isFinite(x float64) bool { return x-x == 0 }
