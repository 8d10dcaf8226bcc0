package blas

import (
	"math"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/residue"
	"github.com/lastbit/lastbit/internal/kernel"
)

// A product of matrices is computed nearly, with a bound of the error of each
// element, and then rounded, if the bound lets it be; the other elements are
// computed again, by compensated sums and at last by package exact. The bounds
// decide the time, never a bit.
//
// For float64 each row of A is split as A₁ + A₂, and each column of B as B₁ +
// B₂, where A₁ and B₁ are multiples of a power of two, with so few bits that
// every sum of products in A₁·B₁ is exact:
//
//	A·B = A₁·B₁ + A₁·B₂ + A₂·B
//
// This is the splitting of Ozaki2012 with one slice. The other two products are
// rounded; they are smaller by the bits of a slice, and so are their errors.
// Products of float32 have 48 bits, and one product of float64 is enough. Where
// products of bytes are faster, and rows have exponents that integers of 94
// bits hold, package residue computes the products of float64.
//
// The chain of fused multiply-adds that computes x·y has an error of at most
//
//	u·Σ |s[p]| ≤ u·Σ ‖x[0..p]‖·‖y[0..p]‖ ≤ u·weight(x)·weight(y)
//
// where s[p] are its sums and weight(x) is the root of Σ ‖x[0..p]‖², by the
// inequality of Cauchy and Schwarz.
//
// References:
//   - [Ogita2005] Takeshi Ogita, Siegfried M. Rump and Shin'ichi Oishi.
//     Accurate Sum and Dot Product. SIAM Journal on Scientific Computing
//     26(6):1955–1988, 2005.
//   - [Ozaki2012] Katsuhisa Ozaki, Takeshi Ogita, Shin'ichi Oishi and Siegfried
//     M. Rump. Error-Free Transformations of Matrix Multiplication by Using
//     Fast Routines of Matrix Multiplication and its Applications. Numerical
//     Algorithms 59(1):95–118, 2012.

// maxDepth bounds the products of a chain: longer sums are added in parts, so
// that their bounds stay small.
const maxDepth = 1024

// maxBuffer bounds the elements of a part, and maxTile the elements of a part
// that residues compute: it stays in the cache until it is rounded.
const (
	maxBuffer = 1 << 21
	maxTile   = 1 << 17
)

// term is a product that an element adds, and the parts of it that chains
// compute, or residues.
type term struct {
	left, right *factor
	parts       [3][]float64
	stride      int              // of the rows of the parts
	residues    *residue.Product // nil: chains
}

// group is a sum of products, times a factor.
type group struct {
	alpha scalar
	terms []term
}

// exactProduct is a sum of matrix products to be rounded: C ← Σ α·A·B + β·C.
// An element of C has one or two parts, and as many columns of each right
// factor. Column q computes part q. If α is complex, each part needs both
// columns.
type exactProduct[F float32 | float64] struct {
	setting  chain.Setting
	parallel func(n, work int, do func(i, end int))
	parts    int
	part     chain.Part
	m, n     int // of elements
	groups   []group
	beta     scalar
	c        matrix[F] // of parts

	// forceResidues is copied from the routines: see exactKit.
	forceResidues bool

	// triangular limits the products of row i of C to the first i + 1, or with
	// unit to i and a factor of 1.
	triangular, unit bool
}

// newProduct returns a product without terms for a part of the m × n elements
// of c.
func (k *exactKit[T, F]) newProduct(
	part chain.Part, m, n int, beta T, c matrix[T],
) *exactProduct[F] {
	return &exactProduct[F]{
		setting: k.setting, parallel: k.parallel, forceResidues: k.forceResidues,
		parts: k.parts, part: part, m: m, n: n,
		beta: scalarOf[F](beta),
		c: matrix[F]{
			data: partsOf[F](c.data), offset: c.offset * k.parts, row: c.row * k.parts,
			col: c.col * k.parts,
		},
	}
}

// add adds the product of two factors, times alpha.
func (p *exactProduct[F]) add(alpha scalar, left, right *factor) {
	if n := len(p.groups); n == 0 || p.groups[n-1].alpha != alpha {
		p.groups = append(p.groups, group{alpha: alpha})
	}
	g := &p.groups[len(p.groups)-1]
	g.terms = append(g.terms, term{left: left, right: right})
}

// each calls do with every term.
func (p *exactProduct[F]) each(do func(t *term)) {
	for _, g := range p.groups {
		for i := range g.terms {
			do(&g.terms[i])
		}
	}
}

// width returns the number of parts in a row of C.
func (p *exactProduct[F]) width() int { return p.n * p.parts }

// run computes the product.
func (p *exactProduct[F]) run() {
	limit := maxTile
	for i := range p.groups {
		var terms []term
		for _, t := range p.groups[i].terms {
			terms = append(terms, p.prepared(&t)...)
		}
		p.groups[i].terms = terms
	}
	p.each(func(t *term) {
		if t.residues == nil {
			limit = maxBuffer
		}
	})
	rows := min(p.m, max(residue.RowsAtOnce, limit/p.width()/residue.RowsAtOnce*residue.RowsAtOnce))
	p.each(func(t *term) {
		for j := range t.parts[:p.partsOf(t)] {
			t.parts[j] = make([]float64, rows*t.stride)
		}
	})
	for i := 0; i < p.m; i += rows {
		p.runRows(i, min(i+rows, p.m))
	}
	p.each(func(t *term) {
		if t.residues != nil {
			t.residues.Close()
		}
	})
}

// partsOf returns the number of the parts of a term.
func (p *exactProduct[F]) partsOf(t *term) int {
	switch {
	case t.residues != nil:
		return 2
	case isDouble[F]():
		return 3
	}
	return 1
}

// prepared returns the terms that a term is computed by.
func (p *exactProduct[F]) prepared(t *term) (terms []term) {
	if terms, ok := p.withResidues(t); ok {
		return terms
	}
	for from := 0; from < t.left.depth; from += maxDepth {
		to := min(from+maxDepth, t.left.depth)
		part := term{left: t.left.slice(from, to), right: t.right.slice(from, to),
			stride: p.width()}
		part.left.prepare(p.parallel, isDouble[F]())
		part.right.prepare(p.parallel, isDouble[F]())
		terms = append(terms, part)
	}
	return terms
}

// minResidues bounds the products of a term from below that residues pay for.
const minResidues = 1 << 18

// withResidues returns the terms that a term is computed by with residues. It
// reports false if that does not pay.
func (p *exactProduct[F]) withResidues(t *term) (terms []term, ok bool) {
	kernels := kernel.NewResidues(p.setting.Best())
	depth := t.left.depth
	pays := kernels.IsFast() && float64(p.m)*float64(p.width())*float64(depth) >= minResidues
	if !isDouble[F]() || !pays && !p.forceResidues {
		return nil, false
	}
	step := residue.Depth(max(p.m, p.width()))
	for from := 0; from < depth; from += step {
		to := min(from+step, depth)
		part := term{left: t.left.slice(from, to), right: t.right.slice(from, to)}
		part.residues = residue.New(kernels, p.parallel, part.left.rows(), part.right.rows())
		if part.residues == nil {
			for _, part := range terms {
				part.residues.Close()
			}
			return nil, false
		}
		part.stride = part.residues.Width()
		terms = append(terms, part)
	}
	return terms, true
}

// runRows computes the rows from one to another.
func (p *exactProduct[F]) runRows(from, to int) {
	p.each(func(t *term) {
		if t.residues != nil {
			t.residues.Multiply(p.parallel, from, to, t.parts[0], t.parts[1])
			return
		}
		t.multiply(p.setting, from, to, p.width())
	})
	alone := p.alone()
	p.parallel(to-from, p.width()*8, func(i, end int) {
		r := rounder[F]{exactProduct: p}
		for ; i < end; i++ {
			if alone != nil {
				r.rowAlone(alone, from, from+i)
			} else {
				r.row(from, from+i)
			}
		}
	})
}

// multiply computes the parts of a term, for some rows of n elements.
func (t *term) multiply(s chain.Setting, from, to, n int) {
	depth := t.left.depth
	multiply := func(dst []float64, left, right matrix[float64]) {
		chain.Multiply(s, chain.All, to-from, n, depth, 1, viewOf(left.from(from, 0)),
			viewOf(right.transposed()), viewOf(dense(dst, n)))
	}
	if t.left.high == nil {
		multiply(t.parts[0], t.left.whole, t.right.whole)
		return
	}
	high := dense(t.left.high, depth)
	multiply(t.parts[0], high, dense(t.right.high, depth))
	multiply(t.parts[1], high, dense(t.right.low, depth))
	multiply(t.parts[2], dense(t.left.low, depth), t.right.whole)
}

// near returns the product of a row and a column.
func (t *term) near(p position) near {
	at := p.row*t.stride + p.j
	if t.residues != nil {
		lo := t.parts[1][at]
		return near{t.parts[0][at], lo, t.residues.Bound(p.i, p.j) + float64(roundoff*math.Abs(lo))}
	}
	a, b := &t.left.weights[p.i], &t.right.weights[p.j]
	if t.left.high == nil {
		return near{hi: t.parts[0][at], err: bound(a.whole * b.whole)}
	}
	low := t.parts[1][at] + t.parts[2][at]
	err := bound(float64(a.high*b.low)+float64(a.low*b.whole)) + float64(roundoff*math.Abs(low))
	return near{t.parts[0][at], low, err}.normal()
}

// bound returns the bound of a chain's error for a product of weights.
func bound(w float64) float64 {
	if w == 0 {
		return 0
	}
	return float64(roundoff*w) + tiny
}

// product computes the part of C ← α·A·B + β·C, each part rounded once.
func (k *exactKit[T, F]) product(
	part chain.Part, m, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int,
) {
	if depth == 0 {
		k.scalePart(part, m, n, beta, c, ldc)
		return
	}
	p := k.newProduct(part, m, n, beta, dense(c, ldc))
	p.add(scalarOf[F](alpha), leftFactor(k, m, depth, a, false), rightFactor(k, n, depth, b, false))
	p.run()
}

// twoProducts computes the part of C ← α·A·Bᵀ + α·B·Aᵀ + β·C, or of C ← α·A·Bᴴ
// + conj(α)·B·Aᴴ + β·C, each part rounded once.
func (k *exactKit[T, F]) twoProducts(
	of symmetry, part chain.Part, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int,
) {
	if depth == 0 {
		k.scalePart(part, n, n, beta, c, ldc)
		return
	}
	p := k.newProduct(part, n, n, beta, dense(c, ldc))
	p.add(scalarOf[F](alpha), leftFactor(k, n, depth, a, false),
		rightFactor(k, n, depth, other(of, b), false))
	p.add(scalarOf[F](k.second(of, alpha)), leftFactor(k, n, depth, b, false),
		rightFactor(k, n, depth, other(of, a), false))
	p.run()
}

// triProduct computes B ← α·L·B for a lower triangle, each part rounded once.
func (k *exactKit[T, F]) triProduct(unit bool, n, width int, alpha T, l, b matrix[T]) {
	p := k.newProduct(chain.All, n, width, 0, b)
	p.triangular, p.unit = true, unit
	p.add(scalarOf[F](alpha), lowerFactor(k, unit, n, l), rightFactor(k, width, n, b, true))
	p.run()
}

// triSystem computes B ← α·L⁻¹·B for a lower triangle by substitution: b[i,j]
// becomes (α·b[i,j] − Σ l[i,p]·b[p,j]) / l[i,i], rounded once, where each
// b[p,j] is an element of the solution. Complex systems are solved as Ordered
// does.
func (k *exactKit[T, F]) triSystem(unit bool, n, width int, alpha T, l, b matrix[T]) {
	if k.parts > 1 {
		k.ordered.triSystem(unit, n, width, alpha, l, b)
		return
	}
	lower := lowerFactor(k, unit, n, l)
	factor, values := scalarOf[F](alpha).re, partsOf[F](b.data)
	k.parallel(width, n*n, func(j, end int) {
		var e expression
		x := make([]float64, n)
		for ; j < end; j++ {
			for i := range n {
				at := b.offset + i*b.row + j*b.col
				row := lower.row(i, 0, i+1)
				e.begin(false, row[i])
				e.add(-1, row[:i], x[:i])
				e.plus(factor, float64(values[at]))
				values[at] = rounded[F](&e)
				x[i] = float64(values[at])
			}
		}
	})
}
