package crmath

// The kernels of hyperbolic functions and their inverses, at precision n: from those of
// exponentials and logarithms, whose errors are below 2^25·2^(-64(n+1)), by some operations
// more, so that nothing cancels. x is in the domain, and finite.

// magnitude sets z to |x|.
func (z *wide) magnitude(x *wide, n int) {
	z.set(x, n)
	z.neg = false
}

// setSinh sets z to sinh x = (m + m/(m+1))/2 with m = e^|x| - 1, for |x| < 2^12.
func (z *wide) setSinh(x *wide, n int) {
	w, neg := n+1, x.neg
	var a, m, one wide
	a.magnitude(x, w)
	m.setExpm1(&a, n)
	one.setUint(1, w)
	a.add(&m, &one, w)
	a.div(&m, &a, w)
	z.add(&m, &a, w)
	z.exp--
	z.neg = neg
}

// setCosh sets z to cosh x = (p + 1/p)/2 with p = e^|x|, for |x| < 2^12.
func (z *wide) setCosh(x *wide, n int) {
	w := n + 1
	var a, p wide
	a.magnitude(x, w)
	p.setExp(&a, n)
	a.setUint(1, w)
	a.div(&a, &p, w)
	z.add(&p, &a, w)
	z.exp--
}

// setTanh sets z to tanh x = m/(m+2) with m = e^2|x| - 1, for |x| < 2^11.
func (z *wide) setTanh(x *wide, n int) {
	w, neg := n+1, x.neg
	var a, m wide
	a.magnitude(x, w)
	a.exp++
	m.setExpm1(&a, n)
	a.setUint(2, w)
	a.add(&m, &a, w)
	z.div(&m, &a, w)
	z.neg = neg
}

// setAsinh sets z to asinh x = ln(1 + a + a²/(1 + √(1+a²))), a = |x|. What is wrong with the
// argument of such a logarithm, relative to it, is so with no more of the result.
func (z *wide) setAsinh(x *wide, n int) {
	w, neg := n+1, x.neg
	var a, s, r, one wide
	a.magnitude(x, w)
	one.setUint(1, w)
	s.sqr(&a, w)
	r.add(&s, &one, w)
	r.sqrt(&r, w)
	r.add(&r, &one, w)
	r.div(&s, &r, w)
	a.add(&a, &r, w)
	z.setLog1p(&a, n)
	z.neg = neg
}

// setAcosh sets z to acosh x = ln(1 + d + √(d·(d+2))), d = x-1, for x ≥ 1. d is exact, or x so
// large that it does not matter.
func (z *wide) setAcosh(x *wide, n int) {
	w := n + 1
	var d, r wide
	r.setUint(1, w)
	d.sub(x, &r, w)
	r.setUint(2, w)
	r.add(&d, &r, w)
	r.mul(&d, &r, w)
	r.sqrt(&r, w)
	d.add(&d, &r, w)
	z.setLog1p(&d, n)
}

// setAtanh sets z to atanh x = ln(1 + 2a/(1-a))/2, a = |x| < 1.
func (z *wide) setAtanh(x *wide, n int) {
	w, neg := n+1, x.neg
	var a, r wide
	a.magnitude(x, w)
	r.setUint(1, w)
	r.sub(&r, &a, w)
	r.div(&a, &r, w)
	r.exp++
	z.setLog1p(&r, n)
	z.exp--
	z.neg = neg
}
