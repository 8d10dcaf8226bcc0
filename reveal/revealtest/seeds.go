package revealtest

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// IsWhole reports whether tests take all their cases, and not the ones for
// every day.
func IsWhole() bool { return os.Getenv("LASTBIT_SWEEP") == "all" }

// Everyday returns the number of seeds of a test, of that many in all: an
// eighth, for every day.
func Everyday(all uint64) uint64 {
	if IsWhole() {
		return all
	}
	return (all + 7) / 8
}

// IsOfToday reports whether the i-th case of a test is one of the fifth for
// every day.
func IsOfToday(i int) bool { return i%5 == 0 || IsWhole() }

// Find reveals a target that can be run.
func Find(t testing.TB, target probe.Target, seed uint64) *reveal.Finding {
	t.Helper()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Wrong fails the test and prints the finding.
func Wrong(t testing.TB, f *reveal.Finding) {
	t.Helper()
	t.Errorf("%s verified=%v calls=%d %s arith=%+v witness=%v warn=%v", f.Verdict, f.Verified,
		f.Calls, f.Traits, f.Arithmetic, f.Witness != nil, f.Warnings)
}

// NeverVerified reveals a function with many seeds, and fails if a finding is
// verified.
func NeverVerified(t testing.TB, seeds uint64, target func() probe.Target) {
	t.Helper()
	for seed := range Everyday(seeds) {
		if f := Find(t, target(), seed); f.Verified {
			t.Errorf("seed %d:", seed)
			Wrong(t, f)
			return
		}
	}
}

// EqualBits compares bits; any NaN equals any other.
func EqualBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
