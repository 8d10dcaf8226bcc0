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
		f.printf("{")
		for k, v := range row {
			if i < 0 && (k < 2 || k >= 4 && k%2 == 0) { // the function, and even coefficients
				v = -v
			}
			f.printf("%s, ", hex(v))
		}
		f.printf("},\n")
	}
	f.printf("}\n")
}

// expansionRow returns the row of a number of steps; nodes are Chebyshev's six.
func expansionRow(i int, series func(c float64, n int) []*big.Float,
	nodes []*big.Float) (row [10]float64) {
	s := series(math.Ldexp(float64(i), -expansionBits), 30) // the next term is below 2^-240
	first, powers := 2, []int{0, 1, 2, 3, 4, 5}
	if i == 0 { // odd, and close relative to h³: of Chebyshev's nodes the positive ones suit
		first, powers, nodes = 3, []int{0, 2, 4}, nodes[:3]
	}
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
