package blas

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/eft"
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
// Products of float32 have 48 bits, and one product of float64 is enough.
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

// factor is the left factor of a product, or the transposed right one: its rows
// are those of A, or the columns of B.
type factor struct {
	n, depth  int
	whole     matrix[float64] // row i begins at offset + i·row
	high, low []float64       // the halves of the rows; nil for one product
	weights   []weights
}

// weights are those of the parts of a row. A row that does not take part has
// infinite ones.
type weights struct{ high, low, whole float64 }

// row returns elements of row i.
func (f *factor) row(i, from, to int) []float64 {
	at := f.whole.offset + i*f.whole.row
	return f.whole.data[at+from : at+to]
}

// newFactor returns the n rows of a matrix, each of depth elements. With own it
// copies them.
func newFactor[T float32 | float64](k *exactKit[T], n, depth int, a matrix[T], own bool) *factor {
	f := &factor{n: n, depth: depth, weights: make([]weights, n)}
	if v, ok := any(a).(matrix[float64]); ok && a.col == 1 && !own {
		f.whole = v
	} else {
		f.whole = matrix[float64]{data: make([]float64, n*depth), row: depth, col: 1}
		k.parallel(n, depth, func(i, end int) { copyRows(f.whole, a, i, end, depth) })
	}
	return f
}

// copyRows copies the rows from i to end, a few at a time, since those of a
// transposed matrix share cache lines.
func copyRows[T float32 | float64](dst matrix[float64], a matrix[T], i, end, depth int) {
	const block = 8
	for ; i < end; i += block {
		for p := range depth {
			for r := i; r < min(i+block, end); r++ {
				dst.data[dst.offset+r*dst.row+p] = float64(*a.at(r, p))
			}
		}
	}
}

// prepare splits the rows, for products with two halves, and weighs them.
func (f *factor) prepare(run func(n, work int, do func(i, end int)), halves bool) {
	if halves {
		f.high, f.low = make([]float64, f.n*f.depth), make([]float64, f.n*f.depth)
	}
	run(f.n, f.depth, func(i, end int) {
		for ; i < end; i++ {
			f.prepareRow(i, halves)
		}
	})
}

// maxExponent bounds the exponents of rows that are split: no weight
// overflows, and no product of two high halves underflows.
const maxExponent = 400

func (f *factor) prepareRow(i int, halves bool) {
	row := f.row(i, 0, f.depth)
	largest := 0.0
	for _, v := range row {
		if a := math.Abs(v); a > largest || a != a {
			largest = a
		}
	}
	if largest == 0 {
		return
	}
	exponent := math.Ilogb(largest) + 1
	if !(math.Abs(float64(exponent)) <= maxExponent) {
		f.weights[i] = weights{math.Inf(1), math.Inf(1), math.Inf(1)}
		return
	}
	if !halves {
		f.weights[i].whole = weigh(row)
		return
	}
	// Multiples of 2^(exponent − width) of at most width bits: depth products
	// of two are at most 2^53 units.
	width := (53 - bits.Len(uint(f.depth-1))) / 2
	shift := math.Ldexp(1.5, exponent-width+52)
	high := f.high[i*f.depth : (i+1)*f.depth]
	low := f.low[i*f.depth : (i+1)*f.depth]
	for p, v := range row {
		h := (v + shift) - shift
		high[p], low[p] = h, v-h
	}
	f.weights[i] = weights{weigh(high), weigh(low), weigh(row)}
}

// weigh returns a bound of the weight of a row: the root of the sum of (depth −
// p)·x[p]².
func weigh(x []float64) float64 {
	var sums [4]float64
	isZero := true
	left := float64(len(x))
	for len(x) >= 4 {
		for l := range 4 {
			v := x[l]
			sums[l] += float64(float64(v*v) * left)
			isZero = isZero && v == 0
		}
		x, left = x[4:], left-4
	}
	for _, v := range x {
		sums[0] += float64(float64(v*v) * left)
		isZero = isZero && v == 0
	}
	if isZero {
		return 0
	}
	// Squares that underflow are below 2^-1074 each.
	return math.Sqrt(sums[0]+sums[1]+sums[2]+sums[3])*(1+0x1p-20) + 0x1p-500
}

// maxDepth bounds the products of a chain: longer sums are added in parts, so
// that their bounds stay small.
const maxDepth = 1024

// maxBuffer bounds the elements of a buffer.
const maxBuffer = 1 << 21

// term is a product that an element adds, and the parts of it that chains
// compute.
type term struct {
	left, right *factor
	parts       [3][]float64
}

// exactProduct is a sum of matrix products to be rounded: C ← α·Σ A·B + β·C.
type exactProduct[T float32 | float64] struct {
	k           *exactKit[T]
	part        chain.Part
	m, n        int
	alpha, beta T
	terms       []term
	c           matrix[T]

	// triangular limits the products of row i of C to the first i + 1.
	triangular bool
}

// add adds the terms of a product of two factors.
func (p *exactProduct[T]) add(left, right *factor) {
	for from := 0; from < left.depth; from += maxDepth {
		to := min(from+maxDepth, left.depth)
		p.terms = append(p.terms, term{left: left.slice(from, to), right: right.slice(from, to)})
	}
}

// slice returns the columns from one to another.
func (f *factor) slice(from, to int) *factor {
	return &factor{
		n: f.n, depth: to - from, whole: f.whole.from(0, from), weights: make([]weights, f.n),
	}
}

// run computes the product.
func (p *exactProduct[T]) run() {
	for _, t := range p.terms {
		t.left.prepare(p.k.parallel, isDouble[T]())
		t.right.prepare(p.k.parallel, isDouble[T]())
	}
	rows := min(p.m, max(64, maxBuffer/p.n))
	for i := range p.terms {
		for j := range p.terms[i].parts {
			if j == 0 || isDouble[T]() {
				p.terms[i].parts[j] = make([]float64, rows*p.n)
			}
		}
	}
	for i := 0; i < p.m; i += rows {
		p.runRows(i, min(i+rows, p.m))
	}
}

// runRows computes the rows from one to another.
func (p *exactProduct[T]) runRows(from, to int) {
	for _, t := range p.terms {
		t.multiply(p.k.setting, from, to, p.n)
	}
	p.k.parallel(to-from, p.n*8, func(i, end int) {
		r := rounder[T]{exactProduct: p}
		for ; i < end; i++ {
			r.row(from, from+i)
		}
	})
}

// multiply computes the parts of a term, for some rows of n elements.
func (t *term) multiply(s chain.Setting, from, to, n int) {
	depth := t.left.depth
	multiply := func(dst []float64, left, right matrix[float64]) {
		clear(dst)
		chain.Product(s, chain.All, to-from, n, depth, 1, viewOf(left.from(from, 0)),
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

// near returns the element of row i and column j, at index at of the parts.
func (t *term) near(i, j, at int) near {
	a, b := &t.left.weights[i], &t.right.weights[j]
	if t.left.high == nil {
		return near{hi: t.parts[0][at], err: bound(a.whole * b.whole)}
	}
	low := t.parts[1][at] + t.parts[2][at]
	err := bound(a.high*b.low+a.low*b.whole) + roundoff*math.Abs(low)
	return near{t.parts[0][at], low, err}.normal()
}

// bound returns the bound of a chain's error for a product of weights.
func bound(w float64) float64 {
	if w == 0 {
		return 0
	}
	return roundoff*w + tiny
}

// rounder rounds elements of a product.
type rounder[T float32 | float64] struct {
	*exactProduct[T]
	e expression
}

// row rounds row i. The first row of the parts is base.
func (r *rounder[T]) row(base, i int) {
	from, to := columns(r.part, i, r.n)
	for j := from; j < to; j++ {
		c := r.c.at(i, j)
		sum := r.terms[0].near(i, j, (i-base)*r.n+j)
		for t := range r.terms[1:] {
			sum = sum.plus(r.terms[t+1].near(i, j, (i-base)*r.n+j))
		}
		sum = sum.scaled(float64(r.alpha))
		if r.beta != 0 {
			sum = sum.plus(times(float64(r.beta), float64(*c)))
		}
		v, ok := settled[T](sum)
		switch {
		case ok:
			*c = v
		case r.beta == 0 && sum.isZero():
			*c = 0
		default:
			*c = r.again(i, j, *c)
		}
	}
}

// compensated returns the element of row i and column j by Algorithm 5.3 of
// Ogita2005, Dot2: x·y = s + Σ (t + e) exactly, and only the last sum, of n
// terms that are at most n·u·Σ |x·y| together, is rounded.
func (t *term) compensated(i, j int) near {
	var s, c float64
	y := t.right.row(j, 0, t.right.depth)
	for p, x := range t.left.row(i, 0, t.left.depth) {
		product, e := eft.TwoProd(x, y[p])
		var d float64
		s, d = eft.TwoSum(s, product)
		c += d + e
	}
	n := float64(t.left.depth + 2)
	w := bound(t.left.weights[i].whole * t.right.weights[j].whole)
	return near{s, c, n*n*roundoff*w + tiny}.normal()
}

// again computes an element by a compensated sum, or by package exact.
func (r *rounder[T]) again(i, j int, c T) T {
	sum := r.terms[0].compensated(i, j)
	for t := range r.terms[1:] {
		sum = sum.plus(r.terms[t+1].compensated(i, j))
	}
	sum = sum.scaled(float64(r.alpha))
	if r.beta != 0 {
		sum = sum.plus(times(float64(r.beta), float64(c)))
	}
	if v, ok := settled[T](sum); ok {
		return v
	}
	return r.exactly(i, j, c)
}

// exactly computes an element by package exact.
func (r *rounder[T]) exactly(i, j int, c T) T {
	r.e.begin(float64(r.alpha), float64(r.beta), float64(c), 1)
	begin := 0
	for _, t := range r.terms {
		end := t.left.depth
		if r.triangular {
			end = max(0, min(end, i+1-begin))
		}
		r.e.add(t.left.row(i, 0, end), t.right.row(j, 0, end))
		begin += t.left.depth
	}
	return rounded[T](&r.e)
}

// product computes the part of C ← α·A·B + β·C, each element rounded once.
func (k *exactKit[T]) product(
	part chain.Part, m, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int,
) {
	if depth == 0 {
		k.scalePart(part, m, n, beta, c, ldc)
		return
	}
	p := &exactProduct[T]{k: k, part: part, m: m, n: n, alpha: alpha, beta: beta, c: dense(c, ldc)}
	p.add(newFactor(k, m, depth, a, false), newFactor(k, n, depth, b.transposed(), false))
	p.run()
}

// twoProducts computes the part of C ← α·A·Bᵀ + α·B·Aᵀ + β·C, each element
// rounded once.
func (k *exactKit[T]) twoProducts(
	_ symmetry, part chain.Part, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int,
) {
	if depth == 0 {
		k.scalePart(part, n, n, beta, c, ldc)
		return
	}
	p := &exactProduct[T]{
		k: k, part: part, m: n, n: n, alpha: alpha, beta: beta, c: dense(c, ldc),
	}
	x, y := newFactor(k, n, depth, a, false), newFactor(k, n, depth, b, false)
	p.add(x, y)
	p.add(y, x)
	p.run()
}

// triProduct computes B ← α·L·B for a lower triangle, each element rounded
// once.
func (k *exactKit[T]) triProduct(unit bool, n, width int, alpha T, l, b matrix[T]) {
	p := &exactProduct[T]{k: k, m: n, n: width, alpha: alpha, c: b, triangular: true}
	p.add(lowerFactor(unit, n, l), newFactor(k, width, n, b.transposed(), true))
	p.run()
}

// lowerFactor returns the rows of a lower triangle, with zeros beside it.
func lowerFactor[T float32 | float64](unit bool, n int, l matrix[T]) *factor {
	f := &factor{
		n: n, depth: n, weights: make([]weights, n),
		whole: matrix[float64]{data: make([]float64, n*n), row: n, col: 1},
	}
	for i := range n {
		row := f.row(i, 0, n)
		for p := range i {
			row[p] = float64(*l.at(i, p))
		}
		row[i] = 1
		if !unit {
			row[i] = float64(*l.at(i, i))
		}
	}
	return f
}

// triSystem computes B ← α·L⁻¹·B for a lower triangle by substitution: b[i,j]
// becomes (α·b[i,j] − Σ l[i,p]·b[p,j]) / l[i,i], rounded once, where each
// b[p,j] is an element of the solution.
func (k *exactKit[T]) triSystem(unit bool, n, width int, alpha T, l, b matrix[T]) {
	lower := lowerFactor(unit, n, l)
	k.parallel(width, n*n, func(j, end int) {
		var e expression
		x := make([]float64, n)
		for ; j < end; j++ {
			for i := range n {
				v := b.at(i, j)
				row := lower.row(i, 0, i+1)
				e.begin(-1, float64(alpha), float64(*v), row[i])
				e.add(row[:i], x[:i])
				*v = rounded[T](&e)
				x[i] = float64(*v)
			}
		}
	})
}

// minShare bounds the work of a goroutine from below, in some nanoseconds.
const minShare = 1 << 15

// parallel calls do for ranges of n rows, on as many goroutines as pay. A row
// takes some work.
func (k *exactKit[T]) parallel(n, work int, do func(i, end int)) {
	threads := k.setting.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	block := max(1, min(n/(4*threads), 32), minShare/max(work, 1))
	threads = min(threads, (n+block-1)/block)
	var next atomic.Int64
	all := func() {
		for {
			end := int(next.Add(int64(block)))
			if end-block >= n {
				return
			}
			do(end-block, min(end, n))
		}
	}
	var others sync.WaitGroup
	for range threads - 1 {
		others.Go(all)
	}
	all()
	others.Wait()
}
