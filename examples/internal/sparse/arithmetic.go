package sparse

import (
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/ordered"
)

// An Arithmetic computes the dot products of a solver.
type Arithmetic struct {
	// Row is the product of a matrix's row and a vector.
	Row func(values, x []float64) float64
	// Dot is the product of two vectors, by a number of workers.
	Dot func(x, y []float64, workers int) float64
}

// Exact returns the arithmetic whose dot products are rounded once. It keeps
// the promise exact: the numbering of the unknowns does not matter either.
func Exact() Arithmetic { return Arithmetic{exact.Dot[float64], dotOfParts} }

// dotOfParts gives every worker a part and an accumulator. Their sum is exact,
// so neither the parts nor the order of the merges can be seen in it.
func dotOfParts(x, y []float64, workers int) float64 {
	parts := make([]exact.Accumulator, workers)
	demo.Split(len(x), workers, func(w, from, to int) {
		parts[w].AddDot(x[from:to], y[from:to])
	})
	for w := 1; w < workers; w++ {
		parts[0].Merge(&parts[w])
	}
	return parts[0].Float64()
}

// Ordered returns the arithmetic with package ordered's dot products: one tree
// for each length. It keeps the promise ordered.
func Ordered() Arithmetic {
	dot := func(x, y []float64, _ int) float64 { return ordered.Dot(x, y) }
	return Arithmetic{ordered.Dot[float64], dot}
}
