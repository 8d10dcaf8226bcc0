package sums

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/mpi"
	"github.com/lastbit/lastbit/probe"
)

// A rank is the part of a Task that one process of an MPI job has.
type rank struct {
	world *mpi.Comm
	fail  func(error) // reports an error to the user
}

// ErrReported ends a rank in silence: one of the ranks has reported the error.
var ErrReported = errors.New("the error has been reported")

const (
	// lastWait bounds the time that a rank with an error waits for the others
	// to hear of it. Then it ends the job.
	lastWait = 2 * time.Second
	// lastWords is the time for mpirun to pass on a rank's output before
	// another one ends, and the job with it.
	lastWords = 200 * time.Millisecond
	// abortCode is the exit code of a job that a rank has to end.
	abortCode = 2
)

// RunRank is Run as one of the ranks of an MPI job: it passes the sums over all
// ranks to finish, on rank 0. wrong is an error that prevents this rank from
// beginning; t may then be nil. One rank reports an error, through fail, and
// all end with one.
func (t *Task) RunRank(
	ctx context.Context, wrong error, fail func(error), finish func(*Partial) error,
) error {
	began := false
	var reported error
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) (err error) {
		began = true
		reported, err = t.runRank(ctx, &rank{world: world, fail: fail}, wrong, finish)
		return err
	})
	switch {
	case began:
		return errors.Join(reported, err)
	case wrong != nil:
		return wrong
	}
	return &probe.Fault{
		ID: "mpi-library", Thing: "--mpi", Cause: "this process cannot use an MPI library",
		Cure: "install Open MPI or MPICH (Debian: openmpi-bin, mpich), " +
			"or name that of this mpirun in LASTBIT_MPI_LIBRARY",
		Err: err,
	}
}

// runRank returns ErrReported if something went wrong on any rank, and an error
// of MPI.
func (t *Task) runRank(
	ctx context.Context, r *rank, wrong error, finish func(*Partial) error,
) (reported, err error) {
	var p *Partial
	if wrong == nil {
		t.rank = r
		p, wrong = t.Run(ctx)
	}
	if reported, err = r.agree(wrong); reported != nil || err != nil {
		return reported, err
	}
	if p, wrong, err = r.combine(p); err != nil {
		return nil, err
	}
	if wrong == nil && r.world.Rank() == 0 {
		wrong = finish(p)
	}
	return r.agree(wrong)
}

// agree returns nil if nothing is wrong on any rank. Otherwise the first rank
// with an error reports it, before any of them ends, and all get ErrReported.
func (r *rank) agree(wrong error) (reported, err error) {
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
	return ErrReported, r.world.Barrier()
}

// endSoon ends the job if something is wrong and the others take too long to
// hear of it: they read large files, or wait for a stream.
func (r *rank) endSoon(wrong error) *time.Timer {
	return time.AfterFunc(lastWait, func() {
		if wrong == nil {
			return
		}
		r.fail(wrong)
		r.world.Abort(abortCode, ErrReported)
	})
}

// IsLaterRank reports whether this process is a rank of an MPI job, and not the
// first, by the variables that launchers set.
func IsLaterRank() bool {
	for _, name := range []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"} {
		if rank := os.Getenv(name); rank != "" {
			return rank != "0"
		}
	}
	return false
}

// part returns the options to open file i with, so that this rank reads its own
// part only.
func (t *Task) part(i int) (dataset.Options, error) {
	o := t.Options
	if t.rank == nil {
		return o, nil
	}
	me, size := int64(t.rank.world.Rank()), int64(t.rank.world.Size())
	switch {
	case o.Splits(t.Files[i]) && (!t.isSideBySide() || o.Splits(t.Files[1])):
		o.Part = func(rows int64) (from, to int64) {
			return firstRow(rows, me, size), firstRow(rows, me+1, size)
		}
	case int64(i)%size != me:
		return o, errNotMine
	}
	return o, nil
}

// errNotMine is the error of a file that another rank reads.
var errNotMine = errors.New("another rank reads it")

// firstRow returns the first row of rank i of size.
func firstRow(rows, i, size int64) int64 { return rows/size*i + min(rows%size, i) }

// combine merges the sums of all ranks. A sum that a rank cannot merge fails in
// all.
func (r *rank) combine(p *Partial) (all *Partial, wrong, err error) {
	decimals := []int64{0}
	if p.hasDecimals() {
		decimals[0] = 1
	}
	if err := mpi.Allreduce(r.world, decimals, mpi.Max); err != nil {
		return nil, nil, err
	}
	if p.grouped || decimals[0] > 0 { // keys and scales differ from rank to rank
		return r.gather(p)
	}
	return p, nil, r.reduce(p)
}

// reduce merges the sums of all ranks by one integer reduction.
func (r *rank) reduce(p *Partial) error {
	var states []mpi.Limbs
	var counts []int64
	for _, s := range p.results {
		g := s.groups[""]
		t := g.total.(*exactTotal)
		for i := range t.sums {
			states = append(states, &t.sums[i])
		}
		counts = append(counts, g.count, g.missing)
	}
	if err := mpi.AllreduceExact(r.world, states...); err != nil {
		return err
	}
	if err := mpi.Allreduce(r.world, counts, mpi.Sum); err != nil {
		return err
	}
	for i, s := range p.results {
		s.groups[""].count, s.groups[""].missing = counts[2*i], counts[2*i+1]
	}
	return nil
}

// gather merges sums: each rank in turn sends the bytes of its accumulator file
// to all others.
func (r *rank) gather(p *Partial) (all *Partial, wrong, err error) {
	mine := p.encode()
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
		part, err := decodePartial(b, nil)
		if err == nil && all != nil {
			err = all.merge(part)
		}
		if err != nil {
			return nil, fmt.Errorf("the sums of rank %d: %w", i, err), nil
		}
		if all == nil {
			all = part
		}
	}
	return all, nil, nil
}
