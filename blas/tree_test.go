package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
)

// The definitions of level 3, element by element, against the routines: shapes
// beyond every block, every side, triangle and transpose, and both kinds of
// symmetry. Results are compared bit for bit.
func TestTrees(t *testing.T) {
	for _, threads := range []int{1, 3} {
		s := chain.Setting{Threads: threads}
		t.Run(fmt.Sprintf("float64/%d", threads), func(t *testing.T) {
			testTrees(t, realKit[float64](s), func(re, _ float64) float64 { return re })
		})
		t.Run(fmt.Sprintf("float32/%d", threads), func(t *testing.T) {
			testTrees(t, realKit[float32](s), func(re, _ float64) float32 { return float32(re) })
		})
		t.Run(fmt.Sprintf("complex128/%d", threads), func(t *testing.T) {
			testTrees(t, complexKit[complex128, float64](s),
				func(re, im float64) complex128 { return complex(re, im) })
		})
		t.Run(fmt.Sprintf("complex64/%d", threads), func(t *testing.T) {
			testTrees(t, complexKit[complex64, float32](s),
				func(re, im float64) complex64 { return complex64(complex(re, im)) })
		})
	}
}

// stack holds random matrices and what it takes to make more.
type stack[T number] struct {
	*kit[T]
	checked[T]
	t    *testing.T
	rng  *rand.Rand
	make func(re, im float64) T
}

func (s *stack[T]) number() T {
	return s.make(s.rng.Float64()*2-1, s.rng.Float64()*2-1)
}

func (s *stack[T]) matrix(rows, ld int) []T {
	a := make([]T, rows*ld)
	for i := range a {
		a[i] = s.number()
	}
	return a
}

func testTrees[T number](t *testing.T, k *kit[T], number func(re, im float64) T) {
	s := &stack[T]{k, checked[T]{k}, t, rand.New(rand.NewPCG(1, 2)), number}
	transposes := []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	largest := 70
	if isComplex[T]() {
		largest = 35
	}
	for range 2 {
		m, n, depth := 1+s.rng.IntN(largest), 1+s.rng.IntN(largest), s.rng.IntN(largest)
		for _, tA := range transposes {
			for _, tB := range transposes {
				s.testGemm(tA, tB, m, n, depth)
			}
			for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
				for _, of := range []symmetry{symmetric, hermitian} {
					if !isComplex[T]() || tA == blas.NoTrans ||
						(of == hermitian) == (tA == blas.ConjTrans) {
						s.testRankUpdates(of, ul, tA, n, depth)
					}
				}
				for _, side := range []blas.Side{blas.Left, blas.Right} {
					s.testTriangular(side, ul, tA, m, n)
				}
			}
		}
	}
}

// chained returns the chain of an element of a product.
func (s *stack[T]) chained(c, alpha T, depth int, a, b func(p int) T) T {
	for p := range depth {
		x := a(p)
		if alpha != 1 {
			x = s.mul(alpha, x)
		}
		c = s.fma(x, b(p), c)
	}
	return c
}

// scaled returns β⊗c.
func (s *stack[T]) scaled(beta, c T) T {
	v := []T{c}
	s.scale(beta, v)
	return v[0]
}

// bitsOf returns the bits of a number.
func bitsOf[T number](v T) [2]uint64 {
	switch v := any(v).(type) {
	case float32:
		return [2]uint64{uint64(math.Float32bits(v))}
	case float64:
		return [2]uint64{math.Float64bits(v)}
	case complex64:
		return [2]uint64{
			uint64(math.Float32bits(real(v))), uint64(math.Float32bits(imag(v))),
		}
	case complex128:
		return [2]uint64{math.Float64bits(real(v)), math.Float64bits(imag(v))}
	}
	panic("no number")
}

func (s *stack[T]) same(got, want T, format string, args ...any) {
	s.t.Helper()
	if bitsOf(got) != bitsOf(want) {
		s.t.Fatalf(format+": %v, want %v", append(args, got, want)...)
	}
}

func (s *stack[T]) testGemm(tA, tB blas.Transpose, m, n, depth int) {
	ld := max(m, n, depth, 1) + s.rng.IntN(3)
	a, b, c := s.matrix(ld, ld), s.matrix(ld, ld), s.matrix(ld, ld)
	alpha, beta := s.number(), s.number()
	got := append([]T(nil), c...)
	s.gemm(tA, tB, m, n, depth, alpha, a, ld, b, ld, beta, got, ld)
	x, y := op(tA, a, ld), op(tB, b, ld)
	for i := range ld {
		for j := range ld {
			want := c[i*ld+j]
			if i < m && j < n {
				want = s.chained(s.scaled(beta, want), alpha, depth,
					func(p int) T { return s.element(x, i, p) },
					func(p int) T { return s.element(y, p, j) })
			}
			s.same(got[i*ld+j], want, "gemm %c%c %d×%d×%d (%d, %d)", tA, tB, m, n, depth, i, j)
		}
	}
}

func (s *stack[T]) testRankUpdates(of symmetry, ul blas.Uplo, t blas.Transpose, n, depth int) {
	ld := max(n, depth, 1) + s.rng.IntN(3)
	a, b, c := s.matrix(ld, ld), s.matrix(ld, ld), s.matrix(ld, ld)
	alpha, beta := s.number(), s.real(s.number())
	one, two := append([]T(nil), c...), append([]T(nil), c...)
	s.syrk(of, ul, t, n, depth, s.real(alpha), a, ld, beta, one, ld)
	s.syr2k(of, ul, t, n, depth, alpha, a, ld, b, ld, beta, two, ld)
	x, y := op(t, a, ld), op(t, b, ld)
	xt, yt := other(of, x), other(of, y)
	for i := range ld {
		for j := range ld {
			want1 := c[i*ld+j]
			want2 := want1
			if i < n && j < n && (i == j || (j > i) == (ul == blas.Upper)) {
				begin := s.scaled(beta, want1)
				if of == hermitian && i == j {
					begin = s.real(begin)
				}
				row := func(m matrix[T]) func(p int) T {
					return func(p int) T { return s.element(m, i, p) }
				}
				col := func(m matrix[T]) func(p int) T {
					return func(p int) T { return s.element(m, p, j) }
				}
				want1 = s.chained(begin, s.real(alpha), depth, row(x), col(xt))
				want2 = s.chained(begin, alpha, depth, row(x), col(yt))
				want2 = s.chained(want2, s.second(of, alpha), depth, row(y), col(xt))
				if of == hermitian && i == j {
					want1, want2 = s.real(want1), s.real(want2)
				}
			}
			s.same(one[i*ld+j], want1, "syrk %c%c %d×%d (%d, %d)", ul, t, n, depth, i, j)
			s.same(two[i*ld+j], want2, "syr2k %c%c %d×%d (%d, %d)", ul, t, n, depth, i, j)
		}
	}
}

// testTriangular tests trmm and trsm as row operations on B, or on its
// transpose.
func (s *stack[T]) testTriangular(side blas.Side, ul blas.Uplo, t blas.Transpose, m, n int) {
	ld := max(m, n) + s.rng.IntN(3)
	a, b := s.matrix(ld, ld), s.matrix(ld, ld)
	alpha := s.number()
	for _, d := range []blas.Diag{blas.Unit, blas.NonUnit} {
		product, solution := append([]T(nil), b...), append([]T(nil), b...)
		s.trmm(side, ul, t, d, m, n, alpha, a, ld, product, ld)
		s.trsm(side, ul, t, d, m, n, alpha, a, ld, solution, ld)
		x, in, out, sol := op(t, a, ld), dense(b, ld), dense(product, ld), dense(solution, ld)
		upper := (ul == blas.Upper) == (t == blas.NoTrans)
		order, width := m, n
		if side == blas.Right {
			x, in, out, sol = x.transposed(), in.transposed(), out.transposed(), sol.transposed()
			upper, order, width = !upper, n, m
		}
		for j := range width {
			for at := range order {
				i := at
				if upper {
					i = order - 1 - at
				}
				var p T
				q := s.scaled(alpha, *in.at(i, j))
				for before := range at {
					c := before
					if upper {
						c = order - 1 - before
					}
					l := s.element(x, i, c)
					p = s.fma(s.mul(alpha, l), *in.at(c, j), p)
					q = s.fma(-l, *sol.at(c, j), q)
				}
				if d == blas.Unit {
					p = s.fma(alpha, *in.at(i, j), p)
				} else {
					l := s.element(x, i, i)
					p, q = s.fma(s.mul(alpha, l), *in.at(i, j), p), s.div(q, l)
				}
				s.same(*out.at(i, j), p, "trmm %c%c%c%c %d×%d (%d, %d)", side, ul, t, d, m, n, i, j)
				s.same(*sol.at(i, j), q, "trsm %c%c%c%c %d×%d (%d, %d)", side, ul, t, d, m, n, i, j)
			}
		}
	}
}
