package exact_test

import (
	"fmt"

	"github.com/lastbit/lastbit/exact"
)

func ExampleSum() {
	fmt.Println(exact.Sum([]float64{1e300, 1, -1e300}))
	fmt.Println(exact.Sum([]float64{0.1, 0.2, 0.3})) // in any order; a loop gives 0.6000000000000001
	// Output:
	// 1
	// 0.6
}

func ExampleDot() {
	x := []float64{1e200, 3, 1e200}
	y := []float64{1e200, 5, -1e200}
	fmt.Println(exact.Dot(x, y))
	// Output: 15
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

// A window that moves: what leaves it is taken away again, without a trace.
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
