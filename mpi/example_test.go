package mpi_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/mpi"
)

// The examples need an MPI library, and MPI is initialised once in a process:
// they are compiled, not run.

// Every rank adds its own numbers. The result is the correctly rounded sum of
// all of them, for any number of ranks.
func ExampleAllreduceExact() {
	part := []float64{0.1, 1e16, -1e16} // of this rank
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		var a exact.Accumulator
		a.AddSlice(part)
		if err := mpi.AllreduceExact(world, &a); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(a.Float64())
		}
		return nil
	})
	if errors.Is(err, mpi.ErrMissing) {
		fmt.Fprintln(os.Stderr, "install Open MPI or MPICH:", err)
	}
}

// The single sweep needs one reduction; n is the number of values of all ranks
// together.
func ExampleAllreduceWindow() {
	const n, k = 1_000_000, 3
	part := []float64{0.1, 1e16, -1e16}
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		w, err := binned.NewSingleSweep[float64](n, k)
		if err != nil {
			return err
		}
		w.AddSlice(part)
		if err := mpi.AllreduceWindow(world, w); err != nil {
			return err
		}
		sum, err := w.Sum()
		fmt.Println(sum)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// The double sweep finds the largest magnitude of all ranks first.
func ExampleAllreducePartial() {
	const n, k = 1_000_000, 3
	part := []float64{0.1, 1e16, -1e16}
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		top := []float64{binned.MaxAbs(part)}
		if err := mpi.Allreduce(world, top, mpi.Max); err != nil {
			return err
		}
		p, err := binned.NewDoubleSweep(n, k, top[0])
		if err != nil {
			return err
		}
		p.AddSlice(part)
		if err := mpi.AllreducePartial(world, p); err != nil {
			return err
		}
		sum, err := p.Sum()
		fmt.Println(sum)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// Every rank passes its number on to the next, in a ring.
func ExampleSendReceive() {
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		rank, size := world.Rank(), world.Size()
		mine, got := []int64{int64(rank)}, []int64{0}
		next, before := (rank+1)%size, (rank+size-1)%size
		if err := mpi.SendReceive(world, mine, next, got, before); err != nil {
			return err
		}
		fmt.Println(rank, "got", got[0])
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// An operation in Go: pairs of a value and its rank. The larger value wins.
func ExampleNewOp() {
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		op, err := mpi.NewOp(world, 2, true, func(dst, src []float64) {
			for i := 0; i < len(dst); i += 2 {
				if src[i] > dst[i] || src[i] == dst[i] && src[i+1] < dst[i+1] {
					copy(dst[i:i+2], src[i:i+2])
				}
			}
		})
		if err != nil {
			return err
		}
		pair := []float64{3.5, float64(world.Rank())}
		return errors.Join(mpi.Allreduce(world, pair, op), op.Free())
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
