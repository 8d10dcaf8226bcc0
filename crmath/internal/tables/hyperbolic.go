package tables

import "math/big"

// The numbers of steps of the tables of hyperbolic sines, up to 1, and
// tangents, up to 3.
const (
	sinhLast = 128
	tanhLast = 384
)

// hyperbolic writes the tables of sinh x and tanh x.
func hyperbolic(f *file) {
	f.expansions("sinhTable", "sinh x", sinhLast, SinhSeriesAt)
	f.expansions("tanhTable", "tanh x", tanhLast, TanhSeriesAt)
}

// SinhSeriesAt returns the first n coefficients of the Taylor series of
// sinh(c+h) in h.
func SinhSeriesAt(c float64, n int) []*big.Float {
	e, series := Exp(real(c)), ExpSeries(n)
	for k := range series {
		sign := real(float64(2*(k%2) - 1))
		series[k] = mul(series[k], quo(add(e, quo(sign, e)), real(2)))
	}
	return series
}

// TanhSeriesAt returns the first n coefficients of the Taylor series of
// tanh(c+h) in h, by the derivative 1 - tanh².
func TanhSeriesAt(c float64, n int) []*big.Float {
	square := Exp(real(2 * c))
	a := []*big.Float{quo(sub(square, real(1)), add(square, real(1)))}
	for k := 1; k < n; k++ {
		s := real(0)
		if k == 1 {
			s = real(1)
		}
		for i := range k {
			s = sub(s, mul(a[i], a[k-1-i]))
		}
		a = append(a, quo(s, real(float64(k))))
	}
	return a
}

// AsinhSeries returns the first n coefficients of the Taylor series of asinh x,
// by the series of its derivative (1+x²)^-½.
func AsinhSeries(n int) []*big.Float {
	c := make([]*big.Float, n)
	derivative := real(1)
	for k := range n {
		c[k] = real(0)
		if k%2 == 1 {
			c[k] = quo(derivative, real(float64(k)))
			derivative = mul(derivative, quo(real(float64(-k)), real(float64(k+1))))
		}
	}
	return c
}

// AtanhSeries returns the first n coefficients of the Taylor series of atanh x.
func AtanhSeries(n int) []*big.Float {
	c := make([]*big.Float, n)
	for k := range n {
		c[k] = real(0)
		if k%2 == 1 {
			c[k] = quo(real(1), real(float64(k)))
		}
	}
	return c
}

// AcoshSeries returns the first n coefficients of the Taylor series, in d, of
// acosh(1+d)/√(2d), Σ (-1)^k·(2k)!/(2^(3k)·k!²·(2k+1))·d^k.
func AcoshSeries(n int) []*big.Float {
	var c []*big.Float
	binomial := real(1)
	for k := range n {
		c = append(c, quo(binomial, real(float64(2*k+1))))
		binomial = mul(binomial, quo(real(float64(-(2*k+1))), real(float64(4*(k+1)))))
	}
	return c
}
