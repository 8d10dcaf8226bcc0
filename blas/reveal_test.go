//go:build !static

package blas_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// TestRevealed reveals the order of an element of every kind of sum, on every
// level of the kernels, and compares it with the tree that the routines
// document. The formats take turns by level; LASTBIT_SWEEP=all tries all on
// each. Ddot, Dasum and their siblings are sums of package ordered, whose tests
// do the same.
func TestRevealed(t *testing.T) {
	whole := os.Getenv("LASTBIT_SWEEP") == "all"
	for k, level := range kernel.Levels() {
		o, _ := blas.Forced(chain.Setting{Level: &level, Threads: 1, Columns: 20, Depth: 8})
		t.Run(level.String(), func(t *testing.T) {
			const n = 22
			if k%2 == 0 || whole {
				revealAll(t, "f64", 8, 37, realForms(double(o), 37))
				revealAll(t, "f32", 16, 1, realForms(single(o), 1))
				revealAll(t, "c64", 8, 2*n, complexForms(n, func(x, y []float32) complex64 {
					return complex(x[0], x[1]*y[0])
				}, o.Cdotu, o.Cgemv, o.Cgemm))
			}
			if k%2 == 1 || whole {
				revealAll(t, "f32", 16, 37, realForms(single(o), 37))
				revealAll(t, "f64", 8, 1, realForms(double(o), 1))
				revealAll(t, "c128", 4, 2*n, complexForms(n, func(x, y []float64) complex128 {
					return complex(x[0], x[1]*y[0])
				}, o.Zdotu, o.Zgemv, o.Zgemm))
			}
		})
	}
}

// form is a sum of n products that an element of a result is, and its tree.
type form[T float32 | float64] struct {
	name string
	f    func(x, y []T) T
	tree func(p *plan, n, lanes int)
}

func revealAll[T float32 | float64](
	t *testing.T, format string, lanes, n int, forms []form[T],
) {
	for _, f := range forms {
		name := fmt.Sprintf("%s %s, n = %d", format, f.name, n)
		found, err := reveal.Reveal(context.Background(), gofunc.NewDot(name, f.f, n),
			reveal.Options{Replays: 8})
		if err != nil {
			t.Fatal(name, ": ", err)
		}
		want := &plan{Builder: sumtree.NewBuilder(n), fused: make([]bool, n)}
		f.tree(want, n, lanes)
		if !found.Verified || !found.Tree.Equal(want.MustTree()) {
			t.Errorf("%s: %s %s, verified %v, is not the published tree", name, found.Verdict,
				found.Family, found.Verified)
		} else if got := found.Arithmetic.FusedLeaves(found.Tree); !slices.Equal(got, want.fused) {
			t.Errorf("%s: fused products %v, want %v", name, got, want.fused)
		}
	}
}

// plan is a published tree: its nodes, and the products that are fused.
type plan struct {
	*sumtree.Builder
	fused []bool
}

const absent = -1

// chain adds terms to a sum, or to +0 if it is absent, each by one fma.
func (p *plan) chain(sum int, terms ...int) int {
	for _, i := range terms {
		if sum == absent {
			sum = i
			continue
		}
		p.fused[i] = true
		sum = p.Node(sum, i)
	}
	return sum
}

// lanes is the sum by lanes of the package comment.
func (p *plan) lanes(lanes int, terms []int) int {
	halves := make([]int, lanes)
	for l := range halves {
		halves[l] = absent
		for i := l; i < len(terms); i += lanes {
			halves[l] = p.chain(halves[l], terms[i])
		}
	}
	for w := lanes / 2; w > 0; w /= 2 {
		for l := range w {
			if upper := halves[l+w]; upper != absent {
				halves[l] = p.Node(halves[l], upper)
			}
		}
	}
	return halves[0]
}

// upTo returns from, from + 1, …, end − 1.
func upTo(from, end int) (list []int) {
	for i := from; i < end; i++ {
		list = append(list, i)
	}
	return list
}

func ascending(p *plan, n, _ int) { p.chain(absent, upTo(0, n)...) }

func descending(p *plan, n, _ int) {
	terms := upTo(0, n)
	slices.Reverse(terms)
	p.chain(absent, terms...)
}

func byLanes(p *plan, n, lanes int) { p.lanes(lanes, upTo(0, n)) }

// diagonalFirst and diagonalLast have a diagonal that is added to lanes.
func diagonalFirst(p *plan, n, lanes int) { p.chain(p.lanes(lanes, upTo(1, n)), 0) }
func diagonalLast(p *plan, n, lanes int)  { p.chain(p.lanes(lanes, upTo(0, n-1)), n-1) }

// roundedLast is a chain whose last product is rounded.
func roundedLast(p *plan, n, _ int) {
	if sum := p.chain(absent, upTo(0, n-1)...); sum != absent {
		p.Node(sum, n-1)
	}
}

// realRoutines are the routines of one format.
type realRoutines[T float32 | float64] struct {
	gemm func(tA, tB gonum.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int,
		beta T, c []T, ldc int)
	gemv func(t gonum.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T,
		y []T, incY int)
	gbmv func(t gonum.Transpose, m, n, kL, kU int, alpha T, a []T, lda int, x []T, incX int,
		beta T, y []T, incY int)
	symv func(ul gonum.Uplo, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T,
		incY int)
	symm func(s gonum.Side, ul gonum.Uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int,
		beta T, c []T, ldc int)
	syrk func(ul gonum.Uplo, t gonum.Transpose, n, k int, alpha T, a []T, lda int, beta T,
		c []T, ldc int)
	syr2k func(ul gonum.Uplo, t gonum.Transpose, n, k int, alpha T, a []T, lda int, b []T,
		ldb int, beta T, c []T, ldc int)
	trmv, trsv func(ul gonum.Uplo, t gonum.Transpose, d gonum.Diag, n int, a []T, lda int,
		x []T, incX int)
	trmm, trsm func(s gonum.Side, ul gonum.Uplo, t gonum.Transpose, d gonum.Diag, m, n int,
		alpha T, a []T, lda int, b []T, ldb int)
}

func double(o blas.Ordered) realRoutines[float64] {
	return realRoutines[float64]{o.Dgemm, o.Dgemv, o.Dgbmv, o.Dsymv, o.Dsymm, o.Dsyrk, o.Dsyr2k,
		o.Dtrmv, o.Dtrsv, o.Dtrmm, o.Dtrsm}
}

func single(o blas.Ordered) realRoutines[float32] {
	return realRoutines[float32]{o.Sgemm, o.Sgemv, o.Sgbmv, o.Ssymv, o.Ssymm, o.Ssyrk, o.Ssyr2k,
		o.Strmv, o.Strsv, o.Strmm, o.Strsm}
}

// realForms returns an element of each kind of sum.
func realForms[T float32 | float64](r realRoutines[T], n int) (forms []form[T]) {
	places := [][2]int{{0, 0}, {29, 69}, {13, 33}, {29, 0}} // in several tiles
	for a, tA := range []gonum.Transpose{gonum.NoTrans, gonum.Trans} {
		for b, tB := range []gonum.Transpose{gonum.NoTrans, gonum.Trans} {
			i, j := places[2*a+b][0], places[2*a+b][1]
			name := fmt.Sprintf("gemm %c%c (%d, %d)", tA, tB, i, j)
			forms = append(forms, form[T]{name, func(x, y []T) T {
				const m, width = 30, 70
				a, lda := row(tA, x, i, m)
				b, ldb := column(tB, y, j, width)
				c := make([]T, m*width)
				r.gemm(tA, tB, m, width, n, 1, a, lda, b, ldb, 0, c, width)
				return c[i*width+j]
			}, ascending})
		}
	}
	forms = append(forms, vectorForms(r, n)...)
	forms = append(forms, triangleForms(r, n)...)
	return append(forms,
		form[T]{"symm", func(x, y []T) T {
			a, _ := row(gonum.NoTrans, x, 0, n)
			b, width := column(gonum.NoTrans, y, 1, 5)
			c := make([]T, n*width)
			r.symm(gonum.Left, gonum.Upper, n, width, 1, a, n, b, width, 0, c, width)
			return c[1]
		}, ascending},
		form[T]{"syrk", func(x, y []T) T {
			a, c := slices.Concat(x, make([]T, n), y), make([]T, 9)
			r.syrk(gonum.Upper, gonum.NoTrans, 3, n, 1, a, n, 0, c, 3)
			return c[2]
		}, ascending},
		form[T]{"syr2k", func(x, y []T) T {
			a, b, c := make([]T, 3*n), make([]T, 3*n), make([]T, 9)
			copy(a, x)
			copy(b[2*n:], y)
			r.syr2k(gonum.Upper, gonum.NoTrans, 3, n, 1, a, n, b, n, 0, c, 3)
			return c[2]
		}, ascending})
}

// vectorForms returns the forms in products of matrices and vectors.
func vectorForms[T float32 | float64](r realRoutines[T], n int) []form[T] {
	return []form[T]{
		{"gemv N", func(x, y []T) T {
			a, lda := row(gonum.NoTrans, x, 1, 3)
			out := make([]T, 3)
			r.gemv(gonum.NoTrans, 3, n, 1, a, lda, y, 1, 0, out, 1)
			return out[1]
		}, byLanes},
		{"gemv T", func(x, y []T) T {
			a, lda := column(gonum.NoTrans, x, 1, 3)
			out := make([]T, 3)
			r.gemv(gonum.Trans, n, 3, 1, a, lda, y, 1, 0, out, 1)
			return out[1]
		}, ascending},
		{"gbmv N", func(x, y []T) T {
			out := make([]T, 1)
			r.gbmv(gonum.NoTrans, 1, n, 0, n-1, 1, x, n, y, 1, 0, out, 1)
			return out[0]
		}, byLanes},
		{"symv, first element", func(x, y []T) T {
			a, _ := row(gonum.NoTrans, x, 0, n)
			out := make([]T, n)
			r.symv(gonum.Upper, n, 1, a, n, y, 1, 0, out, 1)
			return out[0]
		}, diagonalFirst},
		{"symv, last element", func(x, y []T) T {
			a, _ := column(gonum.NoTrans, x, n-1, n)
			out := make([]T, n)
			r.symv(gonum.Upper, n, 1, a, n, y, 1, 0, out, 1)
			return out[n-1]
		}, roundedLast},
	}
}

// triangleForms are products and solves of triangles. The solves begin with
// zero, and subtract products that have the other sign.
func triangleForms[T float32 | float64](r realRoutines[T], n int) []form[T] {
	const N, T_ = gonum.NoTrans, gonum.Trans
	// vector applies do to a triangle with one row or column and to y, with
	// zeros where asked, and returns element i.
	vector := func(do func(a, x []T, order int), a, y []T, i int) T {
		out := slices.Clone(y)
		do(a, out, len(y))
		return out[i]
	}
	product := func(ul gonum.Uplo, t gonum.Transpose) func(a, x []T, n int) {
		return func(a, x []T, n int) { r.trmv(ul, t, gonum.NonUnit, n, a, n, x, 1) }
	}
	solve := func(ul gonum.Uplo, t gonum.Transpose) func(a, x []T, n int) {
		return func(a, x []T, n int) { r.trsv(ul, t, gonum.Unit, n, a, n, x, 1) }
	}
	type sided func(s gonum.Side, ul gonum.Uplo, t gonum.Transpose, d gonum.Diag, m, n int,
		alpha T, a []T, lda int, b []T, ldb int)
	matrix := func(do sided, ul gonum.Uplo, d gonum.Diag) func(a, x []T, n int) {
		return func(a, x []T, n int) {
			b, width := column(N, x, 2, 5)
			do(gonum.Left, ul, N, d, n, width, 1, a, n, b, width)
			for i := range x {
				x[i] = b[i*width+2]
			}
		}
	}
	rowOf := func(x []T, i, n int) []T { a, _ := row(N, x, i, n); return a }
	columnOf := func(x []T, j, n int) []T { a, _ := column(N, x, j, n); return a }
	before := func(y []T) []T { return append([]T{0}, y...) }
	after := func(y []T) []T { return append(slices.Clone(y), 0) }
	return []form[T]{
		{"trmv upper", func(x, y []T) T {
			return vector(product(gonum.Upper, N), rowOf(x, 0, n), y, 0)
		}, diagonalFirst},
		{"trmv lower", func(x, y []T) T {
			return vector(product(gonum.Lower, N), rowOf(x, n-1, n), y, n-1)
		}, diagonalLast},
		{"trmv upper T", func(x, y []T) T {
			return vector(product(gonum.Upper, T_), columnOf(x, n-1, n), y, n-1)
		}, descending},
		{"trsv lower", func(x, y []T) T {
			return vector(solve(gonum.Lower, N), rowOf(after(negated(x)), n, n+1), after(y), n)
		}, byLanes},
		{"trsv upper", func(x, y []T) T {
			return vector(solve(gonum.Upper, N), rowOf(before(negated(x)), 0, n+1), before(y), 0)
		}, byLanes},
		{"trsv upper T", func(x, y []T) T {
			return vector(solve(gonum.Upper, T_), columnOf(after(negated(x)), n, n+1), after(y), n)
		}, ascending},
		{"trmm lower", func(x, y []T) T {
			return vector(matrix(r.trmm, gonum.Lower, gonum.NonUnit), rowOf(x, n-1, n), y,
				n-1)
		}, ascending},
		{"trmm upper", func(x, y []T) T {
			return vector(matrix(r.trmm, gonum.Upper, gonum.NonUnit), rowOf(x, 0, n), y, 0)
		}, descending},
		{"trsm lower", func(x, y []T) T {
			return vector(matrix(r.trsm, gonum.Lower, gonum.Unit),
				rowOf(after(negated(x)), n, n+1), after(y), n)
		}, ascending},
		{"trsm upper", func(x, y []T) T {
			return vector(matrix(r.trsm, gonum.Upper, gonum.Unit),
				rowOf(before(negated(x)), 0, n+1), before(y), 0)
		}, descending},
	}
}

func negated[T float32 | float64](x []T) []T {
	x = slices.Clone(x)
	for i := range x {
		x[i] = -x[i]
	}
	return x
}

// row returns a matrix of m rows that is zero except for row i, stored as a
// transpose demands, and its leading dimension.
func row[T any](t gonum.Transpose, x []T, i, m int) (a []T, ld int) {
	if t != gonum.NoTrans {
		return column(gonum.NoTrans, x, i, m)
	}
	a = make([]T, m*len(x))
	copy(a[i*len(x):], x)
	return a, len(x)
}

// column returns a matrix of n columns that is zero except for column j.
func column[T any](t gonum.Transpose, x []T, j, n int) (a []T, ld int) {
	if t != gonum.NoTrans {
		return row(gonum.NoTrans, x, j, n)
	}
	a = make([]T, n*len(x))
	for i, v := range x {
		a[i*n+j] = v
	}
	return a, n
}

// complexForms returns the real parts of sums of n complex products: each is
// re·re, and then im·im. The imaginary parts of y change sign. pack returns
// x[0] + i·x[1]·y[0].
func complexForms[C complex64 | complex128, T float32 | float64](
	n int, pack func(x, y []T) C,
	dotu func(n int, x []C, incX int, y []C, incY int) C,
	gemv func(t gonum.Transpose, m, n int, alpha C, a []C, lda int, x []C, incX int, beta C,
		y []C, incY int),
	gemm func(tA, tB gonum.Transpose, m, n, k int, alpha C, a []C, lda int, b []C, ldb int,
		beta C, c []C, ldc int),
) []form[T] {
	packed := func(x []T, sign T) (z []C) {
		for i := 0; i < len(x); i += 2 {
			z = append(z, pack(x[i:], []T{sign}))
		}
		return z
	}
	of := func(sum func(x, y []C) C) func(x, y []T) T {
		return func(x, y []T) T { return realOf[T](sum(packed(x, 1), packed(y, -1))) }
	}
	lanes := func(p *plan, _, lanes int) { p.complexLanes(lanes, n) }
	return []form[T]{
		{"dotu", of(func(x, y []C) C { return dotu(n, x, 1, y, 1) }), lanes},
		{"gemv N", of(func(x, y []C) C {
			a, lda := row(gonum.NoTrans, x, 1, 3)
			out := make([]C, 3)
			gemv(gonum.NoTrans, 3, n, 1, a, lda, y, 1, 0, out, 1)
			return out[1]
		}), lanes},
		{"gemv T", of(func(x, y []C) C {
			a, lda := column(gonum.NoTrans, x, 1, 3)
			out := make([]C, 3)
			gemv(gonum.Trans, n, 3, 1, a, lda, y, 1, 0, out, 1)
			return out[1]
		}), ascending},
		{"gemm", of(func(x, y []C) C {
			a, lda := row(gonum.Trans, x, 2, 3)
			b, ldb := column(gonum.NoTrans, y, 33, 40)
			c := make([]C, 3*40)
			gemm(gonum.Trans, gonum.NoTrans, 3, 40, n, 1, a, lda, b, ldb, 0, c, 40)
			return c[2*40+33]
		}), ascending},
	}
}

// complexLanes is the sum by lanes of n complex numbers, of two products each.
func (p *plan) complexLanes(lanes, n int) {
	halves := make([]int, min(lanes, n))
	for l := range halves {
		halves[l] = absent
		for i := l; i < n; i += lanes {
			halves[l] = p.chain(halves[l], 2*i, 2*i+1)
		}
	}
	for w := lanes / 2; w > 0; w /= 2 {
		for l := 0; l < w && l+w < len(halves); l++ {
			halves[l] = p.Node(halves[l], halves[l+w])
		}
	}
}

func realOf[T float32 | float64, C complex64 | complex128](v C) T {
	switch v := any(v).(type) {
	case complex64:
		return T(real(v))
	case complex128:
		return T(real(v))
	}
	panic("no complex number")
}
