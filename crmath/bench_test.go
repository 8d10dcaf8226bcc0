package crmath

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// benchmarks are the functions side by side with package math's. Go has no Exp10.
var benchmarks = []struct {
	name         string
	ours, theirs func(float64) float64
	kind         arguments
}{
	{"Exp", Exp, math.Exp, between(-20, 20)},
	{"Exp2", Exp2, math.Exp2, between(-20, 20)},
	{"Exp10", Exp10, func(x float64) float64 { return math.Pow(10, x) }, between(-20, 20)},
	{"Expm1", Expm1, math.Expm1, between(-2, 2)},
	{"Expm1Small", Expm1, math.Expm1, between(-0x1p-5, 0x1p-5)},
	{"Log", Log, math.Log, between(0, 1000)},
	{"LogNear1", Log, math.Log, between(0.9, 1.1)},
	{"Log2", Log2, math.Log2, between(0, 1000)},
	{"Log10", Log10, math.Log10, between(0, 1000)},
	{"Log1p", Log1p, math.Log1p, between(-0.5, 10)},
	{"Log1pSmall", Log1p, math.Log1p, between(-0x1p-10, 0x1p-10)},
	{"Sin", Sin, math.Sin, between(-10, 10)},
	{"Cos", Cos, math.Cos, between(-10, 10)},
	{"Tan", Tan, math.Tan, between(-10, 10)},
	{"Asin", Asin, math.Asin, between(-1, 1)},
	{"Acos", Acos, math.Acos, between(-1, 1)},
	{"Atan", Atan, math.Atan, between(-10, 10)},
	{"Atan2", func(x float64) float64 { return Atan2(x, 3-x) }, func(x float64) float64 { return math.Atan2(x, 3-x) }, between(-10, 10)},
	{"Pow", func(x float64) float64 { return Pow(x, 10-float64(0.2*x)) }, func(x float64) float64 { return math.Pow(x, 10-float64(0.2*x)) }, between(0, 100)},
	{"PowNear1", func(x float64) float64 { return Pow(x, float64(1000*x)) }, func(x float64) float64 { return math.Pow(x, float64(1000*x)) }, between(0.9, 1.1)},
	{"Sinh", Sinh, math.Sinh, between(-10, 10)},
	{"Cosh", Cosh, math.Cosh, between(-10, 10)},
	{"Tanh", Tanh, math.Tanh, between(-10, 10)},
	{"Asinh", Asinh, math.Asinh, between(-10, 10)},
	{"Acosh", Acosh, math.Acosh, between(1, 10)},
	{"Atanh", Atanh, math.Atanh, between(-1, 1)},
	{"Cbrt", Cbrt, math.Cbrt, between(-100, 100)},
	{"Hypot", func(x float64) float64 { return Hypot(x, 3-x) }, func(x float64) float64 { return math.Hypot(x, 3-x) }, between(-10, 10)},
	{"SinLarge", Sin, math.Sin, between(-1e15, 1e15)},
}

var sink float64

// BenchmarkAgainstMath reports the shortest times of one call, in turns, and their
// ratio.
func BenchmarkAgainstMath(b *testing.B) {
	product, n := 1.0, 0
	for _, f := range benchmarks {
		b.Run("f="+f.name, func(b *testing.B) {
			x := make([]float64, 4096)
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range x {
				x[i] = f.kind(rng)
			}
			loop := func(f func(float64) float64) func() {
				return func() {
					for _, v := range x {
						sink += f(v)
					}
				}
			}
			for b.Loop() {
				t := stopwatch.Minima(100*time.Millisecond, loop(f.ours), loop(f.theirs))
				b.ReportMetric(t[0]/float64(len(x)), "ns/crmath")
				b.ReportMetric(t[1]/float64(len(x)), "ns/math")
				b.ReportMetric(t[0]/t[1], "ratio")
				product, n = product*t[0]/t[1], n+1
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Logf("geometric mean of the ratios: %.3f", math.Pow(product, 1/float64(max(1, n))))
}
