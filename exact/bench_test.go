package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// budget is for how long the functions of one line take turns.
const budget = 500 * time.Millisecond

// spreadOut draws n numbers from [−1, 1), times powers of two up to 2^±spread.
func spreadOut(rng *rand.Rand, n, spread int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(rng.Float64()*2-1, rng.IntN(2*spread+1)-spread)
	}
	return x
}

// loop is the sum that everybody writes.
func loop(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// plain and plainDot are the fastest that promise nothing, or 0 where there is
// none.
func plain(x []float64) float64 {
	if kernel.AVX512.HasPlain() {
		return kernel.AVX512.PlainSum(x)
	}
	return 0
}

func plainDot(x, y []float64) float64 {
	if kernel.AVX512.HasPlain() {
		return kernel.AVX512.PlainDot(x, y)
	}
	return 0
}

// plainShared is plain on all cores. Memory bounds its speed.
func plainShared(x []float64) float64 {
	n := runtime.GOMAXPROCS(0)
	sums := make([]float64, n)
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() { sums[i] = plain(x[i*len(x)/n : (i+1)*len(x)/n]) })
	}
	done.Wait()
	return loop(sums)
}

// at returns the sum of o with the kernels of one level, on one core.
func at(l kernel.Level, o operand) func() {
	return func() {
		level = l
		var s stream
		s.add(&o)
		sink = sum[float64](&s)
		level = kernel.Best()
	}
}

var sink float64

// BenchmarkRatios holds Sum and Dot against sums that promise nothing, side by
// side: the metrics are ratios of the shortest times.
func BenchmarkRatios(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1 << 10, 1 << 12, 1 << 16, 1 << 20, 1 << 24} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := spreadOut(rng, n, 0), spreadOut(rng, n, 0)
			o := over(values, x, nil)
			for b.Loop() {
				t := stopwatch.Minima(
					budget,
					func() { sink = plain(x) },      // 0
					func() { sink = floats.Sum(x) }, // 1
					func() { sink = loop(x) },       // 2
					func() { sink = Sum(x) },        // 3
					at(kernel.Best(), o),            // 4
					at(kernel.Levels()[len(kernel.Levels())/2], o),
					// 5: AVX2, where there is AVX-512
					at(kernel.Generic, o),            // 6
					func() { sink = plainDot(x, y) }, // 7
					func() { sink = Dot(x, y) },      // 8
					func() { sink = plainShared(x) }, // 9
				)
				b.ReportMetric(t[3]/float64(n), "ns/elem")
				b.ReportMetric(t[3]/t[1], "Sum/gonum")
				b.ReportMetric(t[4]/t[3], "1core/Sum")
				b.ReportMetric(t[6]/t[2], "generic/loop")
				if kernel.AVX512.HasPlain() {
					b.ReportMetric(t[3]/t[0], "Sum/plain")
					b.ReportMetric(t[4]/t[0], "Sum1core/plain")
					b.ReportMetric(t[5]/t[4], "AVX2/AVX512")
					b.ReportMetric(t[8]/t[7], "Dot/plainDot")
					b.ReportMetric(t[3]/t[9], "Sum/plainAllCores")
				}
				b.ReportMetric(0, "ns/op")
			}
		})
	}
	for _, spread := range []int{20, 40, 80, 150, 300, 800, 1000} {
		b.Run(fmt.Sprintf("exponents=±%d/n=%d", spread, 1<<16), func(b *testing.B) {
			u, x := spreadOut(rng, 1<<16, 0), spreadOut(rng, 1<<16, spread)
			for b.Loop() {
				t := stopwatch.Minima(budget, func() { sink = Sum(u) }, func() { sink = Sum(x) })
				b.ReportMetric(t[1]/t[0], "Sum/uniform")
				b.ReportMetric(t[1]/(1<<16), "ns/elem")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
