package binned_test

import (
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/binned"
)

// The sum does not depend on the order. A loop over these values gives 0.5 from
// left to right, and 0 from right to left.
func ExampleSingleSweep() {
	x := []float64{1e16, 1, 0.1, -1e16, 0.2, 0.3}
	fmt.Println(binned.SingleSweep(x, 3))
	slices.Reverse(x)
	fmt.Println(binned.SingleSweep(x, 3))
	// Output:
	// 1.6 <nil>
	// 1.6 <nil>
}

// One level is as coarse as n²·u·max|x|; each further one adds accuracy.
func ExampleAlgorithm3() {
	x := []float64{1e16, 1, 0.1, -1e16, 0.2, 0.3}
	for k := 1; k <= 3; k++ {
		s, err := binned.Algorithm3(x, k)
		fmt.Println(k, s, err)
	}
	// Output:
	// 1 0 <nil>
	// 2 1.5999999999999943 <nil>
	// 3 1.6 <nil>
}

// The bound holds for the sum that it is given.
func ExampleBoundAlgorithm3() {
	x := []float64{1e16, 1, 0.1, -1e16, 0.2, 0.3}
	s, _ := binned.Algorithm3(x, 1)
	bound := binned.BoundAlgorithm3(int64(len(x)), 1, binned.MaxAbs(x), s)
	fmt.Printf("|%g − 1.6| ≤ %.3g\n", s, bound)
	// Output: |0 − 1.6| ≤ 160
}

// The one-reduction form does not depend on n: a zero more does not matter.
func ExampleOneReduction() {
	fmt.Println(binned.OneReduction([]float32{3e7, 1, -3e7}, 2))
	fmt.Println(binned.OneReduction([]float32{3e7, 1, -3e7, 0}, 2))
	// Output:
	// 1 <nil>
	// 1 <nil>
}

// A number of levels out of range is an error.
func ExampleDoubleSweep() {
	fmt.Println(binned.DoubleSweep([]float64{1, 2}, 2))
	fmt.Println(binned.DoubleSweep([]float64{1, 2}, 0))
	// Output:
	// 3 <nil>
	// 0 binned: 0 levels: take at least 1 and at most 2200
}

// Two machines sum their parts in one sweep, and merge.
func ExampleNewSingleSweep() {
	const n, k = 6, 3 // of all parts together
	here, _ := binned.NewSingleSweep[float64](n, k)
	there, _ := binned.NewSingleSweep[float64](n, k)
	here.AddSlice([]float64{1e16, 1, 0.1})
	there.AddSlice([]float64{-1e16, 0.2, 0.3})

	vector := here.AppendVector(nil) // carried by MPI_Reduce
	if err := binned.MergeVectors(vector, there.AppendVector(nil)); err != nil {
		fmt.Println(err)
	}
	if err := here.SetVector(vector); err != nil {
		fmt.Println(err)
	}
	fmt.Println(here.Sum())
	// Output: 1.6 <nil>
}

// Two machines agree on the maximum, and then add their partial sums.
func ExamplePartial() {
	parts := [][]float64{{1e16, 1, 0.1}, {-1e16, 0.2, 0.3}}
	top := max(binned.MaxAbs(parts[0]), binned.MaxAbs(parts[1])) // the first reduction

	var total []float64
	for _, x := range parts {
		p, _ := binned.NewDoubleSweep(6, 3, top)
		p.AddSlice(x)
		for i, v := range p.AppendVector(nil) { // the second one
			if total == nil {
				total = make([]float64, len(p.AppendVector(nil)))
			}
			total[i] += v
		}
	}
	p, _ := binned.NewDoubleSweep(6, 3, top)
	if err := p.SetVector(total); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.Sum())
	// Output: 1.6 <nil>
}
