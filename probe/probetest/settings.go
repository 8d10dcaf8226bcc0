package probetest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// BLASCores returns the names of kernels of OpenBLAS, as values of
// OPENBLAS_CORETYPE. A processor runs the kernels whose instructions it has.
func BLASCores() []string {
	return []string{
		"Haswell", "Nehalem", "Prescott", "SkylakeX", "Zen",
		"NEOVERSEN1", "THUNDERX2T99", "ARMV8",
	}
}

// DifferingSetting returns the first of several settings where two variants of
// a target give different bits for the same summands, and whether there is one.
// A setting with a variant that does not open or answer counts as none: its
// kernels are not for this processor.
func DifferingSetting(t testing.TB, settings []string,
	open func(setting string, variant int) (probe.Target, error)) (string, bool) {
	t.Helper()
	for _, setting := range settings {
		var results [2][]float64
		for variant := range results {
			target, err := open(setting, variant)
			if err == nil {
				results[variant], err = normalSums(t, target)
				target.Close()
			}
			if err != nil {
				t.Logf("%s, variant %d: %v", setting, variant, err)
			}
		}
		same := func(x, y float64) bool { return x == y }
		if results[0] != nil && results[1] != nil &&
			!slices.EqualFunc(results[0], results[1], same) {
			return setting, true
		}
	}
	return "", false
}

// normalSums returns the results of some calls with N(0,1) summands.
func normalSums(t testing.TB, target probe.Target) ([]float64, error) {
	rng := rand.New(rand.NewPCG(5, 6))
	b := probe.NewBatch(target)
	var results []float64
	for range 4 {
		for _, operand := range [][]float64{b.X, b.Y} {
			for i := range operand {
				//lastbit:ignore libm inputs need no last bit
				operand[i] = target.Key().DType.Round(rng.NormFloat64(), fp.NearestEven)
			}
		}
		if err := target.Call(t.Context(), b); err != nil {
			return nil, err
		}
		results = append(results, b.Out...)
	}
	return results, nil
}
