package ask

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// accumulator is a format that sums are held in. Where wide is not 0, it has a
// significand of that many bits, and its exponents bound nothing.
type accumulator struct {
	fp.Format
	wide int
}

// Precision returns the number of bits of the significand.
func (a accumulator) Precision() int {
	if a.wide != 0 {
		return a.wide
	}
	return a.Format.Precision()
}

// ULP returns the last place of x.
func (a accumulator) ULP(x float64) float64 {
	if a.wide != 0 {
		return math.Ldexp(1, math.Ilogb(x)+1-a.wide)
	}
	return a.Format.ULP(x)
}

// accumulators returns the accumulators that levels are looked for at, the
// narrowest first. Sums of squares may have the 80-bit format of x87, or
// binary128.
func accumulators(c *Channel) []accumulator {
	all := []accumulator{{fp.BFloat16, 0}, {fp.Binary16, 0}, {fp.Binary32, 0}, {fp.Binary64, 0}}
	if c.Key.Op == probe.SumSq && c.Key.DType.Precision() >= fp.Binary32.Precision() {
		all = append(all, accumulator{fp.Binary64, 64}, accumulator{fp.Binary64, 113})
	}
	return all
}

// tiedLevels returns levels of squares that may each be rounded to the format
// of results before they are added: the large one is a number of that format,
// and 0.5² on one or two other leaves makes a tie of their sum, which goes
// down. Of one exponent in two, the root of the sum shows what it is rounded
// to.
func tiedLevels(c *Channel, acc accumulator) []Levels {
	var all []Levels
	for rest := 1; rest <= 2 && rest+3 <= c.N; rest++ {
		p := c.Key.Out.Precision() + rest
		least, top := math.Sqrt(math.Ldexp(1, p-3)), math.Sqrt(math.Ldexp(1, p-2))
		for k := range maxLevels {
			share := (float64(k) + 0.5) / maxLevels
			m := float64(2 * math.Floor((least+float64((top-least)*share))/2))
			if rest == 1 { // the last place of m² is 1/2
				m++
			}
			l := newLevels(c, acc, float64(m*m))
			l.Rest = slices.Repeat([]float64{0.5}, rest)
			all = append(all, l)
		}
	}
	return all
}
