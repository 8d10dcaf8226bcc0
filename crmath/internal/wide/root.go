package wide

import "math"

// NearestRoot returns the root of x of degree 2 or 3, correctly rounded, where
// r is positive and within an ulp of it. Powers of r and of midpoints have w
// words at most.
func (x *Float) NearestRoot(r float64, degree, w int) float64 {
	var t Float
	t.SetFloat64(r, w)
	other, side := r, x.CmpPower(r, degree, w)
	switch side {
	case 0:
		return r
	case 1:
		other = math.Float64frombits(math.Float64bits(r) + 1)
	case -1:
		other = math.Float64frombits(math.Float64bits(r) - 1)
	}
	// The midpoint is half an ulp from r, on that side, also where other is
	// +Inf.
	var half Float
	ulp := math.Abs(other - r)
	if other > math.MaxFloat64 {
		ulp = 0x1p971
	}
	half.SetFloat64(ulp, w)
	half.Exp--
	if side < 0 {
		t.Sub(&t, &half, w)
	} else {
		t.Add(&t, &half, w)
	}
	switch beyond := x.cmpPower(&t, degree, w); {
	case beyond == side, beyond == 0 && math.Float64bits(r)&1 != 0:
		return other
	}
	return r
}

// CmpPower compares x with r^degree: -1, 0 or 1. The power has w words at most.
func (x *Float) CmpPower(r float64, degree, w int) int {
	var t Float
	t.SetFloat64(r, w)
	return x.cmpPower(&t, degree, w)
}

// cmpPower is CmpPower for t.
func (x *Float) cmpPower(t *Float, degree, w int) int {
	p := *t
	for range degree - 1 {
		p.Mul(&p, t, w)
	}
	return x.CmpAbs(&p, w)
}

// SetRsqrt sets z to 1/√x at precision n, for positive x.
func (z *Float) SetRsqrt(x *Float, n int) {
	var root Float
	root.Sqrt(x, n+1)
	z.SetUint(1, n+1)
	z.Div(z, &root, n+1)
}
