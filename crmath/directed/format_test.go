package directed_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/fp"
)

// TestIn compares results in shorter formats with MPFR's, in every direction.
func TestIn(t *testing.T) {
	t.Parallel()
	for _, format := range []fp.Format{fp.Binary32, fp.Binary16, fp.BFloat16} {
		for _, f := range functions {
			correct := oracle.In(t, f.name, format)
			rng := args.Generator(f.name + format.String())
			for i := range 500 {
				x := format.Round(f.kinds()[i%len(f.kinds())](rng), fp.NearestEven)
				if x == 0 || math.IsInf(x, -1) {
					continue // IEEE 754 and package math differ from MPFR
				}
				for m := fp.NearestEven; m <= fp.ToOdd; m++ {
					got, want := directed.In(format, f.f, x, m), correct(x, m)
					if !args.Identical(got, want) {
						t.Fatalf("%s(%x) in %v, %v: %x, want %x", f.name, x, format, m, got, want)
					}
				}
			}
		}
	}
}
