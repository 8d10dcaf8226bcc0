package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/mpi"
	"github.com/lastbit/lastbit/probe"
)

// rank is the part of a summation that one process of an MPI job has.
type rank struct {
	world *mpi.Comm
	fail  func(error) // says what went wrong
}

// errSaid ends a rank without a word: one of them has said what went wrong.
var errSaid = errors.New("what went wrong has been said")

const (
	// lastWait is how long a rank that has failed waits for the others to hear of it.
	// Then it ends the job.
	lastWait = 2 * time.Second
	// lastWords is how long mpirun has to pass on what a rank has written before
	// another one ends, and the job with it.
	lastWords = 200 * time.Millisecond
)

// sumRanks is sum as one of the ranks of an MPI job; wrong is what kept this one from
// beginning. What goes wrong is said by one rank, and all end.
func (a *app) sumRanks(ctx context.Context, cmd *cobra.Command, s *summation, f *sumFlags, wrong error) error {
	began := false
	var said error
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) (err error) {
		began = true
		r := &rank{world: world, fail: func(err error) { a.fail(ctx, cmd, nil, err) }}
		said, err = a.sumRank(ctx, r, s, f, wrong)
		return err
	})
	switch {
	case began:
		return errors.Join(said, err)
	case wrong != nil:
		return wrong
	}
	return &probe.Fault{ID: "mpi-library", Thing: "--mpi", Cause: "this process cannot use an MPI library",
		Cure: "install Open MPI or MPICH (Debian: openmpi-bin, mpich), or name that of this mpirun in LASTBIT_MPI_LIBRARY", Err: err}
}

// sumRank returns errSaid if something went wrong on any rank, and an error of MPI.
func (a *app) sumRank(ctx context.Context, r *rank, s *summation, f *sumFlags, wrong error) (said, err error) {
	var results []*series
	if wrong == nil {
		s.rank = r
		results, wrong = s.run(ctx, nil)
	}
	if said, err = r.agree(dataFault(wrong)); said != nil || err != nil {
		return said, err
	}
	acc := &accFile{op: s.algo.op, columns: f.columns, by: f.by, grouped: f.by != "", results: results}
	if acc.grouped {
		acc, wrong, err = r.gather(acc)
	} else {
		err = r.reduce(acc)
	}
	if err != nil {
		return nil, err
	}
	if wrong == nil && r.world.Rank() == 0 {
		wrong = a.finish(ctx, acc, s.algo, &f.resultFlags, false)
	}
	return r.agree(wrong)
}

// agree returns nil if nothing is wrong on any rank. Else the first on which something
// is says what, before any of them ends, and all get errSaid.
func (r *rank) agree(wrong error) (said, err error) {
	me, size := int64(r.world.Rank()), int64(r.world.Size())
	first := []int64{size}
	if wrong != nil {
		first[0] = me
	}
	timer := r.endSoon(wrong)
	err = mpi.Allreduce(r.world, first, mpi.Min)
	timer.Stop()
	if err != nil {
		return nil, errors.Join(wrong, err)
	}
	if first[0] == size {
		return nil, nil
	}
	if first[0] == me {
		r.fail(wrong)
		time.Sleep(lastWords)
	}
	return errSaid, r.world.Barrier()
}

// endSoon ends the job if something is wrong and the others take too long to hear of it:
// they read large files, or wait for a stream.
func (r *rank) endSoon(wrong error) *time.Timer {
	return time.AfterFunc(lastWait, func() {
		if wrong == nil {
			return
		}
		r.fail(wrong)
		r.world.Abort(failed, errSaid)
	})
}

// silent tells whether a process is a rank but the first, by the variables that
// launchers set, and leaves it to that one to say what is wrong with the arguments.
func silent(args []string) bool {
	if !slices.Contains(args, "--mpi") {
		return false
	}
	for _, name := range []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"} {
		if rank := os.Getenv(name); rank != "" {
			return rank != "0"
		}
	}
	return false
}

// part returns the options to open file i with, so that this rank reads its part only.
func (s *summation) part(i int) (dataset.Options, error) {
	o := s.options
	if s.rank == nil {
		return o, nil
	}
	me, size := int64(s.rank.world.Rank()), int64(s.rank.world.Size())
	switch {
	case o.Splits(s.files[i]) && (!s.sideBySide || o.Splits(s.files[1])):
		o.Part = func(rows int64) (from, to int64) { return begin(rows, me, size), begin(rows, me+1, size) }
	case int64(i)%size != me:
		return o, errNotMine
	}
	return o, nil
}

// errNotMine says that a file is another rank's.
var errNotMine = errors.New("another rank reads it")

// begin returns where the part of rank i of size begins.
func begin(rows, i, size int64) int64 { return rows/size*i + min(rows%size, i) }

// reduce merges the sums of all ranks by one integer reduction.
func (r *rank) reduce(acc *accFile) error {
	var states []mpi.Limbs
	var counts []int64
	for _, s := range acc.results {
		g := s.groups[""]
		t := g.total.(*exactTotal)
		t.finish()
		for i := range t.sums {
			states = append(states, &t.sums[i])
		}
		counts = append(counts, g.count)
	}
	if err := mpi.AllreduceExact(r.world, states...); err != nil {
		return err
	}
	if err := mpi.Allreduce(r.world, counts, mpi.Sum); err != nil {
		return err
	}
	for i, s := range acc.results {
		s.groups[""].count = counts[i]
	}
	return nil
}

// gather merges sums by key: every rank tells all others what it has, in turn, as it
// would write it to a file. What cannot be merged, no rank can.
func (r *rank) gather(acc *accFile) (all *accFile, wrong, err error) {
	mine := acc.encode()
	lengths := make([]int64, r.world.Size())
	lengths[r.world.Rank()] = int64(len(mine))
	if err := mpi.Allreduce(r.world, lengths, mpi.Sum); err != nil {
		return nil, nil, err
	}
	for i, n := range lengths {
		b := make([]byte, n)
		if i == r.world.Rank() {
			b = mine
		}
		if err := mpi.Bcast(r.world, b, i); err != nil {
			return nil, nil, err
		}
		part, err := decodeAcc(b)
		if err == nil && all != nil {
			err = all.merge(part)
		}
		if err != nil {
			return nil, fmt.Errorf("what rank %d has sent: %w", i, err), nil
		}
		if all == nil {
			all = part
		}
	}
	return all, nil, nil
}
