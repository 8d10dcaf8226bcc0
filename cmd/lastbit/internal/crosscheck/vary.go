package crosscheck

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// A variation holds the functions of a test program that differ between its
// runs on one platform.
type variation struct {
	varies map[uint64]bool // with other results for the same arguments
	loose  map[uint64]bool // with other arguments
}

// newVariation compares further runs with the first one. A function with
// several results for the same arguments has to give them in the same order
// every time.
func newVariation(first []entry, others []*result) variation {
	v := variation{map[uint64]bool{}, map[uint64]bool{}}
	var orders map[[2]uint64]order
	for _, r := range others {
		if slices.Equal(r.calls, first) {
			continue
		}
		if orders == nil {
			orders = ordersOf(first)
		}
		for key, o := range ordersOf(r.calls) {
			before, ok := orders[key]
			switch {
			case !ok:
				v.loose[key[0]] = true
			case o.several || before.several: // a run that ended early has fewer
				if r.whole && o.hash != before.hash {
					v.varies[key[0]] = true
				}
			case o.last != before.last:
				v.varies[key[0]] = true
			}
		}
	}
	return v
}

// reference returns the calls of a test program on this machine. What varies on
// another platform varies there, too.
func reference(all []*prepared, pkg string) *known {
	k := all[0].knows(pkg)
	for _, q := range all[1:] {
		if others := q.again[pkg]; len(others) > 0 {
			v := newVariation(q.results[pkg].calls, others)
			maps.Copy(k.varies, v.varies)
			maps.Copy(k.loose, v.loose)
		}
	}
	return k
}

// Numbers of further runs where something differs, on this machine and on the
// platforms that differ. A sum whose order is open may be the same a few times
// by chance.
const (
	repetitions      = 4
	otherRepetitions = 2
)

// repeatDiffering runs the test programs with a difference again, on this
// machine and where they differ.
func (o *Options) repeatDiffering(ctx context.Context, all []*prepared) error {
	differ := map[string]map[*prepared]map[uint64]bool{} // functions
	for _, t := range all[0].programs {
		differ[t.pkg] = differing(all, t.pkg)
	}
	return o.each(ctx, all, false, "running again", func(ctx context.Context, q *prepared) error {
		times := otherRepetitions
		if q == all[0] {
			times = repetitions
		}
		for _, t := range q.programs {
			functions, ok := differ[t.pkg][q]
			if !ok && (q != all[0] || len(differ[t.pkg]) == 0) {
				continue
			}
			for range times {
				if err := o.repeat(ctx, q, t, functions); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// differing returns the platforms that differ from this machine in a test
// program, with the functions that do.
func differing(all []*prepared, pkg string) map[*prepared]map[uint64]bool {
	home := all[0]
	k := home.knows(pkg)
	found := map[*prepared]map[uint64]bool{}
	for _, q := range all[1:] {
		r := q.results[pkg]
		if q.why != "" || r == nil {
			continue
		}
		functions := map[uint64]bool{}
		for f := range k.mismatches(r.calls) {
			functions[f] = true
		}
		if len(functions) > 0 || lineDifference(home.results[pkg].lines, r.lines, nil) != nil {
			found[q] = functions
		}
	}
	return found
}

// repeat runs a test program again and keeps the calls of some functions, or of
// all if these are nil. A run on another platform that takes too long says
// nothing.
func (o *Options) repeat(
	ctx context.Context, q *prepared, t program, functions map[uint64]bool,
) error {
	r, err := o.runTests(ctx, q, t)
	if limit := (*LimitError)(nil); errors.As(err, &limit) && q.name != host().name {
		return nil
	}
	if err != nil {
		return err
	}
	if functions != nil {
		r.calls = slices.Clip(slices.DeleteFunc(r.calls, func(e entry) bool {
			return !functions[e.function]
		}))
	} else {
		o.logs.share(t.pkg, r)
	}
	q.again[t.pkg] = append(q.again[t.pkg], r)
	delete(q.known, t.pkg)
	return nil
}

// varyingShapes returns the shapes of lines that differ between the runs on one
// platform.
func varyingShapes(all []*prepared, pkg string) map[string]bool {
	found := map[string]bool{}
	for _, q := range all {
		for _, r := range q.again[pkg] {
			first := q.results[pkg].lines
			for _, l := range append(except(first, r.lines), except(r.lines, first)...) {
				found[shape(l)] = true
			}
		}
	}
	return found
}

// isUnstable reports whether the results that were shown are the same on all
// platforms: then the function varies by itself, and one run or another was in
// the way of the comparison. Values that are shown in part prove nothing.
func (d *Difference) isUnstable(home string) bool {
	here := d.Results[home]
	if d.Function == "" || d.OtherArguments || len(here) == 0 || len(d.Results) < 2 {
		return false
	}
	for _, there := range d.Results {
		if !slices.Equal(here, there) {
			return false
		}
	}
	return !slices.ContainsFunc(here, func(v Value) bool {
		return strings.Contains(v.Text, "…") || strings.Contains(v.Text, "map[")
	})
}
