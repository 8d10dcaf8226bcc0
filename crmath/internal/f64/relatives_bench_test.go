package f64

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// withN returns f of an integer that changes from call to call, from 2 to 17.
func withN(f intFunction) directedFunction {
	i := 0
	return func(x float64, m fp.Mode) float64 {
		i++
		return f(x, 2+i%16, m)
	}
}

// BenchmarkRelatives reports the shortest times of one call, in turns, of
// functions that package math lacks, and of a function of the same kind, each
// on typical arguments, and their ratio. Run with -benchtime 1x.
func BenchmarkRelatives(b *testing.B) {
	for _, c := range []struct {
		name   string
		f      directedFunction
		kind   args.Kind
		g      directedFunction
		gTakes args.Kind
	}{
		{"exp2m1/expm1", Exp2m1, args.Between(-2, 2), Expm1, args.Between(-2, 2)},
		{"exp10m1/expm1", Exp10m1, args.Between(-2, 2), Expm1, args.Between(-2, 2)},
		{"log2p1/log1p", Log2p1, args.Between(0, 10), Log1p, args.Between(0, 10)},
		{"log10p1/log1p", Log10p1, args.Between(0, 10), Log1p, args.Between(0, 10)},
		{"sinpi/sin", Sinpi, args.Between(-10, 10), Sin, args.Between(-10, 10)},
		{"cospi/cos", Cospi, args.Between(-10, 10), Cos, args.Between(-10, 10)},
		{"tanpi/tan", Tanpi, args.Between(-10, 10), Tan, args.Between(-10, 10)},
		{"asinpi/asin", Asinpi, args.Between(-1, 1), Asin, args.Between(-1, 1)},
		{"acospi/acos", Acospi, args.Between(-1, 1), Acos, args.Between(-1, 1)},
		{"atanpi/atan", Atanpi, args.Between(-10, 10), Atan, args.Between(-10, 10)},
		{"rsqrt/cbrt", Rsqrt, args.Between(0, 100), Cbrt, args.Between(0, 100)},
		{"pown/pow", withN(Pown), args.Between(0, 10),
			func(x float64, m fp.Mode) float64 { return Pow(x, 3.5, m) }, args.Between(0, 10)},
		{"compound/pow", withN(Compound), args.Between(-0.1, 0.1),
			func(x float64, m fp.Mode) float64 { return Pow(x, 3.5, m) }, args.Between(0, 10)},
		{"rootn/pow", withN(Rootn), args.Between(0, 10),
			func(x float64, m fp.Mode) float64 { return Pow(x, 3.5, m) }, args.Between(0, 10)},
	} {
		b.Run("f="+c.name, func(b *testing.B) {
			const size = 1 << 16
			loop := func(f directedFunction, kind args.Kind) func() {
				x := make([]float64, size)
				rng := rand.New(rand.NewPCG(1, 2))
				for i := range x {
					x[i] = kind(rng)
				}
				return func() {
					for _, v := range x {
						sink += f(v, fp.NearestEven)
					}
				}
			}
			for b.Loop() {
				t := stopwatch.Minima(100*time.Millisecond, loop(c.f, c.kind), loop(c.g, c.gTakes))
				b.ReportMetric(t[0]/size, "ns/new")
				b.ReportMetric(t[1]/size, "ns/relative")
				b.ReportMetric(t[0]/t[1], "ratio")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
