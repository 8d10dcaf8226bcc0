package digits

import (
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

// TestSingleErrors looks for numbers of 4 to 9 right digits among a thousand
// whose one error all runs share: of two runs a quarter.
func TestSingleErrors(t *testing.T) {
	t.Parallel()
	p := buildProgram(t, "testdata/single")
	for _, runs := range []int{2, DefaultRuns} {
		a, err := Analyze(t.Context(), p, instrument.Input{}, Options{Seed: 1, Runs: runs})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range a.Tokens {
			if *n.Digits > 9 {
				t.Errorf("%d runs: %s has %.1f right digits", runs, n.Plain, *n.Digits)
			}
		}
		if len(a.Seeds) != runs {
			t.Errorf("%d seeds of %d runs", len(a.Seeds), runs)
		}
	}
	a, err := Analyze(t.Context(), p, instrument.Input{Args: []string{"exit"}},
		Options{Seed: 1, Blame: true, Criterion: OtherExit})
	if err != nil || a.OtherExits == 0 || len(a.Blame) == 0 {
		t.Errorf("another exit code: %v, %+v", err, a)
	}
}
