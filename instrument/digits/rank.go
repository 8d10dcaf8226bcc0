package digits

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// maxRanked bounds the lines whose cost is measured, by a run each.
const maxRanked = 16

// maxUndecided bounds those among them that are taken because a comparison
// differs between runs.
const maxUndecided = 6

// rank measures what lines cost the output, and orders them by it. A run has
// errors of one line alone, of the size that its results have in the other
// runs, from all sources: so a line that amplifies the errors of others costs
// something, and one that computes an error term nothing. No line costs more
// than the output has lost. outputs are the runs with random rounding.
func (a *analysis) rank(found *Analysis, outputs []*instrument.Output) error {
	if !a.isLossy(found, outputs) {
		for i := range found.Lines {
			found.Lines[i].Cost = new(float64)
		}
		return nil
	}
	for _, i := range ranked(found.Lines) {
		l := &found.Lines[i]
		s, any := a.jolts(Place{l.File, l.Line}, append(outputs, a.plain))
		cost := 0.0
		for way := range ways(s.Profile) {
			if !any {
				break
			}
			s.Seed = a.options.Seed<<1 | uint64(way)
			c, err := a.cost(found, outputs, s)
			if err != nil {
				return err
			}
			cost = max(cost, c)
		}
		l.Cost = &cost
	}
	slices.SortStableFunc(found.Lines, func(x, y Line) int {
		return cmp.Or(cmp.Compare(y.class(), x.class()),
			cmp.Compare(min(y.Unstable, 1), min(x.Unstable, 1)))
	})
	return nil
}

// ways is the number of runs for a line: comparisons that one leaves as they
// are come out the other way in the second.
func ways(compares bool) int {
	if compares {
		return 2
	}
	return 1
}

// class returns the cost in whole digits: errors of one size give several
// costs. Lines that were not measured come before those that cost nothing.
func (l Line) class() float64 {
	if l.Cost == nil {
		return 0.5
	}
	return math.Round(*l.Cost)
}

// isLossy reports whether the output has lost anything.
func (a *analysis) isLossy(found *Analysis, outputs []*instrument.Output) bool {
	return a.exits(outputs) || slices.ContainsFunc(found.Tokens, func(t Token) bool {
		return !t.Varies && (t.Differs || t.lost() > 0)
	})
}

// exits reports whether a run ends with another exit code.
func (a *analysis) exits(outputs []*instrument.Output) bool {
	return slices.ContainsFunc(outputs, func(o *instrument.Output) bool {
		return o.Exit != a.plain.Exit
	})
}

// lost returns the digits that a token has lost: all that there are for a word
// that changes, or a number without a right digit.
func (t Token) lost() float64 {
	switch {
	case t.Digits == nil && t.Differs, t.Digits != nil && *t.Digits == 0 && t.limit > 0:
		return MaxDigits
	case t.Digits == nil:
		return 0
	}
	return max(0, t.limit-*t.Digits)
}

// ranked returns the numbers of the lines whose cost is measured.
func ranked(lines []Line) []int {
	var all []int
	for i, l := range lines {
		if l.Unstable > 0 && len(all) < maxUndecided {
			all = append(all, i)
		}
	}
	for i := range lines {
		if len(all) < maxRanked && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	return all
}

// jolts returns the settings of a run with errors as large as a line's, and
// whether the line has any. Where it has comparisons or conversions to
// integers, executions are counted.
func (a *analysis) jolts(
	at Place, runs []*instrument.Output,
) (s instrument.Settings, any bool) {
	all := make([]uint8, len(a.program.Sites))
	for i, site := range a.program.Sites {
		if site.File != at.File || site.Line != at.Line || a.unordered[i] {
			continue
		}
		recs := make([]*perturb.Record, len(runs))
		for k, r := range runs {
			recs[k] = &r.Records[i]
		}
		if e := spread(site.Kind, recs); e > 0 {
			_, exponent := math.Frexp(e) // e < 2^exponent
			all[i] = uint8(min(max(1-exponent, 1), instrument.MaxJolt))
			any = true
			s.Profile = s.Profile || site.Kind.IsObserved()
		}
	}
	s.Jolts = all
	return s, any
}

// spread returns the largest difference between the results of runs, in
// relation to the operands of a sum or a comparison, and to the result of
// another operation.
func spread(kind instrument.Kind, runs []*perturb.Record) float64 {
	most := 0.0
	for k := range slots {
		x, y, r, ok := samples(runs, k)
		if !ok {
			continue
		}
		values, scale := r, maxAbs(r)
		switch kind {
		case instrument.Comparison:
			scale = max(maxAbs(x), maxAbs(y))
			values = make([]float64, len(x))
			for i := range x {
				values[i] = x[i] - y[i]
			}
		case instrument.ToInteger:
			values, scale = x, maxAbs(x)
		case instrument.Sum:
			scale = max(maxAbs(x), maxAbs(y))
		}
		e := (slices.Max(values) - slices.Min(values)) / scale
		if e-e == 0 {
			most = max(most, e)
		}
	}
	return min(most, 1)
}

func maxAbs(values []float64) float64 {
	return max(slices.Max(values), -slices.Min(values))
}

// cost returns the digits that the output loses in a run with some errors. A
// run that does not end costs all.
func (a *analysis) cost(
	found *Analysis, outputs []*instrument.Output, s instrument.Settings,
) (float64, error) {
	out, err := a.run(s)
	switch {
	case err != nil:
		return 0, err
	case out.Stopped || out.Exit != a.plain.Exit && a.exits(outputs):
		return MaxDigits, nil
	}
	cost := 0.0
	for i, t := range compare(a.plain.Stdout, [][]byte{out.Stdout}) {
		if known := found.Tokens[i]; !known.Varies {
			cost = max(cost, min(known.lost(), t.lost()))
		}
	}
	return math.Round(cost*10) / 10, nil
}
