package tables

import (
	"math"
	"math/big"
)

// Hyperbolic tangents are tabulated in 2^tanhBits steps for 1, up to tanhLast steps, which is 3.
const (
	tanhBits = 6
	tanhLast = 192
)

// TanhReduced bounds the distance to the next row of the table.
const TanhReduced = 0x1p-7

// tanh writes what tanh x needs.
func tanh(f *file) {
	f.printf("\nconst (\ntanhBits = %d\ntanhRows = %d\n)\n", tanhBits, tanhLast+1)
	f.printf(`
// tanhTable has for each row i, c = i/64, tanh c as the sum of two numbers, its derivative there as the sum of a
// number of 26 bits and one of 53, and coefficients of what tanh(c+h) has beyond those, over h², for
// |h| ≤ 2^-7.
var tanhTable = [tanhRows]struct{ hi, lo, slopeHi, slopeLo, c2, c3, c4, c5, c6, c7, c8 float64 }{
`)
	nodes := chebyshev(7, -TanhReduced, TanhReduced)
	for i := range tanhLast + 1 {
		series := TanhSeries(math.Ldexp(float64(i), -tanhBits), 60)
		hi, slope := roundTo(series[0], 53), roundTo(series[1], 26)
		f.printf("{%s, %s, %s, %s", hex(hi), float(sub(series[0], real(hi))), hex(slope), float(sub(series[1], real(slope))))
		for _, v := range interpolateAt(func(h *big.Float) *big.Float {
			sum := real(0)
			for k := len(series) - 1; k >= 2; k-- {
				sum = add(mul(sum, h), series[k])
			}
			return sum
		}, []int{0, 1, 2, 3, 4, 5, 6}, nodes) {
			f.printf(", %s", float(v))
		}
		f.printf("},\n")
	}
	f.printf("}\n")
}

// SinhSeries returns the first n coefficients of the Taylor series of sinh x.
func SinhSeries(n int) []*big.Float {
	c := ExpSeries(n)
	for k := 0; k < n; k += 2 {
		c[k] = real(0)
	}
	return c
}

// TanhSeries returns the first n coefficients of the Taylor series of tanh(c+h) in h, by the
// derivative 1 - tanh².
func TanhSeries(c float64, n int) []*big.Float {
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
