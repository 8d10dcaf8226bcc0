package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/examples/internal/sparse"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("spmv")
	n := flags.Int("n", 2000, 1, 20000, "rows and columns of the matrix")
	dot := flags.Word("dot", "how a row is multiplied", "exact", "ordered")
	workers := flags.Workers()
	numbering := flags.Seed("numbering", "seed of a renumbering of the columns; 0 leaves them")
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	arithmetic := sparse.Exact()
	if *dot == "ordered" {
		arithmetic = sparse.Ordered()
	}
	a, x := system(*n, demo.Numbering(*n, *numbering))
	y := make([]float64, *n)
	a.Mul(y, x, arithmetic, *workers)
	_, err := fmt.Fprintf(stdout, "%s  A·x for a matrix of %d rows and %d values\n",
		demo.NewHash().Floats(y), *n, len(a.Values))
	return err
}

// system returns a matrix and a vector, with columns and elements renumbered.
// Few rows are long and many are short, as in the matrix of a network.
func system(n int, number []int) (*sparse.Matrix, []float64) {
	random := demo.Random(1)
	a := &sparse.Matrix{Start: []int{0}}
	for range n {
		type place struct {
			column int
			value  float64
		}
		row := map[int]float64{}
		for range 1 + random.IntN(1+n>>random.IntN(8)) {
			row[random.IntN(n)] = demo.Uniform(random)
		}
		var places []place
		for j, v := range row {
			places = append(places, place{number[j], v})
		}
		slices.SortFunc(places, func(p, q place) int { return p.column - q.column })
		for _, p := range places {
			a.Columns, a.Values = append(a.Columns, p.column), append(a.Values, p.value)
		}
		a.Start = append(a.Start, len(a.Columns))
	}
	x := make([]float64, n)
	for j := range n {
		x[number[j]] = demo.Uniform(random)
	}
	return a, x
}
