package f32

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// BenchmarkRatio measures each function side by side with float32(math.F(float64(x))), on the same
// arguments: nanoseconds for a call of each, and their ratio; last, the ratios' geometric mean.
func BenchmarkRatio(b *testing.B) {
	sum, n := 0.0, 0
	compare := func(name string, ours, theirs func(x, y float32) float32, x, y []float32) {
		b.Run(name, func(b *testing.B) {
			loop := func(f func(x, y float32) float32) func() {
				return func() {
					s := float32(0)
					for i := range x {
						s += f(x[i], y[i])
					}
					sink = s
				}
			}
			var best []float64
			for b.Loop() {
				best = stopwatch.Minima(200*time.Millisecond, loop(ours), loop(theirs))
			}
			sum, n = sum+math.Log(best[0]/best[1]), n+1
			b.ReportMetric(best[0]/float64(len(x)), "ns/call")
			b.ReportMetric(best[1]/float64(len(x)), "math-ns/call")
			b.ReportMetric(best[0]/best[1], "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float32, 1000), make([]float32, 1000)
	for _, f := range functions {
		for i := range x {
			x[i] = f.typical[0] + rng.Float32()*(f.typical[1]-f.typical[0])
		}
		compare(f.name, func(x, _ float32) float32 { return f.f(x) }, func(x, _ float32) float32 { return float32(f.math(float64(x))) }, x, y)
	}
	for _, f := range binaries {
		for i := range x {
			x[i], y[i] = rng.Float32()*10, rng.Float32()*10
		}
		compare(f.name, f.f, func(x, y float32) float32 { return float32(f.math(float64(x), float64(y))) }, x, y)
	}
	b.Run("mean", func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(math.Exp(sum/float64(n)), "ratio")
		b.ReportMetric(0, "ns/op")
	})
}

var sink float32
