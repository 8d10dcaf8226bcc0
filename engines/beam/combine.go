package exactbeam

import (
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/lastbit/lastbit/exact"
)

func init() {
	register.Combiner3[*exact.Accumulator, float64, float64](&ExactSum{})
	register.Combiner3[*exact.Accumulator, float64, float64](&ExactMean{})
	register.Combiner3[*exact.Accumulator, float64, []byte](&ExactState{})
	register.Combiner3[*exact.Accumulator, Pair, float64](&ExactDot{})
	register.Combiner3[*squares, float64, float64](&ExactVariance{})
}

// ExactSum is the CombineFn of Σ x: float64 to float64.
type ExactSum struct{ accumulation }

// ExtractOutput returns the sum, rounded once.
func (ExactSum) ExtractOutput(a *exact.Accumulator) float64 { return a.Float64() }

// ExactMean is the CombineFn of Σ x / n: float64 to float64.
type ExactMean struct{ accumulation }

// ExtractOutput returns the mean, rounded once.
func (ExactMean) ExtractOutput(a *exact.Accumulator) float64 { return a.Mean() }

// ExactState is the CombineFn of Σ x before it is rounded: float64 to []byte.
type ExactState struct{ accumulation }

// ExtractOutput returns the canonical bytes of the state.
func (ExactState) ExtractOutput(a *exact.Accumulator) []byte {
	b, _ := a.MarshalBinary() // its error is nil
	return b
}

// accumulation holds the steps that sums of numbers have in common.
type accumulation struct{}

// CreateAccumulator returns the empty sum.
func (accumulation) CreateAccumulator() *exact.Accumulator { return new(exact.Accumulator) }

// AddInput adds x.
func (accumulation) AddInput(a *exact.Accumulator, x float64) *exact.Accumulator {
	a.Add(x)
	return a
}

// MergeAccumulators adds b to a.
func (accumulation) MergeAccumulators(a, b *exact.Accumulator) *exact.Accumulator {
	a.Merge(b)
	return a
}

// A Pair holds the two factors of a product.
type Pair struct{ X, Y float64 }

// ExactDot is the CombineFn of Σ x·y, of exact products: Pair to float64.
type ExactDot struct{ accumulation }

// AddInput adds the product of p, unrounded.
func (ExactDot) AddInput(a *exact.Accumulator, p Pair) *exact.Accumulator {
	a.AddProduct(p.X, p.Y)
	return a
}

// ExtractOutput returns the sum of the products, rounded once.
func (ExactDot) ExtractOutput(a *exact.Accumulator) float64 { return a.Float64() }

// ExactVariance is the CombineFn of the unbiased variance of a sample, Σ (x −
// µ)² / (n − 1), or of the variance of a population: float64 to float64. It is
// NaN for a number that is not finite, and for too few numbers.
type ExactVariance struct {
	Population bool // divide by n
}

// CreateAccumulator returns the sums of no numbers.
func (*ExactVariance) CreateAccumulator() *squares { return new(squares) }

// AddInput adds x.
func (*ExactVariance) AddInput(s *squares, x float64) *squares {
	s.x.Add(x)
	s.xx.AddProduct(x, x)
	return s
}

// MergeAccumulators adds b to a.
func (*ExactVariance) MergeAccumulators(a, b *squares) *squares {
	a.x.Merge(&b.x)
	a.xx.Merge(&b.xx)
	return a
}

// ExtractOutput returns the variance, rounded once.
func (v *ExactVariance) ExtractOutput(s *squares) float64 {
	if s.x.Count() == 0 {
		return math.NaN()
	}
	if v.Population {
		return exact.VarianceOf[float64](&s.x, &s.xx, 0)
	}
	return exact.VarianceOf[float64](&s.x, &s.xx, 1)
}

// Sum returns the sum of a PCollection<float64>.
func Sum(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.Combine(s.Scope("exact.Sum"), &ExactSum{}, col)
}

// SumPerKey returns the sum of each key of a PCollection<KV<K,float64>>.
func SumPerKey(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.CombinePerKey(s.Scope("exact.SumPerKey"), &ExactSum{}, col)
}

// Mean returns the mean of a PCollection<float64>.
func Mean(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.Combine(s.Scope("exact.Mean"), &ExactMean{}, col)
}

// MeanPerKey returns the mean of each key of a PCollection<KV<K,float64>>.
func MeanPerKey(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.CombinePerKey(s.Scope("exact.MeanPerKey"), &ExactMean{}, col)
}

// Dot returns the sum of the products of a PCollection<Pair>.
func Dot(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.Combine(s.Scope("exact.Dot"), &ExactDot{}, col)
}

// DotPerKey returns the sum of the products of each key of a
// PCollection<KV<K,Pair>>.
func DotPerKey(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.CombinePerKey(s.Scope("exact.DotPerKey"), &ExactDot{}, col)
}

// Variance returns the variance of the sample in a PCollection<float64>.
func Variance(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.Combine(s.Scope("exact.Variance"), &ExactVariance{}, col)
}

// VariancePerKey returns the variance of the sample of each key of a
// PCollection<KV<K,float64>>.
func VariancePerKey(s beam.Scope, col beam.PCollection) beam.PCollection {
	return beam.CombinePerKey(s.Scope("exact.VariancePerKey"), &ExactVariance{}, col)
}
