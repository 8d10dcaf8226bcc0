// Package revealtest checks findings of package reveal: the real tree with a
// replay that gives the implementation's own bits, or a true refusal with a
// witness. Only tests import it.
package revealtest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// Must reveals target and demands a verified tree, the one given unless it is
// nil.
func Must(
	t testing.TB, target probe.Target, opt reveal.Options, want *sumtree.Tree,
) *reveal.Finding {
	t.Helper()
	f, err := reveal.Reveal(context.Background(), target, opt)
	if err != nil {
		t.Fatalf("%s: %v", target.Key(), err)
	}
	if f.Verdict != reveal.TreeVerdict || !f.Verified {
		t.Fatalf(
			"%s by %s: verdict %s, verified %v, %d of %d replays, %s, warnings %v, want %.200s",
			target.Key(), f.Algorithm, f.Verdict, f.Verified, f.Evidence.ReplayMatched,
			f.Evidence.ReplayTried, shows(f), f.Warnings, want)
	}
	if want != nil && !f.Tree.Equal(want) {
		t.Fatalf("%s by %s: revealed %.300s\nwant %.300s", target.Key(), f.Algorithm, f.Tree, want)
	}
	return f
}

// shows returns the text of a finding's witness.
func shows(f *reveal.Finding) string {
	if f.Witness == nil {
		return "no witness"
	}
	return f.Witness.What
}

// Replays demands that the finding's tree and arithmetic give the bits of the
// target on fresh random inputs.
func Replays(t testing.TB, target probe.Target, f *reveal.Finding, inputs int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(f.Key.N), 99))
	r, err := sumtree.NewReplayer(f.Tree, *f.Arithmetic)
	if err != nil {
		t.Fatal(err)
	}
	b := probe.NewBatch(target)
	lane := 0
	if target.Lanes() > 1 && len(f.Key.OutIndex) > 0 {
		lane = f.Key.OutIndex[0]
	}
	row := b.X[lane*f.Key.N : (lane+1)*f.Key.N]
	for k := range inputs {
		for i := range row {
			//lastbit:ignore libm random inputs
			row[i] = f.Key.DType.Round(rng.NormFloat64()*math.Exp2(float64(rng.IntN(1+k%8))),
				fp.NearestEven)
		}
		for i := range b.Y {
			//lastbit:ignore libm random inputs
			b.Y[i] = f.Key.DType.Round(rng.NormFloat64(), fp.NearestEven)
		}
		if err := target.Call(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		want, err := r.Sum(row, b.Y)
		//lastbit:ignore nankey the bits themselves are compared
		if err != nil || math.Float64bits(want) != math.Float64bits(b.Out[lane]) {
			t.Errorf("%s: input %d: replay %v, implementation %v (%v)",
				f.Key, k, want, b.Out[lane], err)
			return
		}
	}
}

// Refuses demands the verdict of a case, with a witness; for an implementation
// that cannot be run, a Fault.
func Refuses(t testing.TB, c probetest.Case, opt reveal.Options) {
	t.Helper()
	f, err := reveal.Reveal(context.Background(), c.Target, opt)
	var fault *probe.Fault
	switch {
	case err != nil && c.Want == "error" && errors.As(err, &fault):
	case err != nil:
		t.Errorf("%s: error %v, want %s", c.Name, err, c.Want)
	case !c.Accepts(string(f.Verdict)):
		t.Errorf("%s: verdict %s (verified %v, by %s, warnings %v), want %s", c.Name, f.Verdict,
			f.Verified, f.Algorithm, f.Warnings, c.Want)
	case f.Verdict == reveal.TreeVerdict && f.Verified:
		t.Errorf("%s: a verified tree", c.Name)
	case f.Verdict != reveal.Exact && f.Witness == nil:
		t.Errorf("%s: no witness", c.Name)
	}
}
