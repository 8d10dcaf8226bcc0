package mpi

import (
	"fmt"

	"github.com/lastbit/lastbit/exact"
)

// Limbs is a state with a form as a vector of integers, such that the sum of
// vectors is the vector of the merged state. *exact.Accumulator is one.
type Limbs interface {
	AppendLimbs(dst []int64) []int64
	AddLimbs(v []int64) error
	Reset()
}

var _ Limbs = (*exact.Accumulator)(nil)

// AllreduceExact merges each state with its counterparts in all other ranks, so
// that every rank has the sum over all:
//
//	var a exact.Accumulator
//	a.AddSlice(part)
//	err := mpi.AllreduceExact(world, &a)
//	sum := a.Float64()
//
// All ranks call it with the same number of states, of one kind. An error
// leaves the states unchanged or, if it is about the vectors that came back,
// all empty.
//
// Promise: exact. The multiset of all ranks' numbers is summed and rounded
// once; the sum does not depend on the number of ranks or on the distribution
// of the numbers among them. Special values are as in package exact. Cost: one
// reduction of exact.Limbs int64 (1.1 KiB) a state by MPI's own sum, in any
// order; up to 2^30 ranks.
func AllreduceExact(c *Comm, states ...Limbs) error {
	var v []int64
	ends := make([]int, len(states))
	for i, s := range states {
		v = s.AppendLimbs(v)
		ends[i] = len(v)
	}
	if err := Allreduce(c, v, Sum); err != nil {
		return err
	}
	from := 0
	for i, s := range states {
		s.Reset()
		if err := s.AddLimbs(v[from:ends[i]]); err != nil {
			for _, s := range states {
				s.Reset() // not some of them merged and others not
			}
			return fmt.Errorf("mpi: state %d of %d as the ranks have added it up: %w", i+1,
				len(states), err)
		}
		from = ends[i]
	}
	return nil
}
