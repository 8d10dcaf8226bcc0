package blas

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
)

// TestExactComplex compares the complex routines of Exact with their
// definition in integers.
func TestExactComplex(t *testing.T) {
	for _, kind := range kinds {
		for seed := range uint64(3) {
			testExactComplex[complex128, float64](t, kind, seed, 1023, complexKit128)
			testExactComplex[complex64, float32](t, kind, seed, 127, complexKit64)
		}
	}
}

func testExactComplex[C complex64 | complex128, F float32 | float64](
	t *testing.T, kind string, seed uint64, largest int, ordered *kit[C],
) {
	k := exactComplex[C, F](chain.Setting{Threads: 1 + int(seed%3)}, ordered)
	k.forceResidues = seed > 0
	c := &complexCase[C, F]{
		hard: hard{rand.New(rand.NewPCG(seed, 6)), kind, largest}, exactKit: k,
		checked: checked[C]{k},
	}
	t.Run(fmt.Sprintf("%T/%s/%d", C(0), kind, seed), func(t *testing.T) {
		c.T = t
		c.testVectors()
		for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans} {
			c.testGeneral(tA)
			for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
				c.testTriangle(ul, tA, blas.Unit)
				c.testTriangle(ul, tA, blas.NonUnit)
				c.testSymmetric(ul)
				c.testUpdates(ul, tA)
			}
		}
	})
}

// complexCase holds what a test of one format needs.
type complexCase[C complex64 | complex128, F float32 | float64] struct {
	hard
	*testing.T
	checked[C]
	*exactKit[C, F]
}

func (c *complexCase[C, F]) number() C {
	return pair.Complex[C](pair.Pair[F]{Re: F(c.hard.number()), Im: F(c.hard.number())})
}

func (c *complexCase[C, F]) slice(n int) []C {
	x := make([]C, n)
	for i := range x {
		x[i] = c.number()
	}
	return x
}

// factor returns 0, ±1, a real number or another.
func (c *complexCase[C, F]) factor() C {
	switch i := c.rng.IntN(6); i {
	case 0, 1, 2:
		return pair.Complex[C](pair.Pair[F]{Re: F(i - 1)})
	case 3:
		return pair.Complex[C](pair.Pair[F]{Re: F(c.hard.number())})
	}
	return c.number()
}

// summand is α·Σ a·b. The factors a may be real numbers.
type summand[C complex64 | complex128] struct {
	alpha  C
	a, b   []C
	isReal bool
}

func one[C complex64 | complex128](alpha, a, b C) summand[C] {
	return summand[C]{alpha: alpha, a: []C{a}, b: []C{b}}
}

// check compares a result with the definition of Exact for summands and β·y.
func (c *complexCase[C, F]) check(
	got, beta, y C, what string, args []any, summands ...summand[C],
) {
	c.Helper()
	var want pair.Pair[F]
	for part, out := range []*F{&want.Re, &want.Im} {
		r := newReal(beta == 0)
		for _, s := range summands {
			for p := range s.a {
				addProduct[C, F](r, part, s, p)
			}
		}
		if beta != 0 {
			addProduct[C, F](r, part, summand[C]{beta, []C{1}, []C{y}, true}, 0)
		}
		*out = over[F](r, 1)
	}
	g := pair.Of[F](got)
	for part, v := range []F{g.Re, g.Im} {
		w := []F{want.Re, want.Im}[part]
		if bitsOf(v) != bitsOf(w) && (v == v || w == w) {
			c.Fatalf("%s %v: part %d is %v, not %v", what, args, part, v, w)
		}
	}
}

// addProduct adds the products of parts that make a part of α·a[p]·b[p]. An
// alpha without an imaginary part is a real number.
func addProduct[C complex64 | complex128, F float32 | float64](
	r *realSum, part int, s summand[C], p int,
) {
	alpha, a, b := pair.Of[F](s.alpha), pair.Of[F](s.a[p]), pair.Of[F](s.b[p])
	for power := range 8 { // its bits choose imaginary parts
		i, j, k := power&1, power>>1&1, power>>2
		if i == 1 && alpha.Im == 0 || j == 1 && s.isReal || (i+j+k)%2 != part {
			continue
		}
		x := [2]F{alpha.Re, alpha.Im}[i]
		if i+j+k >= 2 {
			x = -x
		}
		r.add(float64(x), float64([2]F{a.Re, a.Im}[j]), float64([2]F{b.Re, b.Im}[k]))
	}
}

func (c *complexCase[C, F]) testVectors() {
	n := c.rng.IntN(12)
	x, y, alpha := c.slice(n), c.slice(n), c.factor()
	sum, scaled := append([]C(nil), y...), append([]C(nil), x...)
	c.addTo(n, alpha, x, 1, sum, 1)
	c.scal(n, alpha, scaled, 1)
	conj := make([]C, n)
	for i := range x {
		conj[i] = c.conj(x[i])
		if alpha != 0 {
			c.check(sum[i], 1, y[i], "axpy", []any{n, alpha, x[i], y[i]},
				summand[C]{alpha, []C{1}, x[i : i+1], true})
			c.check(scaled[i], alpha, x[i], "scal", []any{n, alpha, x[i]})
		}
	}
	c.check(c.dotu(n, x, 1, y, 1), 0, 0, "dotu", []any{n}, summand[C]{alpha: 1, a: x, b: y})
	c.check(c.dotcOf(n, x, 1, y, 1), 0, 0, "dotc", []any{n}, summand[C]{alpha: 1, a: conj, b: y})
}

// row returns n elements of row i, and column n elements of column j.
func (c *complexCase[C, F]) row(a matrix[C], i, n int) []C {
	x := make([]C, n)
	for p := range x {
		x[p] = c.element(a, i, p)
	}
	return x
}

func (c *complexCase[C, F]) column(a matrix[C], j, n int) []C {
	return c.row(a.transposed(), j, n)
}

// element returns an element, conjugated if the matrix is.
func (c *complexCase[C, F]) element(a matrix[C], i, j int) C {
	if a.conj {
		return c.conj(*a.at(i, j))
	}
	return *a.at(i, j)
}

// testGeneral tests gemv, ger and gemm.
func (c *complexCase[C, F]) testGeneral(tA blas.Transpose) {
	m, n, depth := 1+c.rng.IntN(6), 1+c.rng.IntN(6), 1+c.rng.IntN(20)
	ld := max(m, n, depth) + c.rng.IntN(3)
	a, b, z := c.slice(ld*ld), c.slice(ld*ld), c.slice(ld*ld)
	alpha, beta := c.factor(), c.factor()
	if alpha == 0 {
		alpha = 1
	}
	tB := []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}[c.rng.IntN(3)]
	got := append([]C(nil), z...)
	c.gemm(tA, tB, m, n, depth, alpha, a, ld, b, ld, beta, got, ld)
	left, right := op(tA, a, ld), op(tB, b, ld)
	for i := range m {
		for j := range n {
			c.check(got[i*ld+j], beta, z[i*ld+j], "gemm",
				[]any{tA, tB, m, n, depth, alpha, beta, i, j},
				summand[C]{alpha: alpha, a: c.row(left, i, depth), b: c.column(right, j, depth)})
		}
	}
	x, y := c.slice(m+n), c.slice(m+n)
	vector := append([]C(nil), y...)
	c.gemv(tA, m, n, alpha, a, ld, x, 1, beta, vector, 1)
	lenX, lenY := lengths(tA, m, n)
	for i := range lenY {
		c.check(vector[i], beta, y[i], "gemv", []any{tA, m, n, alpha, beta, i},
			summand[C]{alpha: alpha, a: c.row(left, i, lenX), b: x[:lenX]})
	}
	for _, conj := range []bool{false, true} {
		got := append([]C(nil), z...)
		c.ger(conj, m, n, alpha, x, 1, y, 1, got, ld)
		for i := range m {
			for j := range n {
				v := y[j]
				if conj {
					v = c.conj(v)
				}
				c.check(got[i*ld+j], 1, z[i*ld+j], "ger", []any{conj, m, n, alpha, i, j},
					one(alpha, x[i], v))
			}
		}
	}
}

// testTriangle tests trmv and trmm.
func (c *complexCase[C, F]) testTriangle(ul blas.Uplo, t blas.Transpose, d blas.Diag) {
	n, width := 1+c.rng.IntN(9), 1+c.rng.IntN(4)
	ld := max(n, width) + c.rng.IntN(3)
	a, b, x, alpha := c.slice(n*ld), c.slice(n*ld), c.slice(n), c.factor()
	if alpha == 0 {
		alpha = 1
	}
	vector, product := append([]C(nil), x...), append([]C(nil), b...)
	trxv(c.triVec, ul, t, d, n, a, ld, vector, 1)
	c.trmm(blas.Left, ul, t, d, n, width, alpha, a, ld, product, ld)
	upper := (ul == blas.Upper) == (t == blas.NoTrans)
	for i := range n {
		sum := func(alpha C, value func(p int) C) (all []summand[C]) {
			for p := range n {
				switch {
				case p == i && d == blas.Unit:
					all = append(all, summand[C]{alpha, []C{1}, []C{value(p)}, true})
				case p == i || (p > i) == upper:
					all = append(all, one(alpha, c.element(op(t, a, ld), i, p), value(p)))
				}
			}
			return all
		}
		args := []any{ul, t, d, n, i}
		c.check(vector[i], 0, 0, "trmv", args, sum(1, func(p int) C { return x[p] })...)
		for j := range width {
			c.check(product[i*ld+j], 0, 0, "trmm", append(args, j, alpha),
				sum(alpha, func(p int) C { return b[p*ld+j] })...)
		}
	}
}

// testSymmetric tests hemv, symm and hemm.
func (c *complexCase[C, F]) testSymmetric(ul blas.Uplo) {
	n, width := 1+c.rng.IntN(9), 1+c.rng.IntN(4)
	ld := max(n, width) + c.rng.IntN(3)
	a, b, z, x, y := c.slice(n*ld), c.slice(n*ld), c.slice(n*ld), c.slice(n), c.slice(n)
	alpha, beta := c.factor(), c.factor()
	if alpha == 0 {
		alpha = 1
	}
	vector := append([]C(nil), y...)
	c.symv(hermitian, ul, n, alpha, a, ld, x, 1, beta, vector, 1)
	products := [2][]C{append([]C(nil), z...), append([]C(nil), z...)}
	for of, product := range products {
		c.symm(symmetry(of), blas.Left, ul, n, width, alpha, a, ld, b, ld, beta, product, ld)
	}
	for i := range n {
		var sums []summand[C]
		for p := range n {
			v := c.mirrored(hermitian, ul, a, ld, i, p)
			sums = append(sums, summand[C]{alpha, []C{v}, x[p : p+1], p == i})
		}
		c.check(vector[i], beta, y[i], "hemv", []any{ul, n, alpha, beta, i}, sums...)
		for of, product := range products {
			for j := range width {
				s := summand[C]{alpha: alpha}
				for p := range n {
					s.a = append(s.a, c.mirrored(symmetry(of), ul, a, ld, i, p))
					s.b = append(s.b, b[p*ld+j])
				}
				c.check(product[i*ld+j], beta, z[i*ld+j], "symm", []any{of, ul, n, width, i, j}, s)
			}
		}
	}
}

// mirrored returns an element of a matrix given by a triangle.
func (c *complexCase[C, F]) mirrored(of symmetry, ul blas.Uplo, a []C, ld, i, j int) C {
	v := symmetricAt(ul, a, ld, i, j)
	if of == hermitian {
		switch {
		case i == j:
			return c.real(v)
		case (i < j) != (ul == blas.Upper):
			return c.conj(v)
		}
	}
	return v
}

// testUpdates tests syrk, herk, syr2k, her2k and her2 beside the diagonal, and
// that the diagonal of a Hermitian matrix becomes real.
func (c *complexCase[C, F]) testUpdates(ul blas.Uplo, t blas.Transpose) {
	for _, of := range []symmetry{symmetric, hermitian} {
		if t != blas.NoTrans && (t == blas.ConjTrans) != (of == hermitian) {
			continue
		}
		n, depth := 1+c.rng.IntN(6), 1+c.rng.IntN(9)
		ld := max(n, depth) + c.rng.IntN(3)
		a, b, z := c.slice(ld*ld), c.slice(ld*ld), c.slice(ld*ld)
		alpha, beta := c.factor(), c.real(c.factor())
		if alpha == 0 || c.real(alpha) == 0 {
			alpha = 1
		}
		rankK, rank2K, rank2 := slices.Clone(z), slices.Clone(z), slices.Clone(z)
		c.syrk(of, ul, t, n, depth, c.real(alpha), a, ld, beta, rankK, ld)
		c.syr2k(of, ul, t, n, depth, alpha, a, ld, b, ld, beta, rank2K, ld)
		c.syr2(hermitian, ul, n, alpha, a, 1, b, 1, rank2, ld)
		x, y := op(t, a, ld), op(t, b, ld)
		xt, yt := other(of, x), other(of, y)
		for i := range n {
			if of == hermitian && pair.Of[F](rankK[i*ld+i]).Im+pair.Of[F](rank2K[i*ld+i]).Im != 0 {
				c.Fatalf("herk %c%c: a diagonal that is not real", ul, t)
			}
			for j := range n {
				if i == j || (i < j) != (ul == blas.Upper) {
					continue
				}
				at := i*ld + j
				args := []any{of, ul, t, n, depth, alpha, beta, i, j}
				c.check(rankK[at], beta, z[at], "syrk", args,
					summand[C]{
						alpha: c.real(alpha), a: c.row(x, i, depth), b: c.column(xt, j, depth),
					})
				second := c.second(of, alpha)
				c.check(rank2K[at], beta, z[at], "syr2k", args,
					summand[C]{alpha: alpha, a: c.row(x, i, depth), b: c.column(yt, j, depth)},
					summand[C]{alpha: second, a: c.row(y, i, depth), b: c.column(xt, j, depth)})
				c.check(rank2[at], 1, z[at], "her2", args,
					one(alpha, a[i], c.conj(b[j])),
					one(c.conj(alpha), b[i], c.conj(a[j])))
			}
		}
	}
}
