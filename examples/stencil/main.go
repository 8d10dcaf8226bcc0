package main

import (
	"fmt"
	"io"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/examples/internal/grid"
	"github.com/lastbit/lastbit/mpi"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("stencil")
	n := flags.Int("n", 200, 1, 100000, "rows and columns of the grid")
	steps := flags.Int("steps", 100, 0, 1000000, "number of steps")
	workers := flags.Workers()
	parallel := flags.Bool("mpi", "share the rows out among the ranks that mpirun has started")
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	job := func(ranks grid.Ranks) error {
		if err := compute(ranks, *n, *steps, *workers, stdout); err != nil {
			return fmt.Errorf("stencil: %w", err)
		}
		return nil
	}
	if !*parallel {
		return job(grid.Alone{})
	}
	return mpi.Run(mpi.Options{}, func(world *mpi.Comm) error { return job(ranks{world}) })
}

// compute does the steps. Rank 0 prints the result.
func compute(ranks grid.Ranks, n, steps, workers int, stdout io.Writer) error {
	field, err := grid.New(ranks, n, workers)
	if err != nil {
		return err
	}
	for range steps {
		if err := field.Step(); err != nil {
			return err
		}
	}
	norm, err := field.Norm()
	if err != nil {
		return err
	}
	all, err := field.Gather()
	if err != nil || ranks.Rank() > 0 {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s  field of %d×%d values after %d steps, norm %v (ranks: %d)\n",
		demo.NewHash().Floats(all), n, n, steps, norm, ranks.Size())
	return err
}

// ranks makes the ranks of an MPI job a grid.Ranks.
type ranks struct{ *mpi.Comm }

// Shift sends and receives at once.
func (r ranks) Shift(send []float64, to int, receive []float64, from int) error {
	return mpi.SendReceive(r.Comm, send, rankOf(to), receive, rankOf(from))
}

func rankOf(rank int) int {
	if rank == grid.Nobody {
		return mpi.None
	}
	return rank
}

// Merge adds the accumulators of all ranks, as vectors of integers.
func (r ranks) Merge(a *exact.Accumulator) error { return mpi.AllreduceExact(r.Comm, a) }
