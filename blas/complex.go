package blas

import (
	"unsafe"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
)

// complexKit returns the operations of complex64 or complex128.
func complexKit[C complex64 | complex128, F float32 | float64](s chain.Setting) *kit[C] {
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
		axpy: func(alpha C, x, y []C) {
			complexAxpy(pair.Of[F](alpha), 1, pair.Slice[F](x), pair.Slice[F](y))
		},
		axpyc: func(alpha C, x, y []C) {
			complexAxpy(pair.Of[F](alpha), -1, pair.Slice[F](x), pair.Slice[F](y))
		},
		dot: func(x, y []C) C {
			return pair.Complex[C](complexDot(1, pair.Slice[F](x), pair.Slice[F](y)))
		},
		dotc: func(x, y []C) C {
			return pair.Complex[C](complexDot(-1, pair.Slice[F](x), pair.Slice[F](y)))
		},
		addProduct: func(part chain.Part, m, n, k int, alpha C, a, b, c matrix[C]) {
			p := complexProduct[C, F]{setting: s, alpha: pair.Of[F](alpha)}
			p.run(part, m, n, k, a, b, c)
		},
	}
	k.scaleBy = k.scaleEach
	k.rowsTimes = func(alpha C, a matrix[C], x []C, beta C, y []C) {
		for i, v := range y {
			y[i] = k.addScaled(beta, v, k.mul(alpha, k.dot(a.rowOf(i, len(x)), x)))
		}
	}
	k.addRows = func(alpha C, x []C, a matrix[C], y []C) {
		for i, v := range x {
			k.rowAxpy(a.conj, k.mul(alpha, v), a.rowOf(i, len(y)), y)
		}
	}
	k.addOuter = func(conj bool, m int, alpha C, x []C, incX int, y []C, a matrix[C]) {
		at := first(m, incX)
		for i := range m {
			k.rowAxpy(conj, k.mul(alpha, x[at]), y, a.rowOf(i, len(y)))
			at += incX
		}
	}
	return k
}

// complexAxpy adds α·x to y, with the imaginary parts of x times sign.
func complexAxpy[F float32 | float64](alpha pair.Pair[F], sign F, x, y []pair.Pair[F]) {
	y = y[:len(x)]
	for i, v := range x {
		v.Im *= sign
		y[i] = alpha.FMA(v, y[i])
	}
}

// maxLanes is the number of lanes of complex64.
const maxLanes = 8

// complexDot returns the sum of x·y by lanes, with the imaginary parts of x
// times sign.
func complexDot[F float32 | float64](sign F, x, y []pair.Pair[F]) pair.Pair[F] {
	var sums [maxLanes]pair.Pair[F]
	lanes := 64 / int(unsafe.Sizeof(sums[0]))
	for i, v := range x {
		v.Im *= sign
		sums[i%lanes] = v.FMA(y[i], sums[i%lanes])
	}
	for w := lanes / 2; w > 0; w /= 2 {
		for l := range w {
			sums[l] = sums[l].Plus(sums[l+w])
		}
	}
	return sums[0]
}
