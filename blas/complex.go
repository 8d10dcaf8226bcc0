package blas

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// pair is a complex number in memory.
type pair[F float32 | float64] struct{ re, im F }

// The conversions between complex numbers and pairs. A generic function may
// not call real, imag and complex.

func pairOf[F float32 | float64, C complex64 | complex128](v C) pair[F] {
	return *(*pair[F])(unsafe.Pointer(&v))
}

func complexOf[C complex64 | complex128, F float32 | float64](v pair[F]) C {
	return *(*C)(unsafe.Pointer(&v))
}

func pairsOf[F float32 | float64, C complex64 | complex128](x []C) []pair[F] {
	return unsafe.Slice((*pair[F])(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// partsOf returns the real and imaginary parts of a slice, in turn.
func partsOf[F float32 | float64, C complex64 | complex128](x []C) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

// times returns a⊗b: both parts of b times a, if a is real, else
// a.fma(b, 0).
func (a pair[F]) times(b pair[F]) pair[F] {
	if a.im == 0 {
		return pair[F]{a.re * b.re, a.re * b.im}
	}
	return pair[F]{
		kernel.FMA(-a.im, b.im, a.re*b.re),
		kernel.FMA(a.im, b.re, a.re*b.im),
	}
}

// fma returns a·b + c by two fused multiply-adds for each part.
func (a pair[F]) fma(b, c pair[F]) pair[F] {
	return pair[F]{
		kernel.FMA(-a.im, b.im, kernel.FMA(a.re, b.re, c.re)),
		kernel.FMA(a.im, b.re, kernel.FMA(a.re, b.im, c.im)),
	}
}

func (a pair[F]) plus(b pair[F]) pair[F] { return pair[F]{a.re + b.re, a.im + b.im} }

func (a pair[F]) conjugate() pair[F] { return pair[F]{a.re, -a.im} }

// over returns a ⊘ b. Both are scaled by powers of two so that their larger
// parts are in [1, 2), and each operation is rounded. A division by zero, an
// infinity or NaN gives what Go's division gives.
func (a pair[F]) over(b pair[F]) pair[F] {
	eb, ok := b.exponent()
	if !ok {
		q := complex(float64(a.re), float64(a.im)) / complex(float64(b.re), float64(b.im))
		return pair[F]{F(real(q)), F(imag(q))}
	}
	ea, ok := a.exponent()
	if !ok {
		ea = 0 // zero, infinity or NaN: nothing overflows that is finite
	}
	a, b = a.scaled(-ea), b.scaled(-eb)
	d := F(b.re*b.re) + F(b.im*b.im)
	q := pair[F]{
		(F(a.re*b.re) + F(a.im*b.im)) / d,
		(F(a.im*b.re) - F(a.re*b.im)) / d,
	}
	return q.scaled(ea - eb)
}

// exponent returns the exponent of the larger part. It reports whether that is
// finite and not zero.
func (a pair[F]) exponent() (e int, ok bool) {
	larger := math.Max(math.Abs(float64(a.re)), math.Abs(float64(a.im)))
	if larger == 0 || larger != larger || math.IsInf(larger, 0) {
		return 0, false
	}
	return math.Ilogb(larger), true
}

func (a pair[F]) scaled(e int) pair[F] { return pair[F]{ldexp(a.re, e), ldexp(a.im, e)} }

func ldexp[F float32 | float64](v F, e int) F { return F(math.Ldexp(float64(v), e)) }

// complexKit returns the operations of complex64 or complex128.
func complexKit[C complex64 | complex128, F float32 | float64](s chain.Setting) *kit[C] {
	return &kit[C]{
		complex: true,

		mul: func(a, b C) C { return complexOf[C](pairOf[F](a).times(pairOf[F](b))) },
		div: func(a, b C) C { return complexOf[C](pairOf[F](a).over(pairOf[F](b))) },
		fma: func(a, b, c C) C {
			return complexOf[C](pairOf[F](a).fma(pairOf[F](b), pairOf[F](c)))
		},
		conj: func(a C) C { return complexOf[C](pairOf[F](a).conjugate()) },
		real: func(a C) C { return complexOf[C](pair[F]{re: pairOf[F](a).re}) },
		axpy: func(alpha C, x, y []C) {
			complexAxpy(pairOf[F](alpha), 1, pairsOf[F](x), pairsOf[F](y))
		},
		axpyc: func(alpha C, x, y []C) {
			complexAxpy(pairOf[F](alpha), -1, pairsOf[F](x), pairsOf[F](y))
		},
		dot: func(x, y []C) C {
			return complexOf[C](complexDot(1, pairsOf[F](x), pairsOf[F](y)))
		},
		dotc: func(x, y []C) C {
			return complexOf[C](complexDot(-1, pairsOf[F](x), pairsOf[F](y)))
		},
		product: func(part chain.Part, m, n, k int, alpha C, a, b, c matrix[C]) {
			p := complexProduct[C, F]{setting: s, alpha: pairOf[F](alpha)}
			p.run(part, m, n, k, a, b, c)
		},
	}
}

// complexAxpy adds α·x to y, with the imaginary parts of x times sign.
func complexAxpy[F float32 | float64](alpha pair[F], sign F, x, y []pair[F]) {
	y = y[:len(x)]
	for i, v := range x {
		v.im *= sign
		y[i] = alpha.fma(v, y[i])
	}
}

// complexDot returns the sum of x·y by lanes, with the imaginary parts of x
// times sign.
func complexDot[F float32 | float64](sign F, x, y []pair[F]) pair[F] {
	var sums [maxLanes]pair[F]
	lanes := 64 / int(unsafe.Sizeof(sums[0]))
	for i, v := range x {
		v.im *= sign
		sums[i%lanes] = v.fma(y[i], sums[i%lanes])
	}
	for w := lanes / 2; w > 0; w /= 2 {
		for l := range w {
			sums[l] = sums[l].plus(sums[l+w])
		}
	}
	return sums[0]
}
