package tables

import (
	"fmt"
	"math"
	"math/big"
)

// quickLog writes the tables of the logarithms of numbers that are not near 1.
func quickLog(f *file) {
	ln2, ln10 := Ln2(), Log(real(10))
	for _, base := range []struct {
		name, comment string
		factor        *big.Float
	}{
		{"ln", "ln", real(1)},
		{"lg", "log10", quo(real(1), ln10)},
		{"lb", "log2", quo(real(1), ln2)},
	} {
		radius := quickLogTable(f, base.name, base.comment, base.factor)
		rest := func(r *big.Float) *big.Float { return mul(logRest(r, 2), base.factor) }
		f.coefficients(base.name+"QuickC",
			fmt.Sprintf("%s(1+r) less its first term, for |r| < %s", base.comment, hex(radius)),
			[]int{2, 3, 4, 5, 6, 7}, interpolate(rest, []int{0, 1, 2, 3, 4, 5}, -radius, radius))
	}
}

// quickLogTable writes the table of one logarithm, factor times ln, and returns
// a bound of |m·c - 1|, which is exact in float64.
func quickLogTable(f *file, name, comment string, factor *big.Float) (radius float64) {
	const cells = 1 << logBits
	entries := ""
	for i := range cells {
		first := math.Float64frombits(logOffset + uint64(i)<<(52-logBits))
		end := math.Float64frombits(logOffset + uint64(i+1)<<(52-logBits))
		c := math.Round(512/(first+end)) / 256
		radius = max(radius, math.Abs(float64(first*c)-1), math.Abs(float64(end*c)-1)) // exact
		l := mul(Log(real(c)), factor)
		l.Neg(l)
		hi := multipleOf(l, -42)
		entries += fmt.Sprintf("{%s, %s, %s},\n", hex(c), hex(hi), float(sub(l, real(hi))))
	}
	f.printf(`
// %[1]sQuick holds, for each cell of significands, c near their reciprocal,
// with 8 bits after the point, and -%[2]s c as the sum of a multiple of 2^-42
// and a smaller number.
var %[1]sQuick = [logCells]quickCell{
%[3]s}
`, name, comment, entries)
	return radius
}
