package digits

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// A scope chooses the executions that count in a profile: the zero value, all.
type scope struct {
	skip  func(instrument.Site) bool // leaves sites out, if it is not nil
	least float64                    // digits of a result
}

// profile returns the lines that lose digits, or whose comparisons differ
// between runs. Each element of runs holds the records of a run, by site.
func (a *analysis) profile(runs [][]perturb.Record, in scope) []Line {
	type place struct {
		file string
		line int
	}
	lines := make(map[place]*Line)
	for i, s := range a.program.Sites {
		if in.skip != nil && in.skip(s) {
			continue
		}
		at := place{s.File, s.Line}
		l := lines[at]
		if l == nil {
			l = &Line{File: s.File, Line: s.Line}
			lines[at] = l
		}
		records := make([]*perturb.Record, len(runs))
		for k := range runs {
			records[k] = &runs[k][i]
		}
		l.NaN += mostNaN(records)
		if a.unordered[i] {
			continue
		}
		if s.Kind.IsObserved() {
			l.Unstable += unstable(records)
			continue
		}
		lost := loss(s.Kind, records, in.least)
		l.Lost = max(l.Lost, lost)
		if lost >= 1 {
			l.Cancellations += records[0].Cancelled
		}
	}
	all := []Line{}
	for _, l := range lines {
		l.Lost = math.Round(l.Lost*10) / 10
		if l.Lost >= minLoss || l.Unstable > 0 || l.NaN > 0 {
			all = append(all, *l)
		}
	}
	slices.SortFunc(all, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(b.Unstable, a.Unstable),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// mostNaN returns the results of a site that are NaN or infinite, in the run
// that has most of them: in another, rounding may not take a root of -0x1p-53.
func mostNaN(runs []*perturb.Record) uint64 {
	most := uint64(0)
	for _, r := range runs {
		most = max(most, r.NaN)
	}
	return most
}

// unordered returns the sites whose executions differ between a run and others
// with the same roundings: goroutines take turns there, or the program depends
// on the time. Samples of different runs cannot be compared there.
func unordered(first []perturb.Record, others [][]perturb.Record) []bool {
	differ := make([]bool, len(first))
	for i := range first {
		for _, again := range others {
			differ[i] = differ[i] || !isSame(&first[i], &again[i])
		}
	}
	return differ
}

// isSame reports whether two records are of the same executions.
func isSame(a, b *perturb.Record) bool {
	type totals struct{ count, cancelled, held, nan, rounded, shared uint64 }
	of := func(r *perturb.Record) totals {
		return totals{r.Count, r.Cancelled, r.True, r.NaN, r.Rounded, r.Shared}
	}
	if of(a) != of(b) {
		return false
	}
	for k := range slots {
		if k < perturb.Samples && a.Shared != 0 {
			continue // in the order of the schedule
		}
		if bits(*sample(a, k)) != bits(*sample(b, k)) {
			return false
		}
	}
	return true
}

// slots is the number of samples of a record: first the samples of the first
// goroutine, then of others.
const slots = perturb.Samples + perturb.Spread

// sample returns a sample of a record.
func sample(r *perturb.Record, slot int) *perturb.Sample {
	if slot < perturb.Samples {
		return &r.Sample[slot]
	}
	return &r.Spread[slot-perturb.Samples]
}

// places returns the lines of sites, in order.
func (a *analysis) places(sites []bool) []Place {
	var all []Place
	for i, s := range a.program.Sites {
		if at := (Place{s.File, s.Line}); sites[i] && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(x, y Place) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return all
}

// bits returns the bits of a sample, which compare equal for equal NaN.
func bits(s perturb.Sample) [4]uint64 {
	return [4]uint64{s.Number, math.Float64bits(s.A), math.Float64bits(s.B), math.Float64bits(s.R)}
}

// loss returns the decimal digits that the executions of a site lose: the
// largest of three figures.
//
//   - The largest loss of one execution, from operands to result, finds a
//     cancellation.
//   - The drift of an accumulator, whose operand is its last result, finds a
//     long sum, where the other operand has more digits. The errors of the
//     other operands are not a loss of the sum.
//   - The mean loss times the number of executions, if it differs from 0
//     clearly, finds an iteration that multiplies its error. It is at most the
//     loss from the best operands to the worst result: executions that do not
//     depend on each other have many small losses, too.
//
// The last two figures count only operations of the first goroutine.
//
// Executions whose result has fewer digits than least do not count.
func loss(kind instrument.Kind, runs []*perturb.Record, least float64) float64 {
	most := MaxDigits
	if runs[0].Single != 0 {
		most = maxSingleDigits
	}
	chain := accumulates(runs[0])
	drift := drift{isSum: kind == instrument.Sum}
	var losses []float64
	best, worst := 0.0, most
	largest := 0.0
	for k := range slots {
		a, b, r, ok := samples(runs, k)
		if !ok {
			continue
		}
		before, after := min(agreement(a), agreement(b), most), min(agreement(r), most)
		if after < least {
			continue
		}
		lost := before - after
		if after == 0 { // nothing is left to lose
			lost = before
		}
		if after > 0 || before > 0 {
			largest = max(largest, lost)
		}
		if k >= perturb.Samples {
			continue
		}
		best, worst = max(best, before), min(worst, after)
		if other := chain.other(a, b); other != nil {
			drift.add(sample(runs[0], k).Number, other, r, most-after)
		}
		if after > 0 || before > 0 {
			losses = append(losses, lost)
		}
	}
	largest = max(largest, drift.loss())
	if mean, deviation := moments(losses); len(losses) > 8 && mean > 4*deviation {
		largest = max(largest, min(mean*float64(runs[0].Count), best-worst))
	}
	return min(MaxDigits, largest)
}

// A drift is the growth of the error of an accumulator.
type drift struct {
	isSum  bool    // errors add up absolutely, and else in relation to values
	other  float64 // the largest error of an operand that is added
	errors []float64
	lost   []float64 // digits, if all operands that are added are exact
}

// add takes an execution: its number, the operand beside the accumulator and
// the result in all runs, and the digits that the result has lost.
func (d *drift) add(number uint64, other, result []float64, lost float64) {
	d.other = max(d.other, d.size(other))
	if agreement(other) > agreement(result)+0.5 {
		// Errors of several operands have random signs.
		d.errors = append(d.errors, d.size(result)/math.Sqrt(float64(number)))
		d.lost = append(d.lost, lost)
	}
}

// size returns the size of the error of a value.
func (d *drift) size(values []float64) float64 {
	mean, deviation := moments(values)
	if d.isSum || mean == 0 {
		return deviation
	}
	return deviation / math.Abs(mean)
}

// loss returns the digits that the accumulator loses by itself.
func (d *drift) loss() float64 {
	most := 0.0
	for i, lost := range d.lost {
		if d.other > 0 {
			lost = min(lost, crmath.Log10(d.errors[i]/d.other))
		}
		most = max(most, lost)
	}
	return most
}

// maxSingleDigits is MaxDigits for a float32: 24·log10 2.
const maxSingleDigits = 7.22

// An accumulator is the operand that is the last result of its site.
type accumulator int

const (
	none accumulator = iota
	left
	right
)

// other returns the operand that is not the accumulator, or nil.
func (c accumulator) other(a, b []float64) []float64 {
	return [][]float64{none: nil, left: b, right: a}[c]
}

// accumulates returns the operand of a site that is its last result in most of
// the executions that follow each other.
func accumulates(rec *perturb.Record) accumulator {
	var chained [3]int
	all := 0
	for k := range rec.Sample[:len(rec.Sample)-1] {
		s, next := rec.Sample[k], rec.Sample[k+1]
		if s.Number == 0 || next.Number != s.Number+1 {
			continue
		}
		all++
		switch s.R {
		case next.A:
			chained[left]++
		case next.B:
			chained[right]++
		}
	}
	for _, c := range []accumulator{left, right} {
		if all > 2 && 2*chained[c] > all {
			return c
		}
	}
	return none
}

// moments returns the mean of values, and the standard deviation of the mean.
func moments(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	sum := 0.0
	for _, v := range values {
		d := v - mean
		sum += float64(d * d)
	}
	return mean, math.Sqrt(sum / (n * (n - 1)))
}

// samples returns the operands and the results of a sample in all runs, if all
// have the same execution there.
func samples(runs []*perturb.Record, slot int) (a, b, r []float64, ok bool) {
	for _, rec := range runs {
		s := sample(rec, slot)
		if s.Number == 0 || s.Number != sample(runs[0], slot).Number ||
			slot < perturb.Samples && rec.Shared != 0 {
			return nil, nil, nil, false
		}
		a, b, r = append(a, s.A), append(b, s.B), append(r, s.R)
	}
	return a, b, r, true
}

// agreement returns the number of decimal digits that values share: -log10 of
// their relative standard deviation.
func agreement(values []float64) float64 {
	mean, deviation := moments(values)
	deviation = float64(deviation * math.Sqrt(float64(len(values))))
	switch {
	case deviation == 0:
		return MaxDigits
	case deviation-deviation != 0 || deviation >= math.Abs(mean):
		return 0
	}
	return min(MaxDigits, -crmath.Log10(deviation/math.Abs(mean)))
}

// unstable counts the executions of a comparison, or a conversion to an
// integer, that differ between runs: at least one where the totals differ.
func unstable(runs []*perturb.Record) uint64 {
	n := uint64(0)
	for k := range slots {
		_, _, r, ok := samples(runs, k)
		if ok && slices.ContainsFunc(r, func(v float64) bool { return v != r[0] && v == v }) {
			n++
		}
	}
	for _, rec := range runs[1:] {
		a, b := runs[0], rec
		if n == 0 && a.Count == b.Count && (a.True != b.True || a.Rounded != b.Rounded) {
			n = 1
		}
	}
	return n
}
