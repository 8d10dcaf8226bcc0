package tables

import (
	"fmt"
	"math"
)

// powLogBits is the logarithm of the number of cells in an octave of the
// logarithm in powers.
const powLogBits = 10

// pow writes the table of powers, which use the table of exponentials too.
func pow(f *file) {
	const cells = 1 << powLogBits
	f.printf("\nconst (\npowLogBits = %d\npowLogCells = 1 << powLogBits\n", powLogBits)
	entries, radius := "", 0.0
	for i := range cells {
		// The cell's ends, and a reciprocal of its middle with 11 bits after
		// the point.
		first := math.Float64frombits(logOffset + uint64(i)<<(52-powLogBits))
		end := math.Float64frombits(logOffset + uint64(i+1)<<(52-powLogBits))
		c := math.Round(4096/(first+end)) / 2048
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
// powLogRadius bounds |m·c - 1| for a significand m and the c of its cell.
powLogRadius = %s
)
`, hex(radius))
	f.printf(`
// powLogTable holds, for each cell, c near the reciprocal of its significands,
// with 11 bits after the point, and -ln c as the sum of a multiple of 2^-42 and
// a smaller number.
var powLogTable = [powLogCells]struct{ c, hi, lo float64 }{
%s}
`, entries)
}
