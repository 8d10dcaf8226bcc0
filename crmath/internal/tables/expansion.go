package tables

import (
	"math"
	"math/big"
	"math/bits"
)

// expansionBits is the logarithm of the number of rows of an expansion in an
// interval of length 1.
const expansionBits = 7

// Expanded bounds the distance to the next row of a table of expansions.
const Expanded = 0x1p-8

// expansions writes a table of an odd function, given by its Taylor series
// around a point, with steps rows on both sides of 0. Its length is a power of
// two, so that a masked index is inside.
func (f *file) expansions(name, function string, steps int,
	series func(c float64, n int) []*big.Float) {
	f.printf("\n// %s is for %s: row %d for 0.\nvar %s = [%d]expansion{\n", name, function, steps,
		name, 1<<bits.Len(uint(2*steps)))
	rows, nodes := make([][10]float64, steps+1), chebyshev(6, -Expanded, Expanded)
	for i := range rows {
		rows[i] = expansionRow(i, series, nodes)
	}
	for i := -steps; i <= steps; i++ {
		row := rows[max(i, -i)]
		for k, v := range row {
			if i < 0 && (k < 2 || k >= 4 && k%2 == 0) { // the function, and even coefficients
				row[k] = -v
			}
		}
		f.expansion(row)
	}
	f.printf("}\n")
}

// expansionRow returns the row of a number of steps of an odd function; nodes
// are Chebyshev's six.
func expansionRow(i int, series func(c float64, n int) []*big.Float,
	nodes []*big.Float) (row [10]float64) {
	if i == 0 { // odd, and close relative to h³: of Chebyshev's nodes the positive ones suit
		return expansionOf(series(0, expansionTerms), 3, []int{0, 2, 4}, nodes[:3])
	}
	c := math.Ldexp(float64(i), -expansionBits)
	return expansionOf(series(c, expansionTerms), 2, []int{0, 1, 2, 3, 4, 5}, nodes)
}

// expansionTerms is a number of terms of a Taylor series after which the rest
// is below 2^-240 of the value.
const expansionTerms = 30

// expansionOf returns the row of a function with Taylor series s. Its
// polynomial has the powers from first on, and is exact at the nodes.
func expansionOf(s []*big.Float, first int, powers []int, nodes []*big.Float) (row [10]float64) {
	row[0], row[2] = roundTo(s[0], 53), roundTo(s[1], 26)
	row[1], _ = sub(s[0], real(row[0])).Float64()
	row[3], _ = sub(s[1], real(row[2])).Float64()
	for k, v := range interpolateAt(func(h *big.Float) *big.Float {
		sum := real(0)
		for k := len(s) - 1; k >= first; k-- {
			sum = add(mul(sum, h), s[k])
		}
		return sum
	}, powers, nodes) {
		row[2+first+powers[k]], _ = v.Float64()
	}
	return row
}

// evenSteps writes a table of expansions of a function around i/128, for i from
// first to last, in an array of size rows.
func (f *file) evenSteps(name, comment string, first, last, size int,
	series func(c float64, n int) []*big.Float) {
	f.printf("\n// %s.\nvar %s = [%d]expansion{\n", comment, name, size)
	nodes := chebyshev(6, -Expanded, Expanded)
	for i := first; i <= last; i++ {
		c := math.Ldexp(float64(i), -expansionBits)
		f.expansion(expansionOf(series(c, expansionTerms), 2, []int{0, 1, 2, 3, 4, 5}, nodes))
	}
	f.printf("}\n")
}

// expansion writes a row.
func (f *file) expansion(row [10]float64) {
	f.printf("{")
	for _, v := range row {
		f.printf("%s, ", hex(v))
	}
	f.printf("},\n")
}
