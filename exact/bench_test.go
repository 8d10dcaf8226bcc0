package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// uniform draws n numbers from [−1, 1), times powers of two up to 2^±spread.
func uniform(rng *rand.Rand, n, spread int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(rng.Float64()*2-1, rng.IntN(2*spread+1)-spread)
	}
	return x
}

// BenchmarkRatios holds sums against those that promise nothing, in one run.
func BenchmarkRatios(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const budget = 300 * time.Millisecond
	var sink float64
	loop := func(x []float64) (s float64) {
		for _, v := range x {
			s += v
		}
		return s
	}
	for _, n := range []int{1024, 4096, 1 << 16, 1 << 20, 1 << 24} {
		b.Run(fmt.Sprintf("sum/n=%d", n), func(b *testing.B) {
			x, y := uniform(rng, n, 0), uniform(rng, n, 0)
			for b.Loop() {
				t := stopwatch.Minima(budget,
					func() { sink = kernel.PlainSumAVX512(x) },
					func() { sink = floats.Sum(x) },
					func() { sink = loop(x) },
					func() { sink = Sum(x) },
					func() { level = kernel.AVX2; sink = Sum(x); level = kernel.Best() },
					func() { level = kernel.Generic; sink = Sum(x); level = kernel.Best() },
					func() { sink = kernel.PlainDotAVX512(x, y) },
					func() { sink = Dot(x, y) },
				)
				b.ReportMetric(t[3]/float64(n), "ns/elem")
				b.ReportMetric(t[3]/t[0], "×plain")
				b.ReportMetric(t[3]/t[1], "×gonum")
				b.ReportMetric(t[4]/t[3], "AVX2/AVX512")
				b.ReportMetric(t[5]/t[2], "generic/loop")
				b.ReportMetric(t[7]/t[6], "dot×plain")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
	for _, spread := range []int{0, 20, 40, 80, 150, 300, 800, 1000} {
		b.Run(fmt.Sprintf("spread/±%d", spread), func(b *testing.B) {
			u, x := uniform(rng, 1<<16, 0), uniform(rng, 1<<16, spread)
			for b.Loop() {
				t := stopwatch.Minima(budget, func() { sink = Sum(u) }, func() { sink = Sum(x) })
				b.ReportMetric(t[1]/t[0], "×uniform")
				b.ReportMetric(t[1]/(1<<16), "ns/elem")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
	_ = sink
}
