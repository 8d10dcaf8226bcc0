package cblas

import gonum "gonum.org/v1/gonum/blas"

// level2 computes a call of level 2. A matrix A by columns is M = Aᵀ by rows,
// with the other triangle. Where a routine has no twin on M, since it takes
// conj(M), it computes the conjugate of the result from conjugate arguments:
// no bit of a magnitude changes by that.
func (o *operands[T]) level2(r *routines[T]) {
	if o.Layout == 'R' {
		o.byRows(r)
		return
	}
	o.ul = other(o.ul)
	o.kl, o.ku = o.ku, o.kl
	switch o.Routine {
	case Gemv, Gbmv:
		o.m, o.n = o.n, o.m
		o.onTranspose(r, o.lengthX(), o.lengthY())
	case Trmv, Tbmv, Tpmv, Trsv, Tbsv, Tpsv:
		o.onTranspose(r, o.n, 0)
	case Symv, Sbmv, Spmv:
		o.conjugately(r, o.n, o.n)
	case Syr, Spr:
		o.b, o.inX = conjugated(o.b, o.n, o.inX), 1
		o.byRows(r)
	case Syr2, Spr2:
		o.b, o.inX = conjugated(o.b, o.n, o.inX), 1
		o.c, o.inY = conjugated(o.c, o.n, o.inY), 1
		o.alpha = conj(o.alpha)
		o.byRows(r)
	case Ger, Gerc:
		x, y, incX, incY := o.b, o.c, o.inX, o.inY
		if o.Routine == Gerc {
			y, incY = conjugated(y, o.n, incY), 1
		}
		r.ger(o.n, o.m, o.alpha, y, incY, x, incX, o.a, o.lda)
	}
}

// lengthX and lengthY return the lengths of the vectors of gemv, once m and n
// count the rows and columns of M.
func (o *operands[T]) lengthX() int {
	if o.ta == gonum.NoTrans {
		return o.m
	}
	return o.n
}

func (o *operands[T]) lengthY() int { return o.m + o.n - o.lengthX() }

// onTranspose computes op(A) as an operation on M: A is Mᵀ, Aᵀ is M, and Aᴴ is
// conj(M).
func (o *operands[T]) onTranspose(r *routines[T], lengthX, lengthY int) {
	switch o.ta {
	case gonum.NoTrans:
		o.ta = gonum.Trans
		o.byRows(r)
	case gonum.Trans:
		o.ta = gonum.NoTrans
		o.byRows(r)
	case gonum.ConjTrans:
		o.ta = gonum.NoTrans
		o.conjugately(r, lengthX, lengthY)
	default:
		o.byRows(r) // refuses it
	}
}

// conjugately computes the call with all arguments except M conjugated, and
// conjugates the result. A triangular routine, of no y, has its result in x.
func (o *operands[T]) conjugately(r *routines[T], lengthX, lengthY int) {
	if !isComplex[T]() {
		o.byRows(r)
		return
	}
	o.alpha, o.beta = conj(o.alpha), conj(o.beta)
	result, inc, length := o.c, o.inY, lengthY
	if lengthY == 0 {
		result, inc, length = o.b, o.inX, lengthX
	} else {
		o.b, o.inX = conjugated(o.b, lengthX, o.inX), 1
	}
	conjugate(result, length, inc)
	o.byRows(r)
	conjugate(result, length, inc)
}

// byRows computes a call of level 2 on a matrix by rows.
func (o *operands[T]) byRows(r *routines[T]) {
	switch o.Routine {
	case Gemv:
		r.gemv(o.ta, o.m, o.n, o.alpha, o.a, o.lda, o.b, o.inX, o.beta, o.c, o.inY)
	case Gbmv:
		r.gbmv(o.ta, o.m, o.n, o.kl, o.ku, o.alpha, o.a, o.lda, o.b, o.inX, o.beta, o.c, o.inY)
	case Symv:
		r.symv(o.ul, o.n, o.alpha, o.a, o.lda, o.b, o.inX, o.beta, o.c, o.inY)
	case Sbmv:
		r.sbmv(o.ul, o.n, o.k, o.alpha, o.a, o.lda, o.b, o.inX, o.beta, o.c, o.inY)
	case Spmv:
		r.spmv(o.ul, o.n, o.alpha, o.a, o.b, o.inX, o.beta, o.c, o.inY)
	case Trmv:
		r.trmv(o.ul, o.ta, o.d, o.n, o.a, o.lda, o.b, o.inX)
	case Tbmv:
		r.tbmv(o.ul, o.ta, o.d, o.n, o.k, o.a, o.lda, o.b, o.inX)
	case Tpmv:
		r.tpmv(o.ul, o.ta, o.d, o.n, o.a, o.b, o.inX)
	case Trsv:
		r.trsv(o.ul, o.ta, o.d, o.n, o.a, o.lda, o.b, o.inX)
	case Tbsv:
		r.tbsv(o.ul, o.ta, o.d, o.n, o.k, o.a, o.lda, o.b, o.inX)
	case Tpsv:
		r.tpsv(o.ul, o.ta, o.d, o.n, o.a, o.b, o.inX)
	case Ger:
		r.ger(o.m, o.n, o.alpha, o.b, o.inX, o.c, o.inY, o.a, o.lda)
	case Gerc:
		r.gerc(o.m, o.n, o.alpha, o.b, o.inX, o.c, o.inY, o.a, o.lda)
	case Syr:
		r.syr(o.ul, o.n, o.alpha, o.b, o.inX, o.a, o.lda)
	case Spr:
		r.spr(o.ul, o.n, o.alpha, o.b, o.inX, o.a)
	case Syr2:
		r.syr2(o.ul, o.n, o.alpha, o.b, o.inX, o.c, o.inY, o.a, o.lda)
	case Spr2:
		r.spr2(o.ul, o.n, o.alpha, o.b, o.inX, o.c, o.inY, o.a)
	}
}

// other returns the other triangle, which is the triangle of the transpose.
func other(ul uplo) uplo {
	switch ul {
	case gonum.Upper:
		return gonum.Lower
	case gonum.Lower:
		return gonum.Upper
	}
	return ul
}
