package tables

import (
	"math"
	"math/big"
)

const (
	// erfLast is the last step of the table of erf x, for x = 6.
	erfLast = 6 << expansionBits

	// The table of e^x²·erfc x has 2^erfcBits rows for each octave, from 1/2 to
	// erfcEnd.
	erfcBits = 7
	erfcEnd  = 27.25
)

// erf writes the tables of error functions.
func erf(f *file) {
	nodes, slope := chebyshev(6, -Expanded, Expanded), erfSlope()
	series := func(c float64, n int) []*big.Float { return erfSeriesAt(c, slope, n) }
	f.printf("\n// erfTable is for erf x, row i for i/128.\nvar erfTable = [1024]expansion{\n")
	for i := range erfLast + 1 {
		f.expansion(expansionRow(i, series, nodes))
	}
	f.printf("}\n")

	first := math.Float64bits(0.5) >> (52 - erfcBits)
	end := math.Float64bits(erfcEnd) >> (52 - erfcBits)
	f.printf(`
const (
erfcBits = %d
erfcEnd = %v

// erfcFirst is the encoding of 1/2, with erfcBits bits of the significand.
erfcFirst = %#x
)

// erfcTable is for e^x²·erfc x around the centres of intervals, 2^erfcBits to
// an octave.
var erfcTable = [1024]expansion{
`, erfcBits, erfcEnd, first)
	scaled, unit := erfcScaled(), chebyshev(6, -1, 1)
	for i := first; i <= end; i++ {
		c := ErfcCentre(i)
		s := erfcSeriesAt(c, scaled(real(c)), slope, expansionTerms)
		radius := c - math.Float64frombits(i<<(52-erfcBits))
		for j, x := range unit {
			nodes[j] = mul(x, real(radius))
		}
		f.expansion(expansionOf(s, 2, []int{0, 1, 2, 3, 4, 5}, nodes))
	}
	f.printf("}\n")
}

// ErfcCentre returns the centre of the interval of the numbers whose encodings
// begin with i.
func ErfcCentre(i uint64) float64 {
	return math.Float64frombits(i<<(52-erfcBits) | 1<<(51-erfcBits))
}

// erfSlope returns 2/√π, the derivative of erf x at 0.
func erfSlope() *big.Float { return quo(real(2), fresh().Sqrt(Pi())) }

// ErfSeriesAt returns the first n coefficients of the Taylor series of erf(c+h)
// in h, for 0 ≤ c ≤ 6.
func ErfSeriesAt(c float64, n int) []*big.Float { return erfSeriesAt(c, erfSlope(), n) }

// erfSeriesAt is ErfSeriesAt with 2/√π: erf c by 2/√π·e^(-c²)·Σ
// 2^k·c^(2k+1)/(1·3·…·(2k+1)), and the others by the series of the derivative,
// whose own is -2x times it.
func erfSeriesAt(c float64, slope *big.Float, n int) []*big.Float {
	x := real(c)
	slope = mul(slope, Exp(real(-c*c)))
	sum, term, y := real(0), x, mul(real(2), mul(x, x))
	for k := 3; !negligible(term, sum); k += 2 {
		sum = add(sum, term)
		term = quo(mul(term, y), real(float64(k)))
	}
	a := []*big.Float{mul(sum, slope)}
	for before := real(0); len(a) < n; {
		k := real(float64(len(a)))
		a = append(a, quo(slope, k))
		slope, before = quo(mul(real(-2), add(mul(x, slope), before)), k), slope
	}
	return a
}

// ErfcSeriesAt returns the first n coefficients of the Taylor series of
// e^x²·erfc x around c.
func ErfcSeriesAt(c float64, n int) []*big.Float {
	return erfcSeriesAt(c, erfcScaled()(real(c)), erfSlope(), n)
}

// erfcSeriesAt is ErfcSeriesAt for a given value y at c and slope = 2/√π, by y'
// = 2x·y - 2/√π.
func erfcSeriesAt(c float64, y, slope *big.Float, n int) []*big.Float {
	a := []*big.Float{y}
	before := real(0)
	for len(a) < n {
		k := len(a)
		next := mul(real(2), add(mul(real(c), a[k-1]), before))
		if k == 1 {
			next = sub(next, slope)
		}
		before = a[k-1]
		a = append(a, quo(next, real(float64(k))))
	}
	return a
}

// erfcScaled returns the function e^x²·erfc x for 1/2 ≤ x < 27, with a relative
// error below 2^-200, by the trapezoidal rule with the step 1/4: wide.SetErfc
// derives it.
func erfcScaled() func(x *big.Float) *big.Float {
	var powers []*big.Float // e^-(k²/16), down to 2^-1100
	for k := range 110 {
		powers = append(powers, Exp(real(-float64(k*k)/16)))
	}
	pi := Pi()
	return func(x *big.Float) *big.Float {
		square := mul(x, x)
		sum := quo(real(0.5), square)
		for k, p := range powers[1:] {
			sum = add(sum, quo(p, add(square, real(float64((k+1)*(k+1))/16))))
		}
		y := quo(mul(sum, mul(x, real(0.5))), pi)
		if x.Cmp(real(4*math.Pi)) < 0 {
			e := sub(Exp(mul(pi, mul(x, real(8)))), real(1))
			y = sub(y, quo(mul(real(2), Exp(square)), e))
		}
		return y
	}
}
