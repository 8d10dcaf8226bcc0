package blas

import "github.com/lastbit/lastbit/blas/internal/pair"

// exactTimes returns a·b, each part rounded once.
func exactTimes[C complex64 | complex128, F float32 | float64](a, b C) C {
	x, y := pair.Of[F](a), pair.Of[F](b)
	if x.Im == 0 {
		return pair.Complex[C](x.Times(y))
	}
	return pair.Complex[C](pair.Pair[F]{
		Re: exactTwo(x.Re, y.Re, -x.Im, y.Im),
		Im: exactTwo(x.Re, y.Im, x.Im, y.Re),
	})
}

// exactAxpy adds α·x to y, each part rounded once.
func exactAxpy[C complex64 | complex128, F float32 | float64](alpha C, x, y []C) {
	factor := scalarOf[F](alpha)
	parts := []float64{factor.re, factor.im}
	if factor.im == 0 {
		parts = parts[:1]
	}
	v := operandOf[F](x, false, false)
	var c combination
	for i := range x {
		c.reset()
		c.add(scalar{re: 1}, parts, v.slice(2*i, len(parts)))
		storeCombination(&c, scalar{re: 1}, partsOf[F](y[i:i+1]))
	}
}

// exactDot returns Σ x[i]·y[i], or Σ conj(x[i])·y[i], each part rounded once.
func exactDot[C complex64 | complex128, F float32 | float64](x, y []C, conj bool) C {
	var sum [1]C
	var c combination
	c.add(scalar{re: 1}, doubles(partsOf[F](x), new([]float64)), operandOf[F](y, conj, false))
	storeCombination(&c, scalar{}, partsOf[F](sum[:]))
	return sum[0]
}
