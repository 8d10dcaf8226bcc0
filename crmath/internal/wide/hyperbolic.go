package wide

// Hyperbolic functions and their inverses come from the kernels of exponentials
// and logarithms, whose errors are below 2^25·2^(-64(n+1)), by a few more
// operations without cancellation.

// SetSinh sets z to sinh x = (m + m/(m+1))/2 with m = e^|x| - 1, at precision
// n, for |x| < 2^12.
func (z *Float) SetSinh(x *Float, n int) {
	w, neg := n+1, x.Neg
	var a, m, one Float
	a.setAbs(x, w)
	m.SetExpm1(&a, n)
	one.SetUint(1, w)
	a.Add(&m, &one, w)
	a.Div(&m, &a, w)
	z.Add(&m, &a, w)
	z.Exp--
	z.Neg = neg
}

// SetCosh sets z to cosh x = (p + 1/p)/2 with p = e^|x|, at precision n, for
// |x| < 2^12.
func (z *Float) SetCosh(x *Float, n int) {
	w := n + 1
	var a, p Float
	a.setAbs(x, w)
	p.SetExp(&a, n)
	a.SetUint(1, w)
	a.Div(&a, &p, w)
	z.Add(&p, &a, w)
	z.Exp--
}

// SetTanh sets z to tanh x = m/(m+2) with m = e^2|x| - 1, at precision n, for
// |x| < 2^11.
func (z *Float) SetTanh(x *Float, n int) {
	w, neg := n+1, x.Neg
	var a, m Float
	a.setAbs(x, w)
	a.Exp++
	m.SetExpm1(&a, n)
	a.SetUint(2, w)
	a.Add(&m, &a, w)
	z.Div(&m, &a, w)
	z.Neg = neg
}

// SetAsinh sets z to asinh x = ln(1 + a + a²/(1 + √(1+a²))) with a = |x|, at
// precision n. The relative error of this logarithm is at most its argument's.
func (z *Float) SetAsinh(x *Float, n int) {
	w, neg := n+1, x.Neg
	var a, s, r, one Float
	a.setAbs(x, w)
	one.SetUint(1, w)
	s.Sqr(&a, w)
	r.Add(&s, &one, w)
	r.Sqrt(&r, w)
	r.Add(&r, &one, w)
	r.Div(&s, &r, w)
	a.Add(&a, &r, w)
	z.SetLog1p(&a, n)
	z.Neg = neg
}

// SetAcosh sets z to acosh x = ln(1 + d + √(d·(d+2))) with d = x-1, at
// precision n, for x ≥ 1. d is exact, or x so large that its rounding does not
// matter.
func (z *Float) SetAcosh(x *Float, n int) {
	w := n + 1
	var d, r Float
	r.SetUint(1, w)
	d.Sub(x, &r, w)
	r.SetUint(2, w)
	r.Add(&d, &r, w)
	r.Mul(&d, &r, w)
	r.Sqrt(&r, w)
	d.Add(&d, &r, w)
	z.SetLog1p(&d, n)
}

// SetAtanh sets z to atanh x = ln(1 + 2a/(1-a))/2 with a = |x| < 1, at
// precision n.
func (z *Float) SetAtanh(x *Float, n int) {
	w, neg := n+1, x.Neg
	var a, r Float
	a.setAbs(x, w)
	r.SetUint(1, w)
	r.Sub(&r, &a, w)
	r.Div(&a, &r, w)
	r.Exp++
	z.SetLog1p(&r, n)
	z.Exp--
	z.Neg = neg
}
