package exact

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// BenchmarkStatistics holds statistics against Sum, side by side: the metrics
// are ratios of the shortest times.
func BenchmarkStatistics(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1 << 10, 1 << 12, 1 << 16, 1 << 20} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := spreadOut(rng, n, 0), spreadOut(rng, n, 0)
			var m Moments
			var c Pairs
			var e Extrema
			for b.Loop() {
				t := stopwatch.Minima(budget,
					func() { sink = Sum(x) },
					func() { sink = Mean(x, nil) },
					func() { sink = Variance(x, nil) },
					func() { sink = Variance(x, y) },
					func() { m.AddSlice(x) },
					func() { c.AddSlice(x, y) },
					func() { e.AddSlice(x) },
				)
				for i, name := range []string{"Mean", "Variance", "weightedVariance", "Moments",
					"Covariance", "Extrema"} {
					b.ReportMetric(t[i+1]/t[0], name+"/Sum")
				}
				b.ReportMetric(t[0]/float64(n), "ns/elem")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// BenchmarkReading reads the statistics that take integers of any length.
func BenchmarkReading(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var m Moments
	var c Pairs
	m.AddSlice(spreadOut(rng, 1000, 300))
	c.AddSlice(spreadOut(rng, 1000, 300), spreadOut(rng, 1000, 300))
	for name, read := range map[string]func() float64{
		"Mean": m.Mean, "Variance": m.Variance, "StdDev": m.StdDev, "Skew": m.Skew,
		"ExKurtosis": m.ExKurtosis,
		"Slope":      c.Slope, "Correlation": c.Correlation,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				sink = read()
			}
		})
	}
}
