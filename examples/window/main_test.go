package main

import (
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

// TestGolden prints one line for any number of numbers that pass.
func TestGolden(t *testing.T) {
	const golden = "6716e0323856e465"
	for _, n := range []string{"1", "99", "100", "10000"} {
		var out strings.Builder
		err := run([]string{"-width", "100", "-n", n}, &out)
		if err != nil || !strings.HasPrefix(out.String(), golden+" ") {
			t.Errorf("-n %s: %q (%v), want hash %s", n, out.String(), err, golden)
		}
	}
}

// TestDrift shows the need: neither sum in float64 returns to its bits, and
// Kahan's is the better one.
func TestDrift(t *testing.T) {
	random := demo.Random(1)
	first := amounts(random, 100)
	var w window
	for _, x := range first {
		w.insert(x)
	}
	start := w
	w.pass(first, amounts(random, 100_000))
	plain, kahan := math.Abs(w.plain-start.plain), math.Abs(w.kahan.sum-start.kahan.sum)
	t.Logf("drift: %g, and %g compensated", plain, kahan)
	if plain == 0 || kahan == 0 || kahan >= plain {
		t.Errorf("the drift is %g, and %g compensated: the numbers prove nothing", plain, kahan)
	}
	if w.exact.Digest() != start.exact.Digest() || w.exact.Float64() != exact.Sum(first) {
		t.Error("the exact sum has drifted, too")
	}
}

// TestInfinity lets infinities and a NaN pass: only the exact sum forgets them.
func TestInfinity(t *testing.T) {
	first := []float64{1, 2, 3}
	var w window
	for _, x := range first {
		w.insert(x)
	}
	w.pass(first, []float64{math.Inf(1), 5, math.NaN(), math.Inf(-1), 7})
	if got := w.exact.Float64(); got != 6 {
		t.Errorf("the exact sum is %g, want 6", got)
	}
	if !math.IsNaN(w.plain) || !math.IsNaN(w.kahan.sum) {
		t.Errorf("the other sums are %g and %g, want NaN", w.plain, w.kahan.sum)
	}
}

func TestFlags(t *testing.T) {
	const want = "window: -width 0: it must be from 1 to 1000000; window -h lists the flags"
	if err := run([]string{"-width", "0"}, t.Output()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
