//go:build prism

package exactbeam

import (
	"fmt"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
)

func init() { register.Function2x0(count) }

// count emits n numbers.
func count(n int, emit func(float64)) {
	for i := range n {
		emit(float64(i%1_000_003) * 0.37)
	}
}

// BenchmarkSum combines 2·10^7 numbers on prism, which lifts a CombineFn: the
// direct runner collects all elements first. Compare the times for an element
// with each other.
func BenchmarkSum(b *testing.B) {
	const n = 20_000_000
	for _, c := range []struct {
		name string
		sum  func(beam.Scope, beam.PCollection) beam.PCollection
	}{
		{"stats.Sum", stats.Sum}, {"ExactSum", Sum},
		{"stats.Mean", stats.Mean}, {"ExactMean", Mean}, {"ExactVariance", Variance},
	} {
		b.Run(fmt.Sprint(c.name, "/", n), func(b *testing.B) {
			for b.Loop() {
				p, s := beam.NewPipelineWithRoot()
				c.sum(s, beam.ParDo(s, count, beam.Create(s, n)))
				if err := run(p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n/float64(b.N), "ns/element")
		})
	}
}
