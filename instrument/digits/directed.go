package digits

import (
	"slices"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// addDirected adds the runs whose results are all rounded away from 0, and all
// toward 0, if they change a word, a number or the exit code that no run with
// random rounding changes: a few coins can all fall as the program rounds. No
// single error is the same in both, and -x still has the opposite errors of x.
// A program that rounding errors keep from ending is not run again.
func (a *analysis) addDirected(
	found *Analysis, outputs []*instrument.Output,
) ([]*instrument.Output, error) {
	if a.options.Mode.Rounding != perturb.Random || len(outputs) < 2 || found.Stopped > 0 {
		return outputs, nil
	}
	seeds := []uint64{perturb.Away, perturb.Toward}
	runs, err := a.perturbed(seeds, instrument.Settings{Profile: true})
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(runs, func(o *instrument.Output) bool { return o.Stopped }) {
		return outputs, nil
	}
	isNew := a.exits(runs) && !a.exits(outputs)
	for i, t := range compareBy(a.plain.Stdout, stdouts(runs), typical) {
		if t.hasChanged() && !found.Tokens[i].hasChanged() {
			found.Tokens[i], isNew = t, true
		}
	}
	if isNew {
		a.seeds = slices.Concat(a.seeds, seeds)
		outputs = slices.Concat(outputs, runs)
	}
	return outputs, nil
}

// hasChanged reports whether a run printed something else in the place of a
// token.
func (t Token) hasChanged() bool {
	return t.Differs || t.changes || t.Digits != nil && (*t.Digits < t.limit || t.Shown != t.Plain)
}

// otherExits counts the runs that end with another exit code than the program
// itself, 0 where that changes without random rounding, too.
func (a *analysis) otherExits(outputs, again []*instrument.Output) (n int) {
	if a.exits(again) {
		return 0
	}
	for _, o := range outputs {
		if !o.Stopped && o.Exit != a.plain.Exit {
			n++
		}
	}
	return n
}
