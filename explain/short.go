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
		if holdsAll(f, values) {
			return f
		}
	}
	return 0
}

// holdsAll reports whether a format holds all finite values of a list.
func holdsAll(f fp.Format, values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v-v == 0 && !f.Contains(v) })
}

// addShort adds hypotheses about a side that none reproduces so far, and whose
// results may have been widened.
func (s *search) addShort(ctx context.Context, found *[2][]*candidate, all []arithmetic) {
	for k := range found {
		var only [2]bool
		only[k] = true
		if len(found[k]) > 0 {
			continue
		}
		switch short := ShortFormat(s.want[k]); {
		case s.out == fp.Binary32 && short != 0:
			found[k] = s.candidates(ctx, shortened(all, short), only)[k]
		case s.out != fp.Binary64 || !holdsAll(fp.Binary32, s.want[k]):
		case s.p.In == fp.Binary64:
			found[k] = s.candidates(ctx, s.p.single(), only)[k]
		default:
			found[k] = s.widened(ctx, short, only)[k]
		}
	}
}

// widened returns the hypotheses whose results were binary32 and then widened
// to binary64, or rounded to a short format before, if that is not 0.
func (s *search) widened(
	ctx context.Context, short fp.Format, only [2]bool,
) (found [2][]*candidate) {
	usual, unusual := s.p.arithmetics(fp.Binary32)
	tries := [][]arithmetic{usual, unusual}
	if short != 0 {
		tries = append(tries, shortened(slices.Concat(usual, unusual), short))
	}
	for _, all := range tries {
		found = s.candidates(ctx, all, only)
		if len(found[0])+len(found[1]) > 0 {
			break
		}
	}
	return found
}

// single returns the arithmetics in binary32 of a problem in binary64: of
// rounded inputs, or with a rounded result.
func (p *Problem) single() (all []arithmetic) {
	q := *p
	q.In = fp.Binary32
	for _, acc := range accumulators(q.In, q.In) {
		for _, a := range q.accumulated(acc, q.In) {
			if a.narrow = fp.Binary32; !p.holds(a.narrow) {
				a.model[Inputs] = a.narrow.String()
			}
			if acc != q.In {
				a.model[Rounding] = resultIn(q.In)
			}
			all = append(all, a)
		}
	}
	for _, a := range p.accumulated(p.In, q.In) {
		a.model[Rounding] = resultIn(q.In)
		all = append(all, a)
	}
	return all
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
