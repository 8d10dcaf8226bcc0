package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/mpi"
	"github.com/lastbit/lastbit/probe"
)

// rank is the part of a summation that one process of an MPI job has.
type rank struct {
	world *mpi.Comm
}

// sumRanks is sum as one of the ranks of an MPI job. What goes wrong on one of them
// ends them all.
func (a *app) sumRanks(ctx context.Context, s *summation, f *sumFlags) error {
	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
		s.rank = &rank{world}
		err := a.sumRank(ctx, s, f)
		if err != nil && world.Size() > 1 {
			world.Abort(failed, err)
		}
		return err
	})
	if errors.Is(err, mpi.ErrMissing) {
		return &probe.Fault{ID: "mpi-library", Thing: "--mpi", Cause: "there is no MPI library", Cure: "install Open MPI or MPICH (Debian: openmpi-bin, mpich)", Err: err}
	}
	return err
}

func (a *app) sumRank(ctx context.Context, s *summation, f *sumFlags) error {
	results, err := s.run(ctx, nil)
	if err != nil {
		return dataFault(err)
	}
	acc := &accFile{op: s.algo.op, columns: f.columns, by: f.by, grouped: f.by != "", results: results}
	if acc.grouped {
		acc, err = s.rank.gather(acc)
	} else {
		err = s.rank.reduce(acc)
	}
	if err != nil || s.rank.world.Rank() != 0 {
		return err
	}
	return a.finish(acc, s.algo, &f.resultFlags, false)
}

// part returns the options to open file i with, so that this rank reads its part only.
func (s *summation) part(i int) (dataset.Options, error) {
	o := s.options
	if s.rank == nil {
		return o, nil
	}
	me, size := int64(s.rank.world.Rank()), int64(s.rank.world.Size())
	switch {
	case o.Splits(s.files[i]):
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
// would write it to a file.
func (r *rank) gather(acc *accFile) (*accFile, error) {
	mine := acc.encode()
	lengths := make([]int64, r.world.Size())
	lengths[r.world.Rank()] = int64(len(mine))
	if err := mpi.Allreduce(r.world, lengths, mpi.Sum); err != nil {
		return nil, err
	}
	var all *accFile
	for i, n := range lengths {
		b := make([]byte, n)
		if i == r.world.Rank() {
			b = mine
		}
		if err := mpi.Bcast(r.world, b, i); err != nil {
			return nil, err
		}
		part, err := decodeAcc(b)
		if err != nil {
			return nil, fmt.Errorf("what rank %d has sent: %w", i, err)
		}
		if all == nil {
			all = part
		} else {
			all.merge(part)
		}
	}
	return all, nil
}
