package tables

import (
	"fmt"
	"math"
	"math/big"
)

// logBits is the logarithm of the number of cells in an octave of logarithms.
const logBits = 8

// logOffset is the encoding of the smallest significand, 0.6875: significands
// are in [0.6875, 1.375), so that 1 is well inside.
const logOffset = 0x3fe6 << 48

// log writes the tables of the logarithms.
func log(f *file) {
	const cells = 1 << logBits
	ln2, ln10 := Ln2(), Log(real(10))
	f.printf(`
const (
logBits = %d
logCells = 1 << logBits
logOffset = %#x
`, logBits, uint64(logOffset))
	// Multiples of 2^-42, so that k times it and the table's first part add up
	// exactly.
	sum := func(name, comment string, x *big.Float) {
		hi := multipleOf(x, -42)
		f.printf("\n// %s: to a multiple of 2^-42, and the rest.\n%sHi = %s\n%sLo = %s\n", comment,
			name, hex(hi), name, float(sub(x, real(hi))))
	}
	sum("logLn2", "ln 2", ln2)
	sum("logLg2", "log10(2)", quo(ln2, ln10))
	product := func(name, comment string, x *big.Float) {
		hi := roundTo(x, 26)
		f.printf("\n// %s: its first 26 bits and the rest.\n%sHi = %s\n%sLo = %s\n", comment, name,
			hex(hi), name, float(sub(x, real(hi))))
	}
	f.printf("invLn2 = %s\ninvLn10 = %s\n", float(quo(real(1), ln2)), float(quo(real(1), ln10)))
	product("invLn2", "1/ln 2", quo(real(1), ln2))
	product("invLn10", "1/ln 10", quo(real(1), ln10))

	entries, radius := "", 0.0
	for i := range cells {
		// The cell's ends, and a reciprocal of its middle with 9 bits after the
		// point: with a significand's first 24 bits it makes a product of 33.
		first := math.Float64frombits(logOffset + uint64(i)<<(52-logBits))
		end := math.Float64frombits(logOffset + uint64(i+1)<<(52-logBits))
		c := math.Round(1024/(first+end)) / 512
		if first == 1 || end == 1 {
			c = 1 // so that the logarithms of numbers near 1 begin with zero
		}
		radius = max(radius, math.Abs(float64(first*c)-1), math.Abs(float64(end*c)-1)) // exact
		l := Log(real(c))
		l.Neg(l)
		hi := multipleOf(l, -42)
		entries += fmt.Sprintf("{%s, %s, %s},\n", hex(c), hex(hi), float(sub(l, real(hi))))
	}
	f.printf(`
// logRadius bounds |m·c - 1| for a significand m and the c of its cell.
logRadius = %s
)
`, hex(radius))
	rest := func(r *big.Float) *big.Float { return logRest(r, 3) }
	f.coefficients("logC", "ln(1+r) - r + r²/2 for |r| < logRadius", []int{3, 4, 5, 6, 7, 8},
		interpolate(rest, []int{0, 1, 2, 3, 4, 5}, -radius, radius))
	f.coefficients("log1pC", "ln(1+r) - r + r²/2 for |r| < 2^-10", []int{3, 4, 5, 6, 7},
		interpolate(rest, []int{0, 1, 2, 3, 4}, -0x1p-10, 0x1p-10))
	f.printf(`
// logTable holds, for each cell, c near the reciprocal of its significands,
// with 9 bits after the point, and -ln c as the sum of a multiple of 2^-42 and
// a smaller number.
var logTable = [logCells]struct{ c, hi, lo float64 }{
%s}
`, entries)
}

// logRest returns Σ (-1)^(k+1)·x^(k-n)/k over k ≥ n: the terms of ln(1+x) after
// the power n-1, over x^n.
func logRest(x *big.Float, n int) *big.Float {
	sum, power := fresh(), real(1)
	if n%2 == 0 {
		power.Neg(power)
	}
	for k := n; ; k++ {
		term := quo(power, real(float64(k)))
		if negligible(term, sum) {
			return sum
		}
		sum, power = add(sum, term), mul(power, fresh().Neg(x))
	}
}
