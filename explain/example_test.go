package explain_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
)

// Two loops add the rows of a matrix, one forwards and one backwards.
func Example() {
	const rows, n = 40, 100
	rng := rand.New(rand.NewPCG(1, 2))
	x := explain.Array{Format: fp.Binary32, Shape: []int{rows, n}}
	for range rows * n {
		x.Values = append(x.Values, float64(rng.Float32()))
	}
	a := explain.Array{Format: fp.Binary32, Shape: []int{rows}}
	b := explain.Array{Format: fp.Binary32, Shape: []int{rows}}
	for i := range rows {
		var forwards, backwards float32
		for j := range n {
			forwards += float32(x.Values[i*n+j])
			backwards += float32(x.Values[i*n+n-1-j])
		}
		a.Values = append(a.Values, float64(forwards))
		b.Values = append(b.Values, float64(backwards))
	}
	sums, err := explain.NewSum(explain.Sum, x, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := explain.Explain(context.Background(), sums, a, b, explain.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Explained, found.Causes)
	fmt.Println(found.A.Model)
	fmt.Println(found.B.Model)
	// Output:
	// true [order]
	// chain
	// reverse chain
}

// A Counter takes two arrays in parts, and says how many elements differ, where
// first, and by how many units in the last place.
func ExampleCounter() {
	c := explain.NewCounter(fp.Binary32, []int{2, 3}, false)
	c.Add([]float64{1, 2, 3}, []float64{1, 2, 3})
	c.Add([]float64{4, 5, 6}, []float64{4, 5 + 0x1p-21, 6 - 0x1p-20})
	d := c.Differences()
	fmt.Println(d.Differing, "of", d.Count, "differ, by", d.MaxULPs, "ULPs at most")
	// Output: 2 of 6 differ, by 2 ULPs at most
}
