package blas

import "gonum.org/v1/gonum/blas"

// matVec computes y ← α·A·x + β·y for m stored rows: s is the sum of a row by
// lanes, and y[i] becomes fma(β, y[i], α⊗s), or α⊗s ⊕ +0 if β = 0. With α = ±1
// it is rounded once.
func (k *kit[T]) matVec(m int, alpha T, a rows[T], x []T, beta T, y []T) {
	if alpha == 0 || beta == 0 {
		k.scale(beta, y)
	}
	if alpha == 0 {
		return
	}
	for i := range m {
		from, row := a(i)
		if len(row) == 0 {
			y[i] = k.mul(beta, y[i]) // a row outside of the band
			continue
		}
		y[i] = k.addScaled(beta, y[i], k.mul(alpha, k.dot(row, x[from:from+len(row)])))
	}
}

// vecMat computes y ← α·Aᵀ·x + β·y for m stored rows: y[j] becomes
// fma(α⊗x[i], a[i,j], y[j]) for i = 0, 1, …, m−1.
func (k *kit[T]) vecMat(m int, alpha T, a rows[T], conj bool, x []T, beta T, y []T) {
	k.scale(beta, y)
	if alpha == 0 {
		return
	}
	for i := range m {
		from, row := a(i)
		k.rowAxpy(conj, k.mul(alpha, x[i]), row, y[from:from+len(row)])
	}
}

// rowDot returns the sum of row·x by lanes, the row conjugated or not.
func (k *kit[T]) rowDot(conj bool, row, x []T) T {
	if conj {
		return k.dotc(row, x)
	}
	return k.dot(row, x)
}

// rowAxpy adds alpha times a row, conjugated or not, to y.
func (k *kit[T]) rowAxpy(conj bool, alpha T, row, y []T) {
	if conj {
		k.axpyc(alpha, row, y)
		return
	}
	k.axpy(alpha, row, y)
}

// symmetry is the relation between a triangle and the other half of a matrix.
type symmetry int

const (
	symmetric symmetry = iota
	hermitian
)

// symVec computes y ← α·A·x + β·y for a triangle of a symmetric or Hermitian
// matrix of order len(x). For i = 0, 1, …, n−1, let s be the sum of the row
// beside the diagonal by lanes and s′ = fma(a[i,i], x[i], s): y[i] becomes
// fma(α, s′, y[i]), and y[j] fma(α⊗x[i], a[i,j], y[j]) for each j of the row.
func (k *kit[T]) symVec(
	of symmetry, upper bool, alpha T, a rows[T], x []T, beta T, y []T,
) {
	k.scale(beta, y)
	if alpha == 0 {
		return
	}
	for i, xi := range x {
		diagonal, beside, from := split(upper, i, a)
		d := *diagonal
		if of == hermitian {
			d = k.real(d)
		}
		s := k.fma(d, xi, k.dot(beside, x[from:from+len(beside)]))
		y[i] = k.addScaled(alpha, s, y[i])
		k.rowAxpy(of == hermitian, k.mul(alpha, xi), beside, y[from:from+len(beside)])
	}
}

// triVec computes x ← A·x for a triangle: x[i] becomes the sum of the row
// beside the diagonal by lanes, s, plus the diagonal: fma(a[i,i], x[i], s), or
// s ⊕ x[i] for a unit diagonal. With trans it computes x ← Aᵀ·x: each x[i] is
// multiplied by the row and added to the elements beside it, the last row of
// an upper triangle or the first of a lower one first.
func (k *kit[T]) triVec(upper, trans, conj, unit bool, a rows[T], x []T) {
	for i := range inOrder(len(x), upper == trans) {
		diagonal, beside, from := split(upper, i, a)
		part := x[from : from+len(beside)]
		d := *diagonal
		if conj {
			d = k.conj(d)
		}
		if trans {
			k.rowAxpy(conj, x[i], beside, part)
			if !unit {
				x[i] = k.mul(x[i], d)
			}
			continue
		}
		s := k.rowDot(conj, beside, part)
		if unit {
			x[i] = s + x[i]
		} else {
			x[i] = k.fma(d, x[i], s)
		}
	}
}

// triSolve computes x ← A⁻¹·x for a triangle by substitution: x[i] becomes
// (x[i] ⊖ s) ⊘ a[i,i], where s is the sum of the row beside the diagonal by
// lanes. With trans it computes x ← A⁻ᵀ·x: x[i] becomes x[i] ⊘ a[i,i], and x[j]
// fma(−x[i], a[i,j], x[j]) for each j beside it.
func (k *kit[T]) triSolve(upper, trans, conj, unit bool, a rows[T], x []T) {
	for i := range inOrder(len(x), upper != trans) {
		diagonal, beside, from := split(upper, i, a)
		part := x[from : from+len(beside)]
		d := *diagonal
		if conj {
			d = k.conj(d)
		}
		if !trans {
			x[i] -= k.rowDot(conj, beside, part)
		}
		if !unit {
			x[i] = k.div(x[i], d)
		}
		if trans {
			k.rowAxpy(conj, -x[i], beside, part)
		}
	}
}

// inOrder yields 0, 1, …, n−1, or the same from the last on.
func inOrder(n int, descending bool) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if descending {
				i = n - 1 - i
			}
			if !yield(i) {
				return
			}
		}
	}
}

// rankOne adds α·x·yᵀ, or α·x·yᴴ with conj, to the stored rows of a matrix:
// a[i,j] becomes fma(y[j], α⊗x[i], a[i,j]).
func (k *kit[T]) rankOne(conj bool, alpha T, x, y []T, a rows[T]) {
	for i, v := range x {
		from, row := a(i)
		k.rowAxpy(conj, k.mul(alpha, v), y[from:from+len(row)], row)
	}
}

// rankTwo adds α·x·yᵀ and then α·y·xᵀ, or α·x·yᴴ and then conj(α)·y·xᴴ, as
// rankOne does.
func (k *kit[T]) rankTwo(of symmetry, alpha T, x, y []T, a rows[T]) {
	k.rankOne(of == hermitian, alpha, x, y, a)
	k.rankOne(of == hermitian, k.second(of, alpha), y, x, a)
}

// second returns the factor of the second product of a rank-two update.
func (k *kit[T]) second(of symmetry, alpha T) T {
	if of == hermitian {
		return k.conj(alpha)
	}
	return alpha
}

// realDiagonal stores real parts in the diagonal of a Hermitian matrix.
func (k *kit[T]) realDiagonal(of symmetry, ul blas.Uplo, n int, a rows[T]) {
	if of != hermitian {
		return
	}
	for i := range n {
		d, _, _ := split(ul == blas.Upper, i, a)
		*d = k.real(*d)
	}
}
