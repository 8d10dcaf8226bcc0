package blas

import (
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
	"github.com/lastbit/lastbit/internal/kernel"
)

// complexKit returns the operations of complex64 or complex128.
func complexKit[C complex64 | complex128, F float32 | float64](s chain.Setting) *kit[C] {
	level := kernel.Best()
	if s.Level != nil {
		level = *s.Level
	}
	k := &kit[C]{
		setting: s,
		mul:     func(a, b C) C { return pair.Complex[C](pair.Of[F](a).Times(pair.Of[F](b))) },
		div:     func(a, b C) C { return pair.Complex[C](pair.Of[F](a).Over(pair.Of[F](b))) },
		fma: func(a, b, c C) C {
			return pair.Complex[C](pair.Of[F](a).FMA(pair.Of[F](b), pair.Of[F](c)))
		},
		addScaled: func(alpha, a, c C) C {
			return pair.Complex[C](pair.Of[F](alpha).TimesPlus(pair.Of[F](a), pair.Of[F](c)))
		},
		conj: func(a C) C { return pair.Complex[C](pair.Of[F](a).Conj()) },
		real: func(a C) C { return pair.Complex[C](pair.Pair[F]{Re: pair.Of[F](a).Re}) },
		addProduct: func(part chain.Part, m, n, k int, alpha C, a, b, c matrix[C]) {
			p := complexProduct[C, F]{s, pair.Of[F](alpha), true}
			p.run(part, m, n, k, a, b, c)
		},
		setProduct: func(part chain.Part, m, n, k int, alpha C, a, b, c matrix[C]) {
			p := complexProduct[C, F]{s, pair.Of[F](alpha), false}
			p.run(part, m, n, k, a, b, c)
		},
	}
	c := complexKernels[C, F]{k, kernel.NewComplex[F](level)}
	k.axpy = func(alpha C, x, y []C) { c.axpy(alpha, false, x, y) }
	k.axpyc = func(alpha C, x, y []C) { c.axpy(alpha, true, x, y) }
	k.dot = func(x, y []C) C { return c.dot(false, x, y) }
	k.dotc = func(x, y []C) C { return c.dot(true, x, y) }
	k.scaleBy, k.divideBy = c.scaleBy, k.divideEach
	k.rowsTimes, k.addRows, k.addOuter = c.rowsTimes, c.addRows, c.addOuter
	return k
}

// complexKernels implements operations of [kit] by kernels.
type complexKernels[C complex64 | complex128, F float32 | float64] struct {
	*kit[C]
	kernels kernel.Complex[F]
}

// partsOperand returns a matrix of complex numbers as kernels get it.
func partsOperand[F float32 | float64, C complex64 | complex128](a matrix[C]) kernel.Operand[F] {
	at := pair.Parts[F](a.data[a.offset : a.offset+1])
	return kernel.Operand[F]{At: &at[0], Row: 2 * a.row, Col: 1}
}

// factorOf returns a factor of rows, or of conjugated rows.
func factorOf[F float32 | float64, C complex64 | complex128](
	alpha C, conj bool,
) kernel.ComplexFactor[F] {
	v := pair.Of[F](alpha)
	return kernel.FactorOf(v.Re, v.Im, conj)
}

// axpy adds α·x to y, x conjugated or not.
func (c complexKernels[C, F]) axpy(alpha C, conj bool, x, y []C) {
	if len(x) > 0 {
		pair.AddMultipleBy(c.kernels, pair.Of[F](alpha), conj, pair.Slice[F](x), pair.Slice[F](y))
	}
}

// dot returns the sum of x·y by lanes, x conjugated or not.
func (c complexKernels[C, F]) dot(conj bool, x, y []C) C {
	return pair.Complex[C](pair.DotBy(c.kernels, conj, pair.Slice[F](x), pair.Slice[F](y)))
}

// scaleBy sets x[i·inc] to alpha⊗x[i·inc] for n elements.
func (c complexKernels[C, F]) scaleBy(n int, alpha C, x []C, inc int) {
	if inc == 1 {
		pair.ScaleBy(c.kernels, pair.Of[F](alpha), pair.Slice[F](x[:n]))
		return
	}
	c.scaleEach(n, alpha, x, inc)
}

func (c complexKernels[C, F]) rowsTimes(alpha C, a matrix[C], x []C, beta C, y []C) {
	var buffer [chunk]C
	for len(y) > 0 {
		part := y[:min(len(y), chunk)]
		sums := kernel.Hide(buffer[:len(part)])
		c.kernels.Dots(partsOperand[F](a), false, pair.Parts[F](x), pair.Parts[F](sums))
		for i, s := range sums {
			part[i] = c.addScaled(beta, part[i], c.mul(alpha, s))
		}
		if y = y[len(part):]; len(y) > 0 {
			a = a.from(len(part), 0)
		}
	}
}

func (c complexKernels[C, F]) addRows(alpha C, x []C, a matrix[C], y []C) {
	var buffer [chunk / 2]kernel.ComplexFactor[F]
	for i := 0; i < len(x) && len(y) > 0; i += len(buffer) {
		part := x[i:min(i+len(buffer), len(x))]
		factors := kernel.Hide(buffer[:len(part)])
		for p, v := range part {
			factors[p] = factorOf[F](c.mul(alpha, v), a.conj)
		}
		c.kernels.AddRows(factors, partsOperand[F](a.from(i, 0)), pair.Parts[F](y))
	}
}

func (c complexKernels[C, F]) addOuter(
	conj bool, m int, alpha C, x []C, incX int, y []C, a matrix[C],
) {
	at := first(m, incX)
	for i := range m {
		c.axpy(c.mul(alpha, x[at]), conj, y, a.rowOf(i, len(y)))
		at += incX
	}
}
