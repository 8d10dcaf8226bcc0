package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/ordered"
)

// TestDirect compares the routines for few elements with those that they stand
// before, bit for bit: every level, order, shape and kind of number.
func TestDirect(t *testing.T) {
	for _, level := range kernel.Levels() {
		s := chain.Setting{Level: &level}
		t.Run(fmt.Sprintf("%v/float64", level), func(t *testing.T) {
			compareDirect(t, directOf(realKit[float64](s)), 1023)
		})
		t.Run(fmt.Sprintf("%v/float32", level), func(t *testing.T) {
			compareDirect(t, directOf(realKit[float32](s)), 127)
		})
	}
}

func compareDirect[T float32 | float64](t *testing.T, d *direct[T], maxExponent int) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 19, 24, 25} {
		for trial := range 2 * directKinds {
			c := directCase[T]{T: t, d: d, n: n, what: fmt.Sprintf("n = %d, trial %d", n, trial)}
			for i := range c.in {
				c.in[i] = make([]T, (n+2)*(n+2)+80)
				for j := range c.in[i] {
					c.in[i][j] = T(directNumber(rng, trial%directKinds, maxExponent))
				}
			}
			c.alpha, c.beta = T([]float64{1, -0.75}[trial/directKinds]),
				T([]float64{0, 1, 0.5}[rng.IntN(3)])
			c.vectors()
			c.matrices()
			c.products()
		}
	}
}

// directKinds is the number of kinds of numbers.
const directKinds = 4

// directNumber returns a number of a kind: of about the same size, so small
// that products underflow, one of few integers with both zeros, or with
// infinities and NaN among them.
func directNumber(rng *rand.Rand, kind, maxExponent int) float64 {
	v := rng.NormFloat64()
	switch kind {
	case 1:
		return math.Ldexp(v, -maxExponent/2-rng.IntN(60))
	case 2:
		return math.Copysign(float64(rng.IntN(2)), v)
	case 3:
		switch rng.IntN(40) {
		case 0:
			return math.Inf(1)
		case 1:
			return math.NaN()
		}
	}
	return v
}

// directCase is one set of numbers.
type directCase[T float32 | float64] struct {
	*testing.T
	d           *direct[T]
	n           int
	in          [3][]T
	alpha, beta T
	what        string
}

// same runs two routines on copies of the numbers, and compares all of them.
func (c *directCase[T]) same(routine string, a, b func(x, y, z []T) T) {
	c.Helper()
	var got, want [3][]T
	for i, v := range c.in {
		got[i], want[i] = slices.Clone(v), slices.Clone(v)
	}
	results := [2]T{a(got[0], got[1], got[2]), b(want[0], want[1], want[2])}
	got[0], want[0] = append(got[0], results[0]), append(want[0], results[1])
	for i := range got {
		for j, v := range got[i] {
			w := want[i][j]
			if math.Float64bits(float64(v)) != math.Float64bits(float64(w)) && (v == v || w == w) {
				c.Fatalf("%s, %s: element %d of argument %d is %v, want %v",
					routine, c.what, j, i, v, w)
			}
		}
	}
}

// none makes a routine return a number.
func none[T any](run func(x, y, z []T)) func(x, y, z []T) T {
	return func(x, y, z []T) (v T) {
		run(x, y, z)
		return v
	}
}

func (c *directCase[T]) vectors() {
	for _, n := range []int{c.n, 2 * c.n, 3*c.n + 1} {
		c.what = fmt.Sprintf("%s, %d elements", c.what, n)
		c.same("dot", func(x, y, _ []T) T { return c.d.dot(n, x, 1, y, 1) },
			func(x, y, _ []T) T { return ordered.Dot(x[:n], y[:n]) })
		c.same("asum", func(x, _, _ []T) T { return c.d.asum(n, x, 1) },
			func(x, _, _ []T) T { return ordered.Asum(x[:n]) })
		c.same("nrm2", func(x, _, _ []T) T { return nrm2(n, x, 1) },
			func(x, _, _ []T) T { return exact.Nrm2(x[:n]) })
		c.same("axpy", none(func(x, y, _ []T) { c.d.axpy(n, c.alpha, x, 1, y, 1) }),
			none(func(x, y, _ []T) { c.d.rest.addTo(n, c.alpha, x, 1, y, 1) }))
		c.same("scal", none(func(x, _, _ []T) { c.d.scal(n, c.alpha, x, 1) }),
			none(func(x, _, _ []T) { c.d.rest.scal(n, c.alpha, x, 1) }))
		c.same("rot", none(func(x, y, _ []T) { c.d.rot(n, x, 1, y, 1, 0.6, -0.8) }),
			none(func(x, y, _ []T) { rotBy(orderedTwo[T], n, x, 1, y, 1, 0.6, -0.8) }))
		h := [4]T{0.5, -0.25, 3, 0.75}
		for flag := blas.Identity; flag <= blas.Diagonal; flag++ {
			c.same("rotm", none(func(x, y, _ []T) { orderedRotm(n, x, 1, y, 1, flag, h) }),
				none(func(x, y, _ []T) { rotm(orderedTwo[T], n, x, 1, y, 1, flag, h) }))
		}
	}
}

func (c *directCase[T]) matrices() {
	n, ld, d, k := c.n, c.n+1, c.d, c.d.checked()
	for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
		m := n/2 + 1
		c.same("gemv", none(func(a, x, y []T) {
			d.gemv(tA, m, n, c.alpha, a, ld, x, 1, c.beta, y, 1)
		}),
			none(func(a, x, y []T) { k.gemv(tA, m, n, c.alpha, a, ld, x, 1, c.beta, y, 1) }))
	}
	c.same("ger", none(func(a, x, y []T) { d.ger(n, n, c.alpha, x, 2, y, 1, a, ld) }),
		none(func(a, x, y []T) { k.ger(false, n, n, c.alpha, x, 2, y, 1, a, ld) }))
	for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
		c.same("symv", none(func(a, x, y []T) {
			d.symv(ul, n, c.alpha, a, ld, x, 1, c.beta, y, 1)
		}),
			none(func(a, x, y []T) {
				k.symv(symmetric, ul, n, c.alpha, a, ld, x, 1, c.beta, y, 1)
			}))
		c.same("syr", none(func(a, x, _ []T) { d.syr(ul, n, c.alpha, x, 1, a, ld) }),
			none(func(a, x, _ []T) { k.syr(symmetric, ul, n, c.alpha, x, 1, a, ld) }))
		c.same("syr2", none(func(a, x, y []T) { d.syr2(ul, n, c.alpha, x, 1, y, 1, a, ld) }),
			none(func(a, x, y []T) { k.syr2(symmetric, ul, n, c.alpha, x, 1, y, 1, a, ld) }))
		for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			for _, diag := range []blas.Diag{blas.Unit, blas.NonUnit} {
				c.same("trmv", none(func(a, x, _ []T) { d.trmv(ul, tA, diag, n, a, ld, x, 1) }),
					none(func(a, x, _ []T) { trxv(d.rest.triVec, ul, tA, diag, n, a, ld, x, 1) }))
				c.same("trsv", none(func(a, x, _ []T) { d.trsv(ul, tA, diag, n, a, ld, x, 1) }),
					none(func(a, x, _ []T) { trxv(d.rest.triSolve, ul, tA, diag, n, a, ld, x, 1) }))
			}
		}
	}
}

func (c *directCase[T]) products() {
	n, ld, d, k := c.n, c.n+2, c.d, c.d.checked()
	m := n/2 + 1
	for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
		for _, tB := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			c.same("gemm", none(func(x, y, z []T) {
				d.gemm(tA, tB, m, n, m, c.alpha, x, ld, y, ld, c.beta, z, ld)
			}), none(func(x, y, z []T) {
				k.gemm(tA, tB, m, n, m, c.alpha, x, ld, y, ld, c.beta, z, ld)
			}))
		}
		for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
			c.same("syrk", none(func(x, _, z []T) {
				d.syrk(ul, tA, n, m, c.alpha, x, ld, c.beta, z, ld)
			}), none(func(x, _, z []T) {
				k.syrk(symmetric, ul, tA, n, m, c.alpha, x, ld, c.beta, z, ld)
			}))
			c.same("syr2k", none(func(x, y, z []T) {
				d.syr2k(ul, tA, n, m, c.alpha, x, ld, y, ld, c.beta, z, ld)
			}), none(func(x, y, z []T) {
				k.syr2k(symmetric, ul, tA, n, m, c.alpha, x, ld, y, ld, c.beta, z, ld)
			}))
			for _, s := range []blas.Side{blas.Left, blas.Right} {
				c.sided(s, ul, tA, m)
			}
		}
	}
}

// sided compares products and systems with a triangle on one side.
func (c *directCase[T]) sided(s blas.Side, ul blas.Uplo, tA blas.Transpose, m int) {
	n, ld, d, k := c.n, c.n+2, c.d, c.d.checked()
	c.same("symm", none(func(x, y, z []T) {
		d.symm(s, ul, m, n, c.alpha, x, ld, y, ld, c.beta, z, ld)
	}), none(func(x, y, z []T) {
		k.symm(symmetric, s, ul, m, n, c.alpha, x, ld, y, ld, c.beta, z, ld)
	}))
	for _, diag := range []blas.Diag{blas.Unit, blas.NonUnit} {
		c.same("trmm", none(func(x, y, _ []T) {
			d.trmm(s, ul, tA, diag, m, n, c.alpha, x, ld, y, ld)
		}), none(func(x, y, _ []T) { k.trmm(s, ul, tA, diag, m, n, c.alpha, x, ld, y, ld) }))
		c.same("trsm", none(func(x, y, _ []T) {
			d.trsm(s, ul, tA, diag, m, n, c.alpha, x, ld, y, ld)
		}), none(func(x, y, _ []T) { k.trsm(s, ul, tA, diag, m, n, c.alpha, x, ld, y, ld) }))
	}
}

// TestCopyOverlap copies vectors onto parts of themselves, as copy does.
func TestCopyOverlap(t *testing.T) {
	for n := 1; n < 10; n++ {
		for from := range 3 {
			for to := range 3 {
				got := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
				want := slices.Clone(got)
				Ordered{}.Dcopy(n, got[from:], 1, got[to:], 1)
				copy(want[to:to+n], want[from:])
				if !slices.Equal(got, want) {
					t.Errorf("%d elements from %d to %d: %v, want %v", n, from, to, got, want)
				}
			}
		}
	}
}
