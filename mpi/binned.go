package mpi

import (
	"errors"
	"math"

	"github.com/lastbit/lastbit/binned"
)

// AllreduceWindow merges w with those of all other ranks, so that every rank
// has the partial sums of all values:
//
//	w, err := binned.NewSingleSweep[float64](n, k)
//	w.AddSlice(part)
//	err = mpi.AllreduceWindow(world, w)
//	sum, err := w.Sum()
//
// n is the number of values of all ranks together; all ranks give the same n
// and k, to windows of one kind. Where n differs, or the format, every rank
// gets an error and keeps its own part. Where k differs, so do the lengths of
// what MPI reduces, which it does not allow: some ranks get an error, and
// others may never return.
//
// Promise: binned. Cost: one reduction of 9 + k float64 (of the one-reduction
// form, 8 + 2k), by MergeLevels as a user-defined operation: Algorithm 2, the
// single sweep, with Algorithm 1 for MPI_Reduce.
//
// References: Arteaga2014, Demmel2013
func AllreduceWindow[T binned.Float](c *Comm, w *binned.Window[T]) error {
	v := w.AppendVector(nil)
	var failed error
	op, err := NewOp(c, len(v), true, func(dst, src []float64) {
		for i := 0; i < len(dst); i += len(v) {
			if err := binned.MergeVectors(dst[i:i+len(v)], src[i:i+len(v)]); err != nil {
				failed = errors.Join(failed, err)
				dst[i] = math.NaN() // no window's vector: all ranks will see it
			}
		}
	})
	if err != nil {
		return err
	}
	err = errors.Join(Allreduce(c, v, op), op.Free())
	if err == nil {
		err = errors.Join(w.SetVector(v), failed)
	}
	return err
}

// AllreducePartial adds up the partial sums of all ranks, so that every rank
// has those of all values. It is the second reduction of two; the first finds
// the largest magnitude:
//
//	top := []float64{binned.MaxAbs(part)}
//	err := mpi.Allreduce(world, top, mpi.Max)
//	p, err := binned.NewDoubleSweep(n, k, top[0])
//	p.AddSlice(part)
//	err = mpi.AllreducePartial(world, p)
//	sum, err := p.Sum()
//
// n is the number of values of all ranks together; all ranks give the same n
// and k.
//
// Promise: binned. Cost: one reduction of 5 + k float64 by MPI's own sum, of
// integers that float64 holds, so that its order does not matter.
//
// References: Arteaga2014, Demmel2013
func AllreducePartial[T binned.Float](c *Comm, p *binned.Partial[T]) error {
	v := p.AppendVector(nil)
	if err := Allreduce(c, v, Sum); err != nil {
		return err
	}
	return p.SetVector(v)
}
