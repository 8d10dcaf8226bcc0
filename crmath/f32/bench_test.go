package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// BenchmarkRatio measures each function side by side with
// float32(math.F(float64(x))), on the same arguments: nanoseconds for a call of
// each, and their ratio; last, the ratios' geometric mean and the largest. The
// arguments are so few that a branch predictor learns them, and many; from the
// typical range, near 0, log-uniform and of any finite bits. Run with
// -benchtime 1x.
func BenchmarkRatio(b *testing.B) {
	for _, size := range []int{1 << 12, 1 << 16} {
		sum, n, worst, at := 0.0, 0, 0.0, ""
		compare := func(name, kind string, ours, theirs func(x, y float32) float32, x,
			y []float32) {
			b.Run(fmt.Sprintf("n=%d/f=%s/x=%s", size, name, kind), func(b *testing.B) {
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
					best = stopwatch.Minima(50*time.Millisecond, loop(ours), loop(theirs))
				}
				ratio := best[0] / best[1]
				if sum, n = sum+math.Log(ratio), n+1; ratio > worst {
					worst, at = ratio, name+", "+kind
				}
				b.ReportMetric(best[0]/float64(len(x)), "ns/call")
				b.ReportMetric(best[1]/float64(len(x)), "math-ns/call")
				b.ReportMetric(ratio, "ratio")
				b.ReportMetric(0, "ns/op")
			})
		}
		rng := rand.New(rand.NewPCG(1, 2))
		x, y := make([]float32, size), make([]float32, size)
		for _, f := range functions {
			if f.math == nil {
				continue
			}
			in := func(x float32) bool { y := f.math(float64(x)); return y-y == 0 }
			for _, k := range []struct {
				name string
				draw func() float32
			}{
				{"typical",
					func() float32 {
						return f.typical[0] +
							rng.Float32()*(f.typical[1]-f.typical[0])
					}},
				{"±1", func() float32 { return 2*rng.Float32() - 1 }},
				{"octaves", func() float32 {
					return float32(math.Copysign(math.Ldexp(1+rng.Float64(), rng.IntN(24)-20),
						rng.Float64()-0.5))
				}},
				{"any", func() float32 { return math.Float32frombits(rng.Uint32()) }},
			} {
				for i := range x {
					for x[i] = k.draw(); !in(x[i]); x[i] = k.draw() {
						if f.name == "acosh" && k.name == "±1" { // its domain begins there
							x[i] = 1 + rng.Float32()
							break
						}
					}
				}
				compare(f.name, k.name, func(x, _ float32) float32 { return f.f(x) },
					func(x, _ float32) float32 { return float32(f.math(float64(x))) }, x, y)
			}
		}
		for _, f := range binaries {
			for i := range x {
				x[i], y[i] = rng.Float32()*10, rng.Float32()*10
			}
			compare(f.name, "typical", f.f,
				func(x, y float32) float32 { return float32(f.math(float64(x), float64(y))) }, x, y)
		}
		b.Logf("%d arguments: geometric mean of the ratios %.3f, the largest %.3f (%s)", size,
			math.Exp(sum/float64(max(1, n))), worst, at)
	}
}

var sink float32
