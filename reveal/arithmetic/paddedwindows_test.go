package arithmetic_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestPaddedWindows holds the dot product of XLA for processors: rounded
// products, in windows of 32 that are padded with zeros on both sides, each
// begun with +0, as is the sum of the windows. Results are flushed if they
// would be tiny with any exponent, as on x86.
func TestPaddedWindows(t *testing.T) {
	t.Parallel()
	for _, n := range []int{64, 129, 300} {
		target := revealtest.Dot(n, fp.Binary32, func(x, y []float64) float64 {
			var sum float64
			for at := -((32 - n%32) % 32 / 2); at < n; at += 32 {
				var window float64
				for i := at; i < at+32; i++ {
					p := 0.0
					if i >= 0 && i < n {
						p = tinyAfter(flushed(x[i]) * flushed(y[i]))
					}
					window = tinyAfter(window + p)
				}
				sum = tinyAfter(sum + window)
			}
			return sum
		})
		got := revealtest.Find(t, target, 1)
		if !got.Verified {
			t.Errorf("n = %d", n)
			revealtest.Wrong(t, got)
			continue
		}
		if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}

// tinyAfter rounds to float32, and flushes what is below the least normal
// number after it is rounded with any exponent.
func tinyAfter(v float64) float64 {
	m, e := math.Frexp(v)
	if math.Abs(math.Ldexp(math.RoundToEven(m*(1<<24)), e-24)) < fp.Binary32.MinNormal() {
		return math.Copysign(0, v)
	}
	return fp.Binary32.Round(v, fp.NearestEven)
}
