package binned_test

import (
	"fmt"

	"github.com/lastbit/lastbit/binned"
)

// Two machines sum their parts in one sweep, and merge.
func ExampleNewSingleSweep() {
	const n, k = 6, 3 // of all parts together
	here, _ := binned.NewSingleSweep[float64](n, k)
	there, _ := binned.NewSingleSweep[float64](n, k)
	here.AddSlice([]float64{1e16, 1, 0.1})
	there.AddSlice([]float64{-1e16, 0.2, 0.3})

	vector := here.AppendVector(nil) // what MPI_Reduce carries
	if err := binned.MergeVectors(vector, there.AppendVector(nil)); err != nil {
		fmt.Println(err)
	}
	if err := here.SetVector(vector); err != nil {
		fmt.Println(err)
	}
	fmt.Println(here.Sum())
	// Output: 1.6 <nil>
}

// Two machines agree on the maximum, and then add what they found.
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
