package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// TestScaleFar compares scaleFar with the accurate path, in every direction, on
// exponentials from below the smallest number to beyond the largest. It has to
// decide nearly all of them.
func TestScaleFar(t *testing.T) {
	t.Parallel()
	rng := args.Generator("scaleFar")
	const n = 20_000
	undecided := 0
	for i := range n {
		x := args.Between(-746, -706)(rng)
		switch i % 4 {
		case 0:
			x = args.Between(707, 710)(rng)
		case 1:
			x = float64(-1022-rng.IntN(54))*math.Ln2 + args.Between(-0x1p-10, 0x1p-10)(rng)
		}
		k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
		hi, lo := expReduced(k, rh, rl)
		for _, m := range append(directions, fp.NearestEven) {
			got, ok := scaleFar(hi, lo, expErr, k, m)
			if !ok {
				undecided++
			} else if want := wide.Exp.Rounded(x, 0, m); !args.Identical(got, want) {
				t.Fatalf("e^%x, %v: %x, want %x", x, m, got, want)
			}
		}
	}
	if undecided > 5*n/1000 {
		t.Errorf("%d of %d results are undecided", undecided, 5*n)
	}
}
