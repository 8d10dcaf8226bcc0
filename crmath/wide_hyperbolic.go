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
