package f64

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
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

// TestEnds compares functions with MPFR where results are subnormal, or where
// arguments are so small that the function is a multiple of them.
func TestEnds(t *testing.T) {
	n := args.SampleSize(t) / 40
	tinyOnes := slices.Clip([]args.Kind{args.Magnitudes(-1074, -1000),
		args.Magnitudes(-1000, -190)})
	for name, c := range map[string]struct {
		f     directedFunction
		n     int
		kinds []args.Kind
	}{
		"exp2m1":  {Exp2m1, n, append(tinyOnes, args.Between(1021, 1025))},
		"exp10m1": {Exp10m1, n, append(tinyOnes, args.Between(306, 309))},
		"log2p1":  {Log2p1, n, tinyOnes}, "log10p1": {Log10p1, n, tinyOnes},
		"sinpi": {Sinpi, n, tinyOnes}, "tanpi": {Tanpi, n, tinyOnes},
		"asinpi": {Asinpi, n, tinyOnes}, "atanpi": {Atanpi, n, tinyOnes},
		"erf": {Erf, n, tinyOnes},
		"erfc": {Erfc, n / 10, []args.Kind{args.Between(26.4, 27.3),
			args.Between(27.1, 27.26)}},
		"gamma": {Gamma, n / 10, []args.Kind{args.Between(-187, -169),
			args.Between(171.5, 172), args.Magnitudes(-1025, -1019)}},
		"rec_sqrt": {Rsqrt, n, []args.Kind{args.Positive(args.Magnitudes(-1074, -890))}},
		"sqrt": {func(x float64, m fp.Mode) float64 { return Rootn(x, 2, m) }, n,
			[]args.Kind{args.Positive(args.Magnitudes(-1074, -1015))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sampleInEveryMode(t, name, c.n, c.f, c.kinds...)
		})
	}
	t.Run("pow", func(t *testing.T) {
		t.Parallel()
		pairsInEveryMode(t, "pow", n, Pow, both(args.Positive(args.Magnitudes(-1074, 1024)),
			args.Magnitudes(-1074, -40)))
	})
	t.Run("atan2", func(t *testing.T) {
		t.Parallel()
		pairsInEveryMode(t, "atan2", n, Atan2,
			both(args.Magnitudes(-1074, 1024), args.Magnitudes(-1074, 1024)),
			both(args.Magnitudes(-1074, -900), args.Magnitudes(-10, 170)),
			both(args.Multiples(0x1p-1074, 1<<20), args.Multiples(1, 1<<12)),
			both(args.Magnitudes(-170, -150), args.Magnitudes(150, 170)))
	})
}

// pairsInEveryMode is sampleInEveryMode for two arguments.
func pairsInEveryMode(t *testing.T, name string, n int, f directedPair, kinds ...pairs) {
	t.Helper()
	correct := oracle.Rounded2(t, name)
	rng := args.Generator(name)
	for i := range n {
		x, y := kinds[i%len(kinds)](rng)
		compareModes2(t, name, f, correct, x, y, fp.NearestEven,
			directions[rng.IntN(len(directions))])
	}
}
