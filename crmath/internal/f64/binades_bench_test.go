package f64

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkBinades reports the median over all binades of the time of a call,
// and the longest: the mean time of the arguments of a binade, where the result
// is a number, in the shortest of some repetitions. Run with -benchtime 1x.
func BenchmarkBinades(b *testing.B) {
	for _, f := range benchmarks {
		b.Run("f="+f.name, func(b *testing.B) {
			for b.Loop() {
				var all []float64
				longest, at := 0.0, 0.0
				rng := rand.New(rand.NewPCG(1, 2))
				for exponent := -1074; exponent < 1024; exponent++ {
					for _, sign := range []float64{1, -1} {
						x := binade(rng, f.ours, exponent, sign)
						if len(x) == 0 {
							continue
						}
						t := shortest(f.ours, x)
						if t > longest {
							longest, at = t, x[0]
						}
						all = append(all, t)
					}
				}
				slices.Sort(all)
				median := all[len(all)/2]
				b.ReportMetric(median, "ns/median")
				b.ReportMetric(longest, "ns/longest")
				b.ReportMetric(longest/median, "ratio")
				b.Logf("%s: longest next to %x", f.name, at)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// binade draws arguments of one binade and sign whose results are numbers.
func binade(rng *rand.Rand, f func(float64) float64, exponent int, sign float64) (all []float64) {
	for range 256 {
		x := sign * math.Ldexp(1+rng.Float64(), exponent)
		if y := f(x); y == y {
			all = append(all, x)
		}
	}
	return all
}

// shortest returns the mean time of a call, in nanoseconds, in the fastest of
// eight rounds.
func shortest(f func(float64) float64, x []float64) float64 {
	t := math.Inf(1)
	for range 8 {
		begin := time.Now()
		for _, v := range x {
			sink += f(v)
		}
		t = min(t, float64(time.Since(begin))/float64(len(x)))
	}
	return t
}
