package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
	"github.com/lastbit/lastbit/internal/kernel"
)

// TestFewComplex compares the routines for few complex numbers with the kernels
// of every level, bit for bit.
func TestFewComplex(t *testing.T) {
	for _, level := range kernel.Levels() {
		s := chain.Setting{Level: &level}
		t.Run(fmt.Sprintf("%v/complex128", level), func(t *testing.T) {
			compareFewComplex[complex128, float64](t, s, 1023)
		})
		t.Run(fmt.Sprintf("%v/complex64", level), func(t *testing.T) {
			compareFewComplex[complex64, float32](t, s, 127)
		})
	}
}

func compareFewComplex[C complex64 | complex128, F float32 | float64](
	t *testing.T, s chain.Setting, maxExponent int,
) {
	rng := rand.New(rand.NewPCG(8, 8))
	for trial := range 160 {
		c := fewComplexCase[C, F]{T: t, kit: complexKit[C, F](s),
			kernels: kernel.NewComplex[F](*s.Level), n: 1 + trial%40, conj: trial%2 == 0}
		for i := range c.in {
			c.in[i] = make([]pair.Pair[F], 120)
			for j := range c.in[i] {
				c.in[i][j] = pair.Pair[F]{
					Re: F(directNumber(rng, trial%directKinds, maxExponent)),
					Im: F(directNumber(rng, trial%directKinds, maxExponent)),
				}
			}
		}
		c.alpha = pair.Complex[C](pair.Pair[F]{Re: 0.75, Im: F(rng.IntN(2)) / 3})
		c.beta = pair.Complex[C](pair.Pair[F]{Re: F(rng.IntN(2)), Im: F(rng.IntN(2)) / 4})
		c.vectors()
		c.matrices()
	}
}

// fewComplexCase is one set of numbers.
type fewComplexCase[C complex64 | complex128, F float32 | float64] struct {
	*testing.T
	kit         *kit[C]
	kernels     kernel.Complex[F]
	n           int
	conj        bool
	in          [3][]pair.Pair[F]
	alpha, beta C
}

// same runs two routines on copies of the numbers, and compares all of them.
func (c *fewComplexCase[C, F]) same(routine string, a, b func(x, y, z []C)) {
	c.Helper()
	var results [2][]F
	for i, run := range []func(x, y, z []C){a, b} {
		var in [3][]C
		for j, v := range c.in {
			in[j] = make([]C, len(v))
			copy(pair.Slice[F](in[j]), v)
		}
		run(in[0], in[1], in[2])
		results[i] = pair.Parts[F](slices.Concat(in[0], in[1], in[2]))
	}
	for i, v := range results[0] {
		w := results[1][i]
		if math.Float64bits(float64(v)) != math.Float64bits(float64(w)) && (v == v || w == w) {
			c.Fatalf("%s of %d: part %d is %v, want %v", routine, c.n, i, v, w)
		}
	}
}

func (c *fewComplexCase[C, F]) vectors() {
	n, conj, factor := c.n, c.conj, pair.Of[F](c.alpha)
	c.same("dot", func(x, y, z []C) {
		z[0] = pair.Complex[C](pair.Dot(conj, pair.Slice[F](x[:n]), pair.Slice[F](y[:n])))
	}, func(x, y, z []C) {
		row := partsOperand[F](matrix[C]{data: x})
		c.kernels.Dots(row, conj, pair.Parts[F](y[:n]), pair.Parts[F](z[:1]))
	})
	c.same("axpy", func(x, y, _ []C) {
		pair.AddMultiple(factor, conj, pair.Slice[F](x[:n]), pair.Slice[F](y[:n]))
	}, func(x, y, _ []C) {
		f := []kernel.ComplexFactor[F]{factorOf[F](c.alpha, conj)}
		c.kernels.AddRows(f, partsOperand[F](matrix[C]{data: x}), pair.Parts[F](y[:n]))
	})
	c.same("scal", func(x, _, _ []C) {
		pair.ScaleBy(c.kernels, factor, pair.Slice[F](x[:n]))
	}, func(x, _, _ []C) { c.kit.scaleEach(n, c.alpha, x, 1) })
}

func (c *fewComplexCase[C, F]) matrices() {
	m, n := 1+c.n%8, 1+c.n/8
	ld, k := n+2, checked[C]{c.kit}
	for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans} {
		c.same("gemv", func(a, x, y []C) {
			if !gemvFew[F](tA, m, n, c.alpha, a, ld, x, 1, c.beta, y, 1) {
				k.gemv(tA, m, n, c.alpha, a, ld, x, 1, c.beta, y, 1)
			}
		}, func(a, x, y []C) { k.gemv(tA, m, n, c.alpha, a, ld, x, 1, c.beta, y, 1) })
	}
	c.same("ger", func(a, x, y []C) {
		if !gerFew[F](c.conj, m, n, c.alpha, x, 1, y, 1, a, ld) {
			k.ger(c.conj, m, n, c.alpha, x, 1, y, 1, a, ld)
		}
	}, func(a, x, y []C) { k.ger(c.conj, m, n, c.alpha, x, 1, y, 1, a, ld) })
	for _, isSum := range []bool{false, true} {
		p := complexProduct[C, F]{c.kit.setting, pair.Of[F](c.alpha), isSum}
		left := op[C](blas.ConjTrans, nil, m)
		c.same("product", func(a, b, z []C) {
			left.data = a
			p.byElements(chain.All, m, n, 3, left, op(blas.NoTrans, b, n), dense(z, ld))
		}, func(a, b, z []C) {
			left.data = a
			p.whole(m, n, 3, left, op(blas.NoTrans, b, n), dense(z, ld))
		})
	}
}
