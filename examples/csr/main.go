package main

import (
	"fmt"
	"io"
	"sync"

	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/examples/internal/sparse"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("csr")
	n := flags.Int("n", 2000, corners, 1000000, "rows and columns of the matrix")
	count := flags.Int("elements", 20000, 0, 10000000, "number of elements")
	workers := flags.Workers()
	order := flags.Seed("order", "seed of the order of the elements")
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	m := assemble(*n, *count, *workers, *order)
	_, err := fmt.Fprintf(stdout,
		"%s  CSR matrix with %d rows and %d values, of %d contributions\n",
		m.Hash(), *n, len(m.Values), *count*corners*corners)
	return err
}

// corners is the number of unknowns that an element connects.
const corners = 4

// element adds a small matrix of its own: value i·corners + j goes to row
// at[i], column at[j].
type element struct {
	at    [corners]int
	value [corners * corners]float64
}

// elements returns elements whose values differ in size by up to 2^40, so that
// another order of additions seldom gives the same bits.
func elements(n, count int) []element {
	random := demo.Random(1)
	all := make([]element, count)
	for e := range all {
		first := random.IntN(n)
		for i := range all[e].at {
			all[e].at[i] = (first + i*i) % n
		}
		scale := float64(int64(1) << random.IntN(40))
		for i := range all[e].value {
			all[e].value[i] = scale * demo.Uniform(random)
		}
	}
	return all
}

// assemble adds the elements in the order of a seed. Each worker collects the
// contributions of its share, and the first to finish is the first to merge.
func assemble(n, count, workers int, order uint64) *sparse.Matrix {
	all := elements(n, count)
	turns := demo.Random(order).Perm(count)
	var whole sparse.Assembly
	var lock sync.Mutex
	demo.Split(count, workers, func(_, from, to int) {
		var share sparse.Assembly
		for _, e := range turns[from:to] {
			for k, v := range all[e].value {
				share.Add(all[e].at[k/corners], all[e].at[k%corners], v)
			}
		}
		lock.Lock()
		defer lock.Unlock()
		whole.Merge(&share)
	})
	return whole.Matrix(n, workers)
}
