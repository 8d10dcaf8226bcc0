package sums

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/mpi"
	"github.com/lastbit/lastbit/ordered"
)

// rankSizes holds the numbers of summands of a rank: in its cache, and beyond
// it.
var rankSizes = []int{1 << 10, 1 << 20}

// ErrNoMPI is returned by Ranks on a machine without mpirun.
var ErrNoMPI = errors.New("there is no mpirun")

// Ranks measures the parts of a sum over 1, 2, 4 … and maxRanks MPI ranks with
// equally many numbers each: the local sum, and the reductions. It runs self,
// this program, with the arguments args in each rank; these have to lead to
// Rank. This is the breakdown of Demmel and Nguyen (2013), and Figure 9 of
// Arteaga, Fuhrer and Hoefler (2014).
//
// The error is ErrNoMPI, or the error of a job.
//
// References:
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
func Ranks(ctx context.Context, self string, args []string, maxRanks int,
	progress experiment.Progress) ([]*plots.Figure, error) {
	mpirun, err := exec.LookPath("mpirun")
	if err != nil {
		return nil, ErrNoMPI
	}
	figures := map[int]*plots.Figure{}
	for _, n := range rankSizes {
		figures[n] = &plots.Figure{
			Name:  fmt.Sprintf("ranks-n=%d", n),
			Title: fmt.Sprintf("Sums over MPI ranks, %d numbers each", n),
			X:     "ranks", Y: "µs",
		}
	}
	for _, ranks := range jobSizes(maxRanks) {
		progress("MPI ranks", ranks, maxRanks)
		out, err := runJob(ctx, mpirun, ranks, self, args)
		if err != nil {
			return nil, err
		}
		for _, p := range out {
			f := figures[p.N]
			f.Add(p.Method+", local", float64(ranks), p.Local/1000)
			f.Add(p.Method+", reductions", float64(ranks), p.Reductions/1000)
		}
	}
	all := make([]*plots.Figure, len(rankSizes))
	for i, n := range rankSizes {
		all[i] = figures[n]
		all[i].Notes = []string{"Medians. " +
			"Ranks beyond the number of cores wait for each other's cores."}
	}
	return all, nil
}

// jobSizes returns the powers of two up to a number, and the number.
func jobSizes(most int) []int {
	var sizes []int
	for n := 1; n < most; n *= 2 {
		sizes = append(sizes, n)
	}
	return append(sizes, most)
}

// runJob runs mpirun and reads the output of rank 0.
func runJob(ctx context.Context, mpirun string, ranks int, self string, args []string) ([]rankTimes,
	error) {
	cmd := exec.CommandContext(ctx, mpirun,
		append([]string{"-n", strconv.Itoa(ranks), self}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	// Open MPI refuses root, and more ranks than cores, without these.
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		return nil,
			fmt.Errorf("%s -n %d: %w: %s", mpirun, ranks, err, bytes.TrimSpace(messages.Bytes()))
	}
	var times []rankTimes
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var t rankTimes
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s -n %d printed %q", mpirun, ranks, lines.Bytes())
		}
		times = append(times, t)
	}
	if want := len(rankSizes) * len(rankMethods); len(times) != want {
		return nil,
			fmt.Errorf("%s -n %d printed %d of %d times: %s", mpirun, ranks, len(times), want,
				bytes.TrimSpace(messages.Bytes()))
	}
	return times, nil
}

// rankTimes holds the times of a method on rank 0: medians, in nanoseconds.
type rankTimes struct {
	Method     string
	N          int
	Local      float64
	Reductions float64
}

// Rank runs in every rank of the jobs of Ranks. Rank 0 writes the times to w.
func Rank(w io.Writer) error {
	return mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		for _, n := range rankSizes {
			x := make([]float64, n)
			rng := rand.New(rand.NewPCG(1, uint64(world.Rank())))
			for i := range x {
				x[i] = rng.Float64()
			}
			for _, m := range rankMethods {
				t, err := m.median(world, x)
				if err != nil {
					return err
				}
				if world.Rank() == 0 {
					if err := json.NewEncoder(w).Encode(t); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// A rankMethod sums over ranks. It calls reduce for each of its reductions.
type rankMethod struct {
	name string
	sum  func(c *mpi.Comm, x []float64, reduce func(func() error) error) error
}

var rankMethods = []rankMethod{
	{"ordered + MPI_SUM", func(c *mpi.Comm, x []float64, reduce func(func() error) error) error {
		s := []float64{ordered.Sum(x)}
		return reduce(func() error { return mpi.Allreduce(c, s, mpi.Sum) })
	}},
	{"exact", func(c *mpi.Comm, x []float64, reduce func(func() error) error) error {
		var a exact.Accumulator
		a.AddSlice(x)
		if err := reduce(func() error { return mpi.AllreduceExact(c, &a) }); err != nil {
			return err
		}
		a.Float64()
		return nil
	}},
	{"double sweep, k=2", func(c *mpi.Comm, x []float64, reduce func(func() error) error) error {
		largest := []float64{binned.MaxAbs(x)}
		if err := reduce(func() error { return mpi.Allreduce(c, largest, mpi.Max) }); err != nil {
			return err
		}
		p, err := binned.NewDoubleSweep(int64(len(x)*c.Size()), 2, largest[0])
		if err != nil {
			return err
		}
		p.AddSlice(x)
		if err := reduce(func() error { return mpi.AllreducePartial(c, p) }); err != nil {
			return err
		}
		_, err = p.Sum()
		return err
	}},
	{"single sweep, k=3", func(c *mpi.Comm, x []float64, reduce func(func() error) error) error {
		w, err := binned.NewSingleSweep[float64](int64(len(x)*c.Size()), 3)
		if err != nil {
			return err
		}
		w.AddSlice(x)
		if err := reduce(func() error { return mpi.AllreduceWindow(c, w) }); err != nil {
			return err
		}
		_, err = w.Sum()
		return err
	}},
}

// median runs the method as often in every rank, and returns its median times.
func (m rankMethod) median(c *mpi.Comm, x []float64) (rankTimes, error) {
	runs := 101
	if len(x) > 1<<16 {
		runs = 11
	}
	local, reductions := make([]time.Duration, runs), make([]time.Duration, runs)
	for i := range runs {
		if err := c.Barrier(); err != nil {
			return rankTimes{}, err
		}
		start := time.Now()
		err := m.sum(c, x, func(f func() error) error {
			began := time.Now()
			err := f()
			reductions[i] += time.Since(began)
			return err
		})
		if err != nil {
			return rankTimes{}, err
		}
		local[i] = time.Since(start) - reductions[i]
	}
	slices.Sort(local)
	slices.Sort(reductions)
	return rankTimes{m.name, len(x), float64(local[runs/2]), float64(reductions[runs/2])}, nil
}
