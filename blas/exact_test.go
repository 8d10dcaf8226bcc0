package blas

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
)

// realSum is a sum of products by the definition of Exact, in integers of any
// length and with the special values of IEEE 754.
type realSum struct {
	sum          big.Float // exact: the precision covers all exponents
	special      float64   // the sum of the summands that are not finite
	negativeZero bool      // whether all summands are −0
	empty        bool
}

// newReal returns a sum of no products. One that begins with +0 is never −0.
func newReal(fromZero bool) *realSum {
	r := &realSum{negativeZero: !fromZero, empty: true}
	r.sum.SetPrec(8000)
	return r
}

// add adds the product of its factors.
func (r *realSum) add(factors ...float64) {
	r.empty = false
	ieee, isFinite := 1.0, true
	p := new(big.Float).SetPrec(8000).SetInt64(1)
	for _, f := range factors {
		isFinite = isFinite && f-f == 0
		switch {
		case f == 0 || f-f != 0:
			ieee *= f
		default:
			ieee *= math.Copysign(1, f)
		}
	}
	r.negativeZero = r.negativeZero && ieee == 0 && math.Signbit(ieee)
	if !isFinite {
		r.special += ieee
		return
	}
	for _, f := range factors {
		p.Mul(p, new(big.Float).SetFloat64(f))
	}
	r.sum.Add(&r.sum, p)
}

// over returns the sum over d, rounded once to T.
func over[T float32 | float64](r *realSum, d float64) T {
	num := r.special
	if num == 0 && r.sum.Sign() != 0 {
		num = float64(r.sum.Sign())
		if d-d == 0 && d != 0 {
			q, _ := r.sum.Rat(nil)
			q.Quo(q, new(big.Rat).SetFloat64(d))
			return ratio[T](q)
		}
	}
	if num == 0 && r.negativeZero && !r.empty {
		num = math.Copysign(0, -1)
	}
	return T(num / d)
}

func ratio[T float32 | float64](q *big.Rat) T {
	if isDouble[T]() {
		v, _ := q.Float64()
		return T(v)
	}
	v, _ := q.Float32()
	return T(v)
}

// hard makes numbers that are hard to add.
type hard struct {
	rng     *rand.Rand
	kind    string
	largest int // the largest exponent
}

// kinds of data.
var kinds = []string{"uniform", "integers", "wide", "whole", "subnormal", "special", "cancelling"}

func (h *hard) number() float64 {
	v := 2*h.rng.Float64() - 1
	switch h.kind {
	case "integers":
		return float64(h.rng.IntN(5) - 2)
	case "wide":
		return math.Ldexp(v, h.rng.IntN(81)-40)
	case "whole":
		return math.Ldexp(v, h.rng.IntN(2*h.largest)-h.largest+1)
	case "subnormal":
		return math.Ldexp(v, -h.largest-h.rng.IntN(24))
	case "special":
		if h.rng.IntN(4) == 0 {
			specials := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
			return specials[h.rng.IntN(len(specials))]
		}
	case "cancelling":
		// Few bits, so that sums are often zero or ties.
		return math.Ldexp(float64(h.rng.IntN(3)-1), 53*h.rng.IntN(3))
	}
	return v
}

// exactCase holds what a test of one format needs.
type exactCase[T float32 | float64] struct {
	hard
	*testing.T
	checked[T]
	kit *exactKit[T, T]
}

func (c *exactCase[T]) slice(n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(c.number())
	}
	return x
}

// factor returns 0, ±1 or a number.
func (c *exactCase[T]) factor() T {
	if i := c.rng.IntN(5); i < 3 {
		return T(i - 1)
	}
	return T(c.number())
}

func (c *exactCase[T]) same(got, want T, format string, args ...any) {
	c.Helper()
	if got != got && want != want {
		return
	}
	if bitsOf(got) != bitsOf(want) {
		c.Fatalf("%s: %v (%x), want %v (%x)", fmt.Sprintf(format, args...), got, got, want, want)
	}
}

// TestExact compares every routine of Exact with its definition in integers.
func TestExact(t *testing.T) {
	for _, kind := range kinds {
		for seed := range uint64(3) {
			testExact[float64](t, kind, seed, 1023, kit64)
			testExact[float32](t, kind, seed, 127, kit32)
		}
	}
}

func testExact[T float32 | float64](
	t *testing.T, kind string, seed uint64, largest int, ordered *kit[T],
) {
	threads := 1 + int(seed%3)
	kit := exactReal(chain.Setting{Threads: threads}, ordered)
	kit.forceResidues = seed > 0
	c := &exactCase[T]{
		hard: hard{rand.New(rand.NewPCG(seed, 5)), kind, largest}, T: t,
		checked: checked[T]{kit}, kit: kit,
	}
	t.Run(fmt.Sprintf("%T/%s/%d", T(0), kind, seed), func(t *testing.T) {
		c.T = t
		c.testLevel1()
		for _, trans := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			c.testGemv(trans)
			c.testGemm(trans, blas.NoTrans)
			c.testGemm(trans, blas.Trans)
			for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
				c.testSymmetric(ul)
				c.testRankUpdates(ul, trans)
				for _, d := range []blas.Diag{blas.Unit, blas.NonUnit} {
					c.testTriangle(ul, trans, d)
					c.testTriangles(blas.Left, ul, trans, d)
					c.testTriangles(blas.Right, ul, trans, d)
				}
			}
		}
	})
}

func (c *exactCase[T]) testLevel1() {
	n := c.rng.IntN(30)
	x, y := c.slice(n), c.slice(n)
	a, b := T(c.number()), T(c.number())
	rx, ry := append([]T(nil), x...), append([]T(nil), y...)
	rotBy(exactTwo[T], n, rx, 1, ry, 1, a, b)
	h := [4]T{a, b, b, a}
	mx, my := append([]T(nil), x...), append([]T(nil), y...)
	rotm(exactTwo[T], n, mx, 1, my, 1, blas.Rescaling, h)
	two := func(a, x, b, y T) T {
		r := newReal(false)
		r.add(float64(a), float64(x))
		r.add(float64(b), float64(y))
		return over[T](r, 1)
	}
	for i := range x {
		c.same(rx[i], two(a, x[i], b, y[i]), "rot x[%d]", i)
		c.same(ry[i], two(a, y[i], -b, x[i]), "rot y[%d]", i)
		c.same(mx[i], two(a, x[i], b, y[i]), "rotm x[%d]", i)
		c.same(my[i], two(b, x[i], a, y[i]), "rotm y[%d]", i)
	}
}

// linear returns α·Σ a[p]·b[p] + β·c by the definition.
func linear[T float32 | float64](alpha, beta, c T, depth int, product func(p int) (a, b T)) T {
	r := newReal(beta == 0)
	if alpha != 0 {
		for p := range depth {
			a, b := product(p)
			r.add(float64(alpha), float64(a), float64(b))
		}
	}
	if beta != 0 {
		r.add(float64(beta), float64(c))
	}
	return over[T](r, 1)
}

func (c *exactCase[T]) testGemv(t blas.Transpose) {
	m, n := 1+c.rng.IntN(20), 1+c.rng.IntN(20)
	kl, ku := c.rng.IntN(5), c.rng.IntN(5)
	ld := max(n, kl+ku+1) + c.rng.IntN(3)
	a, alpha, beta := c.slice((m+n+9)*ld), c.factor(), c.factor()
	lenX, lenY := lengths(t, m, n)
	x, y := c.slice(lenX), c.slice(lenY)
	full, band := append([]T(nil), y...), append([]T(nil), y...)
	c.gemv(t, m, n, alpha, a, ld, x, 1, beta, full, 1)
	c.gbmv(t, m, n, kl, ku, alpha, a, ld, x, 1, beta, band, 1)
	for i := range y {
		at := func(p int) (row, col int) {
			if t == blas.NoTrans {
				return i, p
			}
			return p, i
		}
		c.same(full[i], linear(alpha, beta, y[i], lenX, func(p int) (T, T) {
			row, col := at(p)
			return a[row*ld+col], x[p]
		}), "gemv %c %d×%d y[%d]", t, m, n, i)
		var inside []int
		for p := range lenX {
			if row, col := at(p); col >= row-kl && col <= row+ku {
				inside = append(inside, p)
			}
		}
		c.same(band[i], linear(alpha, beta, y[i], len(inside), func(p int) (T, T) {
			row, col := at(inside[p])
			return a[row*ld+kl+col-row], x[inside[p]]
		}), "gbmv %c %d×%d y[%d]", t, m, n, i)
	}
}

func (c *exactCase[T]) testGemm(tA, tB blas.Transpose) {
	m, n, depth := 1+c.rng.IntN(20), 1+c.rng.IntN(20), c.rng.IntN(40)
	if c.rng.IntN(4) == 0 {
		depth += maxDepth
		m, n = min(m, 3), min(n, 3)
	}
	ld := max(m, n, depth, 1) + c.rng.IntN(3)
	a, b, z := c.slice(ld*ld), c.slice(ld*ld), c.slice(ld*ld)
	alpha, beta := c.factor(), c.factor()
	got := append([]T(nil), z...)
	c.gemm(tA, tB, m, n, depth, alpha, a, ld, b, ld, beta, got, ld)
	x, y := op(tA, a, ld), op(tB, b, ld)
	for i := range m {
		for j := range ld {
			want := z[i*ld+j]
			if j < n {
				want = linear(alpha, beta, want, depth, func(p int) (T, T) {
					return *x.at(i, p), *y.at(p, j)
				})
			}
			c.same(got[i*ld+j], want, "gemm %c%c %d×%d×%d α=%v β=%v (%d, %d)", tA, tB, m, n, depth,
				alpha, beta, i, j)
		}
	}
}

// symmetricAt returns element (i, j) of a symmetric matrix given by a triangle.
func symmetricAt[T number](ul blas.Uplo, a []T, ld, i, j int) T {
	if (i <= j) == (ul == blas.Upper) {
		return a[i*ld+j]
	}
	return a[j*ld+i]
}

func (c *exactCase[T]) testSymmetric(ul blas.Uplo) {
	n, width := 1+c.rng.IntN(20), 1+c.rng.IntN(9)
	ld := max(n, width) + c.rng.IntN(3)
	a, alpha, beta := c.slice(ld*ld), c.factor(), c.factor()
	x, y := c.slice(n), c.slice(n)
	b, z := c.slice(n*ld), c.slice(n*ld)
	vector, product := append([]T(nil), y...), append([]T(nil), z...)
	c.symv(symmetric, ul, n, alpha, a, ld, x, 1, beta, vector, 1)
	c.symm(symmetric, blas.Left, ul, n, width, alpha, a, ld, b, ld, beta, product, ld)
	for i := range n {
		c.same(vector[i], linear(alpha, beta, y[i], n, func(p int) (T, T) {
			return symmetricAt(ul, a, ld, i, p), x[p]
		}), "symv %c %d y[%d]", ul, n, i)
		for j := range width {
			c.same(product[i*ld+j], linear(alpha, beta, z[i*ld+j], n, func(p int) (T, T) {
				return symmetricAt(ul, a, ld, i, p), b[p*ld+j]
			}), "symm %c %d×%d (%d, %d)", ul, n, width, i, j)
		}
	}
}

func (c *exactCase[T]) testRankUpdates(ul blas.Uplo, t blas.Transpose) {
	n, depth := 1+c.rng.IntN(20), c.rng.IntN(20)
	ld := max(n, depth, 1) + c.rng.IntN(3)
	a, b, z := c.slice(ld*ld), c.slice(ld*ld), c.slice(ld*ld)
	x, y, alpha, beta := c.slice(n), c.slice(n), c.factor(), c.factor()
	var got [5][]T
	for i := range got {
		got[i] = append([]T(nil), z...)
	}
	c.syrk(symmetric, ul, t, n, depth, alpha, a, ld, beta, got[0], ld)
	c.syr2k(symmetric, ul, t, n, depth, alpha, a, ld, b, ld, beta, got[1], ld)
	c.ger(false, n, n, alpha, x, 1, y, 1, got[2], ld)
	c.syr(symmetric, ul, n, alpha, x, 1, got[3], ld)
	c.syr2(symmetric, ul, n, alpha, x, 1, y, 1, got[4], ld)
	u, v := op(t, a, ld), op(t, b, ld)
	for i := range n {
		for j := range n {
			old := z[i*ld+j]
			want := [5]T{old, old, old, old, old}
			want[2] = updated(alpha, old, 1, func(int) (T, T) { return x[i], y[j] })
			if i == j || (i < j) == (ul == blas.Upper) {
				want[0] = linear(alpha, beta, old, depth, func(p int) (T, T) {
					return *u.at(i, p), *u.at(j, p)
				})
				want[1] = linear(alpha, beta, old, 2*depth, func(p int) (T, T) {
					if p < depth {
						return *u.at(i, p), *v.at(j, p)
					}
					return *v.at(i, p-depth), *u.at(j, p-depth)
				})
				if x[i] != 0 {
					want[3] = updated(alpha, old, 1, func(int) (T, T) { return x[i], x[j] })
				}
				want[4] = updated(alpha, old, 2, func(p int) (T, T) {
					if p == 0 {
						return x[i], y[j]
					}
					return y[i], x[j]
				})
			}
			for r, name := range []string{"syrk", "syr2k", "ger", "syr", "syr2"} {
				c.same(got[r][i*ld+j], want[r], "%s %c%c %d×%d α=%v β=%v (%d, %d)", name, ul, t, n,
					depth, alpha, beta, i, j)
			}
		}
	}
}

// updated returns a rank update of an element, which α = 0 leaves as it is.
func updated[T float32 | float64](alpha, c T, depth int, product func(p int) (a, b T)) T {
	if alpha == 0 {
		return c
	}
	return linear(alpha, 1, c, depth, product)
}

// testTriangle tests trmv and trsv.
func (c *exactCase[T]) testTriangle(ul blas.Uplo, t blas.Transpose, d blas.Diag) {
	n := 1 + c.rng.IntN(20)
	ld := n + c.rng.IntN(3)
	a, x := c.slice(n*ld), c.slice(n)
	product, solution := append([]T(nil), x...), append([]T(nil), x...)
	trxv(c.kit.triVec, ul, t, d, n, a, ld, product, 1)
	trxv(c.kit.triSolve, ul, t, d, n, a, ld, solution, 1)
	for i := range n {
		want, found := c.triangular(ul, t, d, n, i, 1, op(t, a, ld),
			func(p int) T { return x[p] }, func(p int) T { return solution[p] })
		c.same(product[i], want, "trmv %c%c%c %d x[%d]", ul, t, d, n, i)
		c.same(solution[i], found, "trsv %c%c%c %d x[%d]", ul, t, d, n, i)
	}
}

// triangular returns element i of α·op(A)·x, and of the solution of op(A)·y =
// α·x given the elements that come before it.
func (c *exactCase[T]) triangular(
	ul blas.Uplo, t blas.Transpose, d blas.Diag, n, i int, alpha T, a matrix[T],
	x, solution func(p int) T,
) (product, solved T) {
	upper := (ul == blas.Upper) == (t == blas.NoTrans)
	sum, rest, diagonal := newReal(true), newReal(alpha == 0), 1.0
	if alpha != 0 {
		rest.add(float64(alpha), float64(x(i)))
	}
	if d == blas.NonUnit {
		diagonal = float64(*a.at(i, i))
	}
	sum.add(float64(alpha), diagonal, float64(x(i)))
	for p := range n {
		if p == i || (p > i) != upper {
			continue
		}
		sum.add(float64(alpha), float64(*a.at(i, p)), float64(x(p)))
		rest.add(-1, float64(*a.at(i, p)), float64(solution(p)))
	}
	return over[T](sum, 1), over[T](rest, diagonal)
}

// testTriangles tests trmm and trsm.
func (c *exactCase[T]) testTriangles(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag) {
	m, n := 1+c.rng.IntN(12), 1+c.rng.IntN(12)
	ld := max(m, n) + c.rng.IntN(3)
	a, b, alpha := c.slice(ld*ld), c.slice(ld*ld), c.factor()
	product, solution := append([]T(nil), b...), append([]T(nil), b...)
	c.trmm(s, ul, t, d, m, n, alpha, a, ld, product, ld)
	c.trsm(s, ul, t, d, m, n, alpha, a, ld, solution, ld)
	for i := range m {
		for j := range n {
			from, order, at := op(t, a, ld), m, i
			side, place := t, func(p int) int { return p*ld + j }
			if s == blas.Right {
				from, order, at = from.transposed(), n, j
				place = func(p int) int { return i*ld + p }
				side = blas.Trans
				if t != blas.NoTrans {
					side = blas.NoTrans
				}
			}
			var want, found T
			if alpha != 0 {
				want, found = c.triangular(ul, side, d, order, at, alpha, from,
					func(p int) T { return b[place(p)] },
					func(p int) T { return solution[place(p)] })
			}
			c.same(product[i*ld+j], want, "trmm %c%c%c%c %d×%d α=%v (%d, %d)", s, ul, t, d, m, n,
				alpha, i, j)
			c.same(solution[i*ld+j], found, "trsm %c%c%c%c %d×%d α=%v (%d, %d)", s, ul, t, d, m, n,
				alpha, i, j)
		}
	}
}

// TestExactOrder permutes the terms of a product, and its rows.
func TestExactOrder(t *testing.T) {
	const n = 60
	for _, kind := range kinds {
		h := hard{rand.New(rand.NewPCG(8, 9)), kind, 1023}
		c := &exactCase[float64]{hard: h, T: t}
		a, b := c.slice(n*n), c.slice(n*n)
		rows, terms := h.rng.Perm(n), h.rng.Perm(n)
		pa, pb := make([]float64, n*n), make([]float64, n*n)
		for i := range n {
			for j := range n {
				pa[i*n+j] = a[rows[i]*n+terms[j]]
				pb[i*n+j] = b[terms[i]*n+j]
			}
		}
		got, want := make([]float64, n*n), make([]float64, n*n)
		for _, p := range []struct{ a, b, c []float64 }{{a, b, want}, {pa, pb, got}} {
			Exact{}.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1.5, p.a, n, p.b, n, 0, p.c, n)
		}
		for i := range n {
			for j := range n {
				c.same(got[i*n+j], want[rows[i]*n+j], "%s (%d, %d)", kind, i, j)
			}
		}
	}
}
