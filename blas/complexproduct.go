package blas

import (
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
)

// complexProduct computes complex matrix products by real ones of twice the
// depth and width. With a row (ar, ai) of A and the rows (br, bi) and (−bi, br)
// of B, the two chains are those of [pair.Pair.FMA]:
//
//	(cr, ci) + ar·(br, bi) + ai·(−bi, br)
type complexProduct[C complex64 | complex128, F float32 | float64] struct {
	setting chain.Setting
	alpha   pair.Pair[F]
}

// diagonalBlock is the order of the blocks on the diagonal of a part.
const diagonalBlock = 64

// run updates the part of c. Beside the diagonal of a part the blocks are
// whole; those on it are computed in full, and half of each is stored.
func (p complexProduct[C, F]) run(part chain.Part, m, n, k int, a, b, c matrix[C]) {
	if part == chain.All {
		p.whole(m, n, k, a, b, c)
		return
	}
	for i := 0; i < m; i += diagonalBlock {
		size := min(diagonalBlock, m-i)
		rows := a.from(i, 0)
		if part == chain.Lower {
			p.whole(size, i, k, rows, b, c.from(i, 0))
		} else {
			p.whole(size, n-i-size, k, rows, b.from(0, i+size), c.from(i, i+size))
		}
		target := c.from(i, i)
		block := target.copied(size, size)
		p.whole(size, size, k, rows, b.from(0, i), block)
		for row := range size {
			from, to := columns(part, row, size)
			for col := from; col < to; col++ {
				*target.at(row, col) = *block.at(row, col)
			}
		}
	}
}

// whole updates m × n elements of c.
func (p complexProduct[C, F]) whole(m, n, k int, a, b, c matrix[C]) {
	if m == 0 || n == 0 || k == 0 {
		return
	}
	out := c
	if c.col != 1 {
		out = c.copied(m, n)
	}
	chain.Product(p.setting, chain.All, m, 2*n, 2*k, 1,
		chain.View[F]{Data: p.left(m, k, a), Row: 2 * k, Col: 1},
		chain.View[F]{Data: p.right(k, n, b), Row: 2 * n, Col: 1},
		chain.View[F]{
			Data: pair.Parts[F](out.data), Offset: 2 * out.offset, Row: 2 * out.row, Col: 1,
		})
	if c.col == 1 {
		return
	}
	for i := range m {
		for j := range n {
			*c.at(i, j) = *out.at(i, j)
		}
	}
}

// left returns the rows of α·A with real and imaginary parts in turn.
func (p complexProduct[C, F]) left(m, k int, a matrix[C]) []F {
	dst := make([]F, 2*m*k)
	for i := range m {
		row := dst[2*i*k : 2*(i+1)*k]
		for q := range k {
			v := p.element(a, i, q)
			if p.alpha != (pair.Pair[F]{Re: 1}) {
				v = p.alpha.Times(v)
			}
			row[2*q], row[2*q+1] = v.Re, v.Im
		}
	}
	return dst
}

// right returns two rows for each row of B.
func (p complexProduct[C, F]) right(k, n int, b matrix[C]) []F {
	dst := make([]F, 4*k*n)
	for q := range k {
		first, second := dst[4*q*n:(4*q+2)*n], dst[(4*q+2)*n:(4*q+4)*n]
		for j := range n {
			v := p.element(b, q, j)
			first[2*j], first[2*j+1] = v.Re, v.Im
			second[2*j], second[2*j+1] = -v.Im, v.Re
		}
	}
	return dst
}

// element returns an element, conjugated if the matrix is.
func (p complexProduct[C, F]) element(a matrix[C], i, j int) pair.Pair[F] {
	v := pair.Of[F](*a.at(i, j))
	if a.conj {
		return v.Conj()
	}
	return v
}
