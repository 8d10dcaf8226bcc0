package blas

import (
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
)

// complexProduct computes complex matrix products by real ones of twice the
// depth and width. With a row (ar, ai) of A and the rows (br, bi) and (−bi, br)
// of B, the two chains add products in the order of [pair.Pair.FMA]:
//
//	(cr, ci) + ar·(br, bi) + ai·(−bi, br)
type complexProduct[C complex64 | complex128, F float32 | float64] struct {
	setting chain.Setting
	alpha   pair.Pair[F]
	isSum   bool // products are added to c, as by chain.Product, not to +0
}

// diagonalBlock is the order of the blocks on the diagonal of a part.
const diagonalBlock = 64

// run updates the part of c. Beside the diagonal of a part the blocks are
// whole; those on it are computed in full, and half of each is stored.
func (p complexProduct[C, F]) run(part chain.Part, m, n, k int, a, b, c matrix[C]) {
	if k <= maxFewComplexDepth && m*n*k <= maxFewComplexProducts {
		p.byElements(part, m, n, k, a, b, c)
		return
	}
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
	update := chain.Multiply[F]
	if p.isSum {
		update = chain.Product[F]
	}
	update(p.setting, chain.All, m, 2*n, 2*k, 1, p.left(m, k, a),
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

// The most products of a matrix product that is computed element by element,
// and of an element of it.
const (
	maxFewComplexProducts = 128
	maxFewComplexDepth    = 16
)

// byElements is run for few products.
func (p complexProduct[C, F]) byElements(part chain.Part, m, n, k int, a, b, c matrix[C]) {
	var factors [maxFewComplexDepth]pair.Pair[F]
	left, right, to := pair.Slice[F](a.data), pair.Slice[F](b.data), pair.Slice[F](c.data)
	signA, signB := signOf[F](a.conj), signOf[F](b.conj)
	isOne := p.alpha == (pair.Pair[F]{Re: 1})
	for i := range m {
		for q, at := 0, a.offset+i*a.row; q < k; q, at = q+1, at+a.col {
			v := left[at]
			v.Im *= signA
			if !isOne {
				v = p.alpha.Times(v)
			}
			factors[q] = v
		}
		from, end := columns(part, i, n)
		for j := from; j < end; j++ {
			at := c.offset + i*c.row + j*c.col
			var sum pair.Pair[F]
			if p.isSum {
				sum = to[at]
			}
			to[at] = pair.Chain(factors[:k], right, b.offset+j*b.col, b.row,
				signB, sum)
		}
	}
}

// left returns the rows of α·A with real and imaginary parts in turn: the data
// of A itself, or a copy.
func (p complexProduct[C, F]) left(m, k int, a matrix[C]) chain.View[F] {
	if p.alpha == (pair.Pair[F]{Re: 1}) && !a.conj && a.col == 1 {
		return chain.View[F]{
			Data: pair.Parts[F](a.data), Offset: 2 * a.offset, Row: 2 * a.row, Col: 1,
		}
	}
	dst := make([]pair.Pair[F], m*k)
	src, sign := pair.Slice[F](a.data), signOf[F](a.conj)
	isOne := p.alpha == (pair.Pair[F]{Re: 1})
	for i := range m {
		row, at := dst[i*k:(i+1)*k], a.offset+i*a.row
		for q := range row {
			v := src[at]
			v.Im *= sign
			if !isOne {
				v = p.alpha.Times(v)
			}
			row[q] = v
			at += a.col
		}
	}
	return chain.View[F]{Data: pair.Flat(dst), Row: 2 * k, Col: 1}
}

// right returns two rows for each row of B.
func (p complexProduct[C, F]) right(k, n int, b matrix[C]) []F {
	dst := make([]pair.Pair[F], 2*k*n)
	src, sign := pair.Slice[F](b.data), signOf[F](b.conj)
	for q := range k {
		first, second := dst[2*q*n:(2*q+1)*n], dst[(2*q+1)*n:(2*q+2)*n]
		at := b.offset + q*b.row
		for j := range first {
			v := src[at]
			v.Im *= sign
			first[j], second[j] = v, pair.Pair[F]{Re: -v.Im, Im: v.Re}
			at += b.col
		}
	}
	return pair.Flat(dst)
}

// signOf returns the factor of imaginary parts.
func signOf[F float32 | float64](conj bool) F {
	if conj {
		return -1
	}
	return 1
}
