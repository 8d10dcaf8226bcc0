package f64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// BenchmarkSlices reports the times of an element of a slice, of a call of the
// function and of package math's in a loop, and the last over the first.
func BenchmarkSlices(b *testing.B) {
	const n = 1 << 14
	for _, v := range vectors() {
		report := func(name string, slice, one, theirs func()) {
			b.Run("f="+name+"/kernel="+v.name, func(b *testing.B) {
				for b.Loop() {
					t := stopwatch.Minima(100*time.Millisecond, slice, one, theirs)
					b.ReportMetric(t[0]/n, "ns/slice")
					b.ReportMetric(t[1]/n, "ns/call")
					b.ReportMetric(t[2]/n, "ns/math")
					b.ReportMetric(t[2]/t[0], "times")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
		rng := rand.New(rand.NewPCG(1, 2))
		x, y, dst := make([]float64, n), make([]float64, n), make([]float64, n)
		for _, f := range unaryRows {
			if f.theirs == nil {
				continue
			}
			for i := range x {
				x[i] = f.typical(rng)
			}
			loop := func(f func(float64) float64) func() {
				return func() {
					for i, v := range x {
						dst[i] = f(v)
					}
				}
			}
			report(f.name, func() { vector.Map(f.name, dst, x, f.one, f.kernel(&v)) },
				loop(f.one), loop(f.theirs))
		}
		for _, f := range pairRows {
			for i := range x {
				x[i], y[i] = f.typical(rng)
			}
			loop := func(f func(x, y float64) float64) func() {
				return func() {
					for i, v := range x {
						dst[i] = f(v, y[i])
					}
				}
			}
			report(f.name, func() { vector.Map2(f.name, dst, x, y, f.one, f.kernel(&v)) },
				loop(f.one), loop(f.theirs))
		}
	}
}

// BenchmarkRareSlices reports the times of an element of a slice whose elements
// are all rare cases, of a loop of calls, and the first over the second. Run
// with -benchtime 1x.
func BenchmarkRareSlices(b *testing.B) {
	const n = 1 << 12
	fill := func(v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	report := func(b *testing.B, slice, loop func()) {
		for b.Loop() {
			t := stopwatch.Minima(100*time.Millisecond, slice, loop)
			b.ReportMetric(t[0]/n, "ns/slice")
			b.ReportMetric(t[1]/n, "ns/loop")
			b.ReportMetric(t[0]/t[1], "slice/loop")
		}
		b.ReportMetric(0, "ns/op")
	}
	dst := make([]float64, n)
	for _, f := range unaryRows {
		for _, v := range []float64{0, -1, -50, 5e-324, 1e5, math.Inf(1), math.NaN()} {
			if _, ok := f.lane(v); ok {
				continue
			}
			b.Run(fmt.Sprintf("f=%s/x=%v", f.name, v), func(b *testing.B) {
				x := fill(v)
				report(b, func() { f.slice(dst, x) }, func() {
					for i, v := range x {
						dst[i] = f.one(v)
					}
				})
			})
		}
	}
	for _, c := range [][2]float64{{-2, 2}, {-2, 3}, {0, 2}, {math.NaN(), 2}, {2, 5000}} {
		b.Run(fmt.Sprintf("f=pow/x=%v/y=%v", c[0], c[1]), func(b *testing.B) {
			x, y := fill(c[0]), fill(c[1])
			report(b, func() { PowSlice(dst, x, y) }, func() {
				for i, v := range x {
					dst[i] = powNearest(v, y[i])
				}
			})
		})
	}
}
