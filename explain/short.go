package explain

import (
	"context"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// ShortFormat returns the format shorter than binary32 that holds every value,
// or 0. A result that was widened afterwards has one.
func ShortFormat(values []float64) fp.Format {
	for _, f := range []fp.Format{fp.BFloat16, fp.Binary16} {
		isLonger := func(v float64) bool { return v-v == 0 && !f.Contains(v) }
		if !slices.ContainsFunc(values, isLonger) {
			return f
		}
	}
	return 0
}

// addShort adds hypotheses about a side that none reproduces so far, and whose
// results may have been widened.
func (s *search) addShort(ctx context.Context, found *[2][]*candidate, all []arithmetic) {
	for k := range found {
		short := ShortFormat(s.want[k])
		if len(found[k]) > 0 || s.out != fp.Binary32 || short == 0 {
			continue
		}
		var only [2]bool
		only[k] = true
		found[k] = s.candidates(ctx, shortened(all, short), only)[k]
	}
}

// shortened copies the usual arithmetics, and those with inputs in a short
// format, and rounds their results to that format.
func shortened(some []arithmetic, short fp.Format) (all []arithmetic) {
	for _, a := range some {
		if in := a.model[Inputs]; in != asGiven && in != short.String() || a.arith.Mean {
			continue
		}
		if r := a.model[Rounding]; r != toNearest && r != "" || a.evaluate != nil {
			continue
		}
		a.model = a.model.with(Rounding, resultIn(short))
		if a.short = short; a.width == 0 {
			a.arith.Out = short
		}
		all = append(all, a)
	}
	return all
}

// resultIn is the value of Rounding of a result that is rounded to a format.
func resultIn(f fp.Format) string { return "result in " + f.String() }

// inputIn returns the index in inputRoundings of a format, to nearest even; 0
// for none.
func inputIn(f fp.Format) int {
	return max(0, slices.IndexFunc(inputRoundings, func(r inputRounding) bool {
		return r.name == f.String()
	}))
}
