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
		a.all--
	}
}

// AddWideProduct adds (xhi + xlo)·(yhi + ylo), unrounded, as one summand: see
// AddWide. If a factor is zero or not finite, the product is xhi·yhi.
func (a *Accumulator) AddWideProduct(xhi, xlo, yhi, ylo float64) {
	a.AddProduct(xhi, yhi)
	all := a.all
	for _, p := range [3][2]float64{{xlo, yhi}, {xhi, ylo}, {xlo, ylo}} {
		if isFinite(p[0]) && isFinite(p[1]) && p[0] != 0 && p[1] != 0 {
			a.AddProduct(p[0], p[1])
		}
	}
	a.all = all
}

// AddParts adds the sum of parts as one summand: a number that takes any number
// of float64, such as the integer of a decimal of 38 digits. A part after the
// first is finite; where the first is zero or not finite, all others are 0.
func (a *Accumulator) AddParts(parts ...float64) {
	a.Add(parts[0])
	all := a.all
	for _, x := range parts[1:] {
		if x != 0 {
			a.Add(x)
		}
	}
	a.all = all
}

// AddPartsProduct adds the product of two numbers in parts, unrounded, as one
// summand: see AddParts.
func (a *Accumulator) AddPartsProduct(x, y []float64) {
	a.AddProduct(x[0], y[0])
	all := a.all
	for i, p := range x {
		for j, q := range y {
			if i+j > 0 && isFinite(p) && isFinite(q) && p != 0 && q != 0 {
				a.AddProduct(p, q)
			}
		}
	}
	a.all = all
}

// isFinite reports whether x is neither infinite nor NaN.
func isFinite(x float64) bool { return x-x == 0 }
