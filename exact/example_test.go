package exact_test

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/exact"
)

func ExampleSum() {
	fmt.Println(exact.Sum([]float64{1e300, 1, -1e300}))
	fmt.Println(exact.Sum([]float64{0.1, 0.2, 0.3})) // a loop returns 0.6000000000000001
	// Output:
	// 1
	// 0.6
}

// A float32 sum is rounded once, from the exact sum.
func ExampleSum_float32() {
	fmt.Println(exact.Sum([]float32{1e38, 3e38, -3e38}))
	// Output: 1e+38
}

func ExampleAsum() {
	fmt.Println(exact.Asum([]float64{0.1, -0.2, 0.3}))
	// Output: 0.6
}

func ExampleDot() {
	x := []float64{1e200, 3, 1e200}
	y := []float64{1e200, 5, -1e200}
	fmt.Println(exact.Dot(x, y))
	// Output: 15
}

// No element is too large or too small to be squared.
func ExampleNrm2() {
	for _, e := range []int{1000, -1000} {
		x := []float64{math.Ldexp(3, e), math.Ldexp(4, e)}
		fmt.Println(exact.Nrm2(x) == math.Ldexp(5, e))
	}
	// Output:
	// true
	// true
}

// A column of a matrix that is stored by rows.
func ExampleSumInc() {
	matrix := []float64{
		1, 10,
		2, 20,
		3, 30,
	}
	fmt.Println(exact.SumInc(3, matrix[1:], 2))
	// Output: 60
}

func ExampleMean() {
	fmt.Println(exact.Mean([]float64{math.MaxFloat64, math.MaxFloat64}, nil))
	fmt.Println(exact.Mean([]float64{1, 2, 3}, []float64{3, 2, 1}))
	// Output:
	// 1.7976931348623157e+308
	// 1.6666666666666667
}

// The squares of these numbers agree in all digits of a float64.
func ExampleVariance() {
	x := []float64{1e9, 1e9 + 1, 1e9 + 2}
	fmt.Println(exact.Variance(x, nil), exact.StdDev(x, nil))
	// Output: 1 1
}

// A program that keeps two sums has mean, variance and norm.
func ExampleVarianceOf() {
	x := []float64{1, 2, 3, 4}
	var sum, squares exact.Accumulator
	sum.AddSlice(x)
	squares.AddDot(x, x)
	fmt.Println(sum.Mean(), exact.VarianceOf[float64](&sum, &squares, 1), squares.Sqrt())
	// Output: 2.5 1.6666666666666667 5.477225575051661
}

// A sum before it is rounded.
func ExampleAccumulator_Decimal() {
	var a exact.Accumulator
	a.Add(0.1)
	a.Add(0.2)
	fmt.Println(a.Float64())
	fmt.Println(a.Decimal())
	// Output:
	// 0.30000000000000004
	// 0.3000000000000000166533453693773481063544750213623046875
}

// Integers do not lose digits, even beyond 2^53.
func ExampleAccumulator_AddInt64() {
	var a exact.Accumulator
	a.AddInt64(math.MaxInt64)
	a.AddInt64(-1)
	n, ok := a.Int64()
	fmt.Println(n, ok)
	// Output: 9223372036854775806 true
}

// Two machines sum their parts, and one merges the states.
func ExampleAccumulator_MarshalBinary() {
	var here, there exact.Accumulator
	here.AddSlice([]float64{1e16, 1})
	there.AddSlice([]float64{1, -1e16})

	state, _ := there.MarshalBinary() // travels
	var total, received exact.Accumulator
	if err := received.UnmarshalBinary(state); err != nil {
		fmt.Println(err)
	}
	total.Merge(&here)
	total.Merge(&received)
	fmt.Println(total.Float64(), "of", total.Count())
	// Output: 2 of 4
}

// Anything that adds integers merges accumulators: here, a loop.
func ExampleAccumulator_AppendLimbs() {
	parts := [][]float64{{1e300, 1}, {-1e300}, {1}}
	sum := make([]int64, exact.Limbs)
	for _, p := range parts {
		var a exact.Accumulator
		a.AddSlice(p)
		for i, v := range a.AppendLimbs(nil) {
			sum[i] += v
		}
	}
	var total exact.Accumulator
	if err := total.AddLimbs(sum); err != nil {
		fmt.Println(err)
	}
	fmt.Println(total.Float64())
	// Output: 2
}

// A moving window: a number that leaves it leaves no trace.
func ExampleAccumulator_Sub() {
	x := []float64{1e100, 1, 2, 3, 4}
	var window exact.Accumulator
	for i, v := range x {
		window.Add(v)
		if i >= 3 {
			var old exact.Accumulator
			old.Add(x[i-3])
			window.Sub(&old)
		}
		fmt.Print(window.Float64(), " ")
	}
	fmt.Println()
	// Output: 1e+100 1e+100 1e+100 6 9
}

// Totals that two sites computed in different orders have the same digest.
func ExampleAccumulator_Digest() {
	var a, b exact.Accumulator
	a.AddSlice([]float64{0.1, 0.2, 0.3})
	b.AddSlice([]float64{0.3, 0.1, 0.2})
	fmt.Println(a.Digest() == b.Digest())
	// Output: true
}

func ExampleMoments() {
	var m exact.Moments
	m.AddSlice([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	fmt.Println(m.Mean(), m.PopStdDev(), m.PopSkew(), m.PopExKurtosis())
	// Output: 5 2 0.65625 -0.21875
}

// A regression over parts that are merged.
func ExamplePairs() {
	var here, there exact.Pairs
	here.AddSlice([]float64{1, 2}, []float64{3, 5})
	there.AddSlice([]float64{3, 4}, []float64{7, 9})
	here.Merge(&there)
	fmt.Println(here.Slope(), here.Intercept(), here.Correlation(), here.Covariance())
	// Output: 2 1 1 3.3333333333333335
}

func ExampleExtrema() {
	var e exact.Extrema
	e.AddSlice([]float64{3, -1, 2})
	fmt.Println(e.Min(), e.Max(), e.Count())
	// Output: -1 3 3
}
