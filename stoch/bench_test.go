package stoch_test

import (
	"testing"

	"github.com/lastbit/lastbit/stoch"
)

// The compute-bound programs of [Eberhart2015]: an operation is repeated on
// each element.
const (
	elements = 512
	repeats  = 128
)

func BenchmarkPlainAdd(b *testing.B) {
	x, y := make([]float64, elements), make([]float64, elements)
	for i := range x {
		x[i], y[i] = 1.1, 0.3
	}
	for b.Loop() {
		for i := range x {
			for range repeats {
				x[i] = y[i] + x[i]
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/elements/repeats, "ns/add")
}

func BenchmarkAdd(b *testing.B)   { benchmark(b, 0.3, (*stoch.Arithmetic[float64]).Add) }
func BenchmarkMul(b *testing.B)   { benchmark(b, 0.999, (*stoch.Arithmetic[float64]).Mul) }
func BenchmarkAdd32(b *testing.B) { benchmark(b, 0.3, (*stoch.Arithmetic[float32]).Add) }
func BenchmarkMul32(b *testing.B) { benchmark(b, 0.999, (*stoch.Arithmetic[float32]).Mul) }

func benchmark[T stoch.Float](b *testing.B, v T,
	f func(a *stoch.Arithmetic[T], x, y stoch.Number[T]) stoch.Number[T]) {
	a := stoch.New[T](stoch.Options{})
	x, y := make([]stoch.Number[T], elements), make([]stoch.Number[T], elements)
	for i := range x {
		y[i] = stoch.Of(v)
	}
	for b.Loop() {
		for i := range x {
			x[i] = stoch.Of(1 + T(i)/elements)
			for range repeats {
				x[i] = f(a, y[i], x[i])
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/elements/repeats, "ns/result")
}

func BenchmarkAddSlices(b *testing.B) {
	benchmarkSlices(b, (*stoch.Arithmetic[float64]).AddSlices)
}

func BenchmarkMulSlices(b *testing.B) {
	benchmarkSlices(b, (*stoch.Arithmetic[float64]).MulSlices)
}

func benchmarkSlices(b *testing.B,
	f func(a *stoch.Arithmetic[float64], dst, x, y stoch.Slice[float64])) {
	const n = 512
	a := stoch.New[float64](stoch.Options{Ignore: []stoch.Kind{stoch.Cancellation}})
	x, y, dst := make([]float64, n), make([]float64, n), stoch.MakeSlice[float64](n)
	for i := range x {
		x[i], y[i] = 1+float64(i)/7, 0.3
	}
	u, v := stoch.SliceOf(x), stoch.SliceOf(y)
	for b.Loop() {
		f(a, dst, u, v)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
}
