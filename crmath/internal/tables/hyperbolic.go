package tables

import "math/big"

// SinhSeries returns the first n coefficients of the Taylor series of sinh x.
func SinhSeries(n int) []*big.Float {
	c := ExpSeries(n)
	for k := 0; k < n; k += 2 {
		c[k] = real(0)
	}
	return c
}

// TanhSeries returns the first n coefficients of the Taylor series of tanh x, by
// its derivative 1 - tanh² x.
func TanhSeries(n int) []*big.Float {
	c := []*big.Float{real(0)}
	for k := 1; k < n; k++ {
		s := real(0)
		if k == 1 {
			s = real(1)
		}
		for i := range k {
			s = sub(s, mul(c[i], c[k-1-i]))
		}
		c = append(c, quo(s, real(float64(k))))
	}
	return c
}

// AsinhSeries returns the first n coefficients of the Taylor series of asinh x, by that of
// its derivative (1+x²)^-½.
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

// AcoshSeries returns the first n coefficients of the Taylor series, in d, of acosh(1+d)/√(2d),
// Σ (-1)^k·(2k)!/(2^(3k)·k!²·(2k+1))·d^k.
func AcoshSeries(n int) []*big.Float {
	var c []*big.Float
	binomial := real(1)
	for k := range n {
		c = append(c, quo(binomial, real(float64(2*k+1))))
		binomial = mul(binomial, quo(real(float64(-(2*k+1))), real(float64(4*(k+1)))))
	}
	return c
}
