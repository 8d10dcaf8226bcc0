package tables

import (
	"math"
	"math/big"
	"math/bits"
)

// expansionBits says how finely expansions are tabulated: in 2^expansionBits steps for 1.
const expansionBits = 7

// Expanded bounds the distance to the next row of a table of expansions.
const Expanded = 0x1p-8

// expansions writes a table of an odd function, given by its Taylor series around a point, for so many steps on both sides of
// 0. Its length is a power of two, so that a masked index is within.
func (f *file) expansions(name, function string, steps int, series func(c float64, n int) []*big.Float) {
	f.printf("\n// %s is for %s: row %d for 0.\nvar %s = [%d]expansion{\n", name, function, steps, name, 1<<bits.Len(uint(2*steps)))
	for i := -steps; i <= steps; i++ {
		s := series(math.Ldexp(float64(i), -expansionBits), 60)
		hi, slope := roundTo(s[0], 53), roundTo(s[1], 26)
		first, powers, nodes := 2, []int{0, 1, 2, 3, 4, 5}, chebyshev(6, -Expanded, Expanded)
		if i == 0 { // odd, and close relative to h³: of Chebyshev's nodes the positive ones suit
			first, powers, nodes = 3, []int{0, 2, 4}, nodes[:3]
		}
		var coefficients [6]float64
		for k, v := range interpolateAt(func(h *big.Float) *big.Float {
			sum := real(0)
			for k := len(s) - 1; k >= first; k-- {
				sum = add(mul(sum, h), s[k])
			}
			return sum
		}, powers, nodes) {
			coefficients[first-2+powers[k]], _ = v.Float64()
		}
		f.printf("{%s, %s, %s, %s", hex(hi), float(sub(s[0], real(hi))), hex(slope), float(sub(s[1], real(slope))))
		for _, v := range coefficients {
			f.printf(", %s", hex(v))
		}
		f.printf("},\n")
	}
	f.printf("}\n")
}
