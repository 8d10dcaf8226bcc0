package cblas

import gonum "gonum.org/v1/gonum/blas"

// level3 computes a call of level 3. By columns, C is Cᵀ by rows: the factors
// of a product change places, and so do triangles.
func (o *operands[T]) level3(r *routines[T]) {
	if o.Layout == 'C' {
		o.turn()
	}
	if o.k == 0 {
		o.empty()
	}
	switch o.Routine {
	case Gemm:
		r.gemm(o.ta, o.tb, o.m, o.n, o.k, o.alpha, o.a, o.lda, o.b, o.ldb, o.beta, o.c, o.ldc)
	case Symm:
		r.symm(o.s, o.ul, o.m, o.n, o.alpha, o.a, o.lda, o.b, o.ldb, o.beta, o.c, o.ldc)
	case Hemm:
		r.hemm(o.s, o.ul, o.m, o.n, o.alpha, o.a, o.lda, o.b, o.ldb, o.beta, o.c, o.ldc)
	case Syrk:
		r.syrk(o.ul, o.ta, o.n, o.k, o.alpha, o.a, o.lda, o.beta, o.c, o.ldc)
	case Herk:
		r.herk(o.ul, o.ta, o.n, o.k, o.alpha, o.a, o.lda, o.beta, o.c, o.ldc)
	case Syr2k:
		r.syr2k(o.ul, o.ta, o.n, o.k, o.alpha, o.a, o.lda, o.b, o.ldb, o.beta, o.c, o.ldc)
	case Her2k:
		r.her2k(o.ul, o.ta, o.n, o.k, o.alpha, o.a, o.lda, o.b, o.ldb, o.beta, o.c, o.ldc)
	case Trmm:
		r.trmm(o.s, o.ul, o.ta, o.d, o.m, o.n, o.alpha, o.a, o.lda, o.b, o.ldb)
	case Trsm:
		r.trsm(o.s, o.ul, o.ta, o.d, o.m, o.n, o.alpha, o.a, o.lda, o.b, o.ldb)
	}
}

// turn replaces a call on matrices by columns by one on their transposes by
// rows. A product A·B becomes Bᵀ·Aᵀ, where op(A)ᵀ is the same op on Aᵀ. In a
// product of A with its own transpose, A becomes Aᵀ.
func (o *operands[T]) turn() {
	o.ul = other(o.ul)
	switch o.Routine {
	case Gemm:
		o.m, o.n = o.n, o.m
		o.a, o.b, o.lda, o.ldb = o.b, o.a, o.ldb, o.lda
		o.ta, o.tb = o.tb, o.ta
	case Symm, Hemm, Trmm, Trsm:
		o.m, o.n = o.n, o.m
		o.s = opposite(o.s)
	case Syrk, Syr2k:
		o.ta = swapped(o.ta, gonum.Trans)
	case Herk:
		o.ta = swapped(o.ta, gonum.ConjTrans)
	case Her2k:
		o.ta = swapped(o.ta, gonum.ConjTrans)
		o.alpha = conj(o.alpha)
	}
}

// empty replaces the factors of a product of no terms, which a program need not
// have, by matrices of no columns or rows.
func (o *operands[T]) empty() {
	switch o.Routine {
	case Gemm, Syrk, Herk, Syr2k, Her2k:
		nothing := make([]T, max(o.m, o.n, 0))
		o.ta, o.tb = gonum.NoTrans, gonum.NoTrans
		o.a, o.lda = nothing, 1
		o.b, o.ldb = nothing, 1
		if o.Routine == Gemm {
			o.ldb = max(1, o.n)
		}
	}
}

// swapped returns the operation on the transpose of a matrix that is multiplied
// by its own transpose, or by its conjugate transpose.
func swapped(t, transpose trans) trans {
	switch t {
	case gonum.NoTrans:
		return transpose
	case gonum.Trans, gonum.ConjTrans:
		return gonum.NoTrans
	}
	return t
}

func opposite(s side) side {
	switch s {
	case gonum.Left:
		return gonum.Right
	case gonum.Right:
		return gonum.Left
	}
	return s
}
