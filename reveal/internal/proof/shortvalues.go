package proof

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
)

// Numbers of few digits are everyday data: prices, and numbers that were stored
// in a shorter format. A program that looks for them may add them in another
// order or format.

// oneDecimal returns the property that all summands have at most one decimal: a
// program may add tenths or hundredths as integers.
func oneDecimal(f fp.Format) property {
	return property{where: "where all summands have one decimal",
		holds: every(func(x float64) bool {
			return x == f.Round(math.Round(x*decimals)/decimals, fp.NearestEven)
		}),
		shape: func(d *propertyDrawer, v []float64) {
			d.signs(v)
			d.decimals(v)
		},
		spoil: spoilLast}
}

// spoilLast adds a last place to one summand, which no shorter format has.
func spoilLast(d *propertyDrawer, v []float64) {
	i := d.rng.IntN(len(v))
	v[i] = d.f.NextUp(v[i])
}

// decimals is 1 over the step of numbers with one decimal.
const decimals = 10

// decimals makes numbers of one decimal, of up to five digits.
func (d *propertyDrawer) decimals(v []float64) {
	most := 100
	if d.f.Precision() >= fp.Binary32.Precision() {
		most = 100_000
	}
	for i, x := range v {
		size := float64(d.rng.IntN(most)) / decimals
		v[i] = math.Copysign(d.f.Round(size, fp.NearestEven), x)
	}
}

// shortFormats returns the properties that all summands are values of a shorter
// format: a program may add those in that format, or in another order. Where f
// holds all sums of two values of a format, that one is left out.
func shortFormats(f fp.Format) (all []property) {
	for _, g := range []fp.Format{fp.Binary32, fp.BFloat16, fp.Binary16} {
		widest := g.MaxExp() - g.MinExp() + g.Precision()
		if g.Precision() >= f.Precision() || g.MaxExp() > f.MaxExp() || widest < f.Precision() {
			continue
		}
		all = append(all, property{
			where: fmt.Sprintf("where all summands are values of %v", g),
			holds: every(g.Contains),
			shape: func(d *propertyDrawer, v []float64) {
				d.signs(v)
				d.short(g, v)
			},
			spoil: spoilLast})
	}
	return all
}

// short makes values of a shorter format, so far apart, where it has them, that
// their sums are rounded.
func (d *propertyDrawer) short(g fp.Format, v []float64) {
	top := min(g.MaxExp()-1, d.highest())
	apart := min(top-g.MinExp(), d.f.Precision()+8-g.Precision())
	top -= d.rng.IntN(top - g.MinExp() - apart + 1)
	for i, x := range v {
		size := math.Ldexp(1+d.rng.Float64(), top-d.rng.IntN(apart+1))
		v[i] = math.Copysign(g.Round(size, fp.TowardZero), x)
	}
}
