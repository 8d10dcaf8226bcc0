package ordered

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

var sink float64

// BenchmarkAgainstPlain prints how many times as long as the sum, or the dot
// product, that promises nothing each takes: minima of turns in one run.
func BenchmarkAgainstPlain(b *testing.B) {
	if !kernel.AVX512.HasPlain() {
		b.Skip("the plain sums are for AVX-512")
	}
	for _, n := range []int{1000, 4096, 1 << 16, 1 << 20, 1 << 24} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = 2*rand.Float64()-1, 2*rand.Float64()-1
		}
		one := func(level kernel.Level, op kernel.OrderedOp) func() {
			return func() {
				if n <= blockSize[float64]() {
					sink = total(level, op, x, y)
				} else {
					sink = large(level, op, x, y, 1, false)
				}
			}
		}
		candidates := []struct {
			unit string
			over int
			f    func()
		}{
			{"plain-sum", 0, func() { sink = kernel.AVX512.PlainSum(x) }},
			{"plain-dot", 1, func() { sink = kernel.AVX512.PlainDot(x, y) }},
			{"plain-sum-AVX2", 0, func() { sink = kernel.AVX2.PlainSum(x) }},
			{"Sum", 0, func() { sink = Sum(x) }},
			{"Sum-one-thread", 0, one(kernel.AVX512, kernel.OrderedSum)},
			{"Sum-AVX2", 0, one(kernel.AVX2, kernel.OrderedSum)},
			{"Sum-generic", 0, one(kernel.Generic, kernel.OrderedSum)},
			{"Asum", 0, func() { sink = Asum(x) }},
			{"Nrm2", 0, func() { sink = Nrm2(x) }},
			{"Dot", 1, func() { sink = Dot(x, y) }},
			{"Dot-one-thread", 1, one(kernel.AVX512, kernel.OrderedDot)},
			{"Dot-AVX2", 1, one(kernel.AVX2, kernel.OrderedDot)},
			{"Dot-generic", 1, one(kernel.Generic, kernel.OrderedDot)},
		}
		b.Run(fmt.Sprintf("n=%d/procs=%d", n, runtime.GOMAXPROCS(0)), func(b *testing.B) {
			var fs []func()
			for _, c := range candidates {
				fs = append(fs, c.f)
			}
			var ns []float64
			for b.Loop() {
				ns = stopwatch.Minima(time.Second, fs...)
			}
			for i, c := range candidates {
				if i == c.over {
					b.ReportMetric(ns[i]/float64(n), "ns/elem:"+c.unit)
				} else {
					b.ReportMetric(ns[i]/ns[c.over], "×:"+c.unit)
				}
			}
		})
	}
}
