package mpi

import (
	"errors"
	"math"

	"github.com/lastbit/lastbit/binned"
)

// AllreduceWindow merges w with the windows of all other ranks, so that every
// rank has the partial sums of all values:
//
//	w, err := binned.NewSingleSweep[float64](n, k)
//	w.AddSlice(part)
//	err = mpi.AllreduceWindow(world, w)
//	sum, err := w.Sum()
//
// n is the number of values of all ranks together. All ranks give the same n
// and k, to windows of one kind. If n or the format differs, every rank gets an
// error and keeps its own part. If k differs, so do the lengths that MPI
// reduces, which it does not allow: some ranks get an error, and others may
// never return.
//
// Promise: binned. Special values are as in package binned. Cost: one reduction
// of 9 + k float64 (of the one-reduction form, 8 + 2k) with MergeLevels as a
// user-defined operation: Algorithm 2 of Arteaga, Fuhrer and Hoefler, the
// single sweep, with their Algorithm 1 for MPI_Reduce (section III.B).
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
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

// AllreducePartial adds the partial sums of all ranks, so that every rank has
// the partial sum of all values. It is the second reduction of two. The first
// finds the largest magnitude:
//
//	top := []float64{binned.MaxAbs(part)}
//	err := mpi.Allreduce(world, top, mpi.Max)
//	p, err := binned.NewDoubleSweep(n, k, top[0])
//	p.AddSlice(part)
//	err = mpi.AllreducePartial(world, p)
//	sum, err := p.Sum()
//
// n is the number of values of all ranks together. All ranks give the same n
// and k.
//
// Promise: binned. Special values are as in package binned. Cost: one reduction
// of 5 + k float64 by MPI's own sum. They are integers that float64 holds
// exactly, so its order does not matter.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
func AllreducePartial[T binned.Float](c *Comm, p *binned.Partial[T]) error {
	v := p.AppendVector(nil)
	if err := Allreduce(c, v, Sum); err != nil {
		return err
	}
	return p.SetVector(v)
}
