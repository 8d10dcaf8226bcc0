package ask

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// Step is what a sum is multiplied by or divided by, unless it is 0.
type Step struct{ Factor, Divisor float64 }

// scaledAlone explains the result of one summand alone, where that is neither
// the square nor its root: by steps that also give the result of the square of
// 1. The want returned is then the result itself. A step that is followed by a
// root is a whole number or its rounded inverse.
func scaledAlone(
	c *Channel, result float64,
) (want float64, kind sumtree.EpilogueKind, steps []Step, err error) {
	single := func(row []float64) { row[0] = 1 }
	out, err := c.AskMain(nil, single)
	if err != nil {
		return 0, "", nil, err
	}
	one, square := out[0], float64(alone*alone)
	if !(one > 0 && result > 0) || math.IsInf(result, 0) {
		return square, "", nil, nil
	}
	factor := one
	if result < (alone+square)/2*one { // else the square has that factor
		kind, factor = sumtree.Root, one*one
	}
	for _, s := range stepsNear(c.Key.Out, factor, kind == sumtree.Root) {
		if s.gives(c.Key.Out, kind, 1, one) && s.gives(c.Key.Out, kind, square, result) {
			steps = append(steps, s)
		}
	}
	if steps == nil {
		return square, "", nil, nil
	}
	return result, kind, steps, nil
}

// StepsOf returns the steps that multiply by about factor and fit; whole ones
// and their inverses only, or others too.
func StepsOf(f fp.Format, factor float64, whole bool, fits func(s Step) bool) []Step {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return nil
	}
	return slices.DeleteFunc(stepsNear(f, factor, whole), func(s Step) bool { return !fits(s) })
}

// Of returns the result of a sum, rounded to f.
func (s Step) Of(f fp.Format, sum float64) float64 {
	if s.Factor != 0 {
		return f.Mul(sum, s.Factor, fp.NearestEven)
	}
	return f.Round(sum/s.Divisor, fp.NearestEven)
}

// stepsNear returns steps that multiply by about factor; whole ones and their
// inverses only, or others too.
func stepsNear(f fp.Format, factor float64, whole bool) []Step {
	var all []Step
	add := func(d float64) {
		all = append(all, Step{Divisor: d})
		if s, _ := math.Frexp(d); s != 0.5 { // else the quotient is the product
			all = append(all, Step{Factor: f.Round(1/d, fp.NearestEven)})
		}
	}
	d := math.Round(1 / factor)
	if d > 1 && math.Abs(float64(d*factor)-1) < math.Ldexp(1, 2-f.Precision()) {
		add(d)
	}
	if whole {
		return all
	}
	if len(all) == 0 || all[len(all)-1].Factor != factor && len(all) > 1 {
		all = append(all, Step{Factor: factor})
	}
	near := f.Round(1/factor, fp.NearestEven)
	for _, v := range []float64{near, f.NextUp(near), f.NextDown(near)} {
		if v != d {
			all = append(all, Step{Divisor: v})
		}
	}
	return all
}

// gives reports whether a square alone has a result, if the step is rounded to
// the format of results or to float64.
func (s Step) gives(f fp.Format, kind sumtree.EpilogueKind, square, out float64) bool {
	for _, acc := range []fp.Format{f, fp.Binary64} {
		v := s.Of(acc, square)
		if kind == sumtree.Root {
			v = math.Sqrt(v)
		}
		if f.Round(v, fp.NearestEven) == out {
			return true
		}
	}
	return false
}
