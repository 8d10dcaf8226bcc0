package ask

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// accumulator is a format that sums are held in: one of so many bits, where
// wide is not 0, whose exponents bound nothing.
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
// and 0.5² on a fourth leaf makes a tie of their sum, which goes down.
func tiedLevels(c *Channel, acc accumulator) []Levels {
	if c.N < 4 {
		return nil
	}
	p := c.Key.Out.Precision()
	least, top := math.Sqrt(math.Ldexp(1, p-2)), math.Sqrt(math.Ldexp(1, p-1))
	var all []Levels
	for k := range maxLevels {
		m := float64(2*math.Floor((least+(top-least)*(float64(k)+0.5)/maxLevels)/2)) + 1
		l := newLevels(c, acc, float64(m*m))
		l.Rest = []float64{0.5}
		all = append(all, l)
	}
	return all
}
