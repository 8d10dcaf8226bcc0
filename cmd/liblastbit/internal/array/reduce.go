package array

import (
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/crew"
)

// Op is a reduction. The numbers are in liblastbit.h.
type Op int32

// The reductions.
const (
	Sum Op = iota + 1
	Dot
	Mean
	Var
	Std
	Norm
)

// ErrOverflow is the error of an integer result that does not fit its format.
var ErrOverflow = errors.New("the result does not fit the format")

// A Reduction reduces the last Inner dimensions of X, and of Y for Dot, and
// stores a result of format Result for each element of the others at Out, in
// the order of C.
type Reduction struct {
	Op     Op
	X, Y   *Array
	Inner  int
	DDOF   int64 // of Var and Std
	Result Format
	Out    unsafe.Pointer
}

// minShared is the number of elements from which rows are shared among cores.
const minShared = 1 << 17

// group is the number of neighbouring results that are computed together where
// their elements lie beside each other.
const group = 16

// errUnknown is the error of an operation that does not have a result of a
// format.
var errUnknown = errors.New("no such operation, or not for these formats")

// isKnown reports whether the operation has results of the format.
func (r *Reduction) isKnown() bool {
	f := r.X.Format
	if r.Op < Sum || r.Op > Norm || f < Float64 || f > Bool || (r.Op == Dot) != (r.Y != nil) {
		return false
	}
	if r.Y != nil && r.Y.Format != f {
		return false
	}
	if r.Result.isInteger() {
		return r.Result.isWide() && f.isInteger() && (r.Op == Sum || r.Op == Dot)
	}
	return r.Result >= Float64
}

// Run computes all results.
func (r *Reduction) Run() error {
	if !r.isKnown() {
		return errUnknown
	}
	outer, inner := r.X.split(r.Inner)
	rows, n := outer.len(), inner.len()
	if rows == 0 {
		return nil
	}
	step := int64(1)
	if lieBeside(&outer, &inner) {
		step = group
	}
	workers := min(int64(runtime.GOMAXPROCS(0)), (rows+step-1)/step)
	if rows*n < minShared || workers < 2 {
		return r.rows(0, rows, step)
	}
	return r.share(rows, step, workers)
}

// share shares the rows among workers.
func (r *Reduction) share(rows, step, workers int64) error {
	// Parts of whole groups, some for each worker.
	part := (rows/(8*workers) + step) / step * step
	var p crew.Parts
	p.Reset(int((rows+part-1)/part), int(workers))
	var failed atomic.Pointer[error]
	crew.Run(int(workers), func(worker int) {
		p.Each(worker, func(k int) {
			i := int64(k) * part
			if err := r.rows(i, min(i+part, rows), step); err != nil {
				failed.Store(&err)
			}
		})
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// lieBeside reports whether the elements of neighbouring rows lie nearer to
// each other than the elements of one row.
func lieBeside(outer, inner *Array) bool {
	k := len(outer.Shape) - 1
	if k < 0 || outer.Strides[k] == 0 {
		return false
	}
	least := int64(math.MaxInt64)
	for i, s := range inner.Strides {
		if inner.Shape[i] > 1 {
			least = min(least, magnitude(s))
		}
	}
	return least != math.MaxInt64 && magnitude(outer.Strides[k]) < least
}

// rows computes rows from i to j, step at a time.
func (r *Reduction) rows(i, j, step int64) error {
	outerX, x := r.X.split(r.Inner)
	var outerY, y Array
	if r.Y != nil {
		outerY, y = r.Y.split(r.Inner)
	}
	w := &worker{r: r, adder: newAdder(x.Format), layout: layoutOfBoth(&x, r.second(&y))}
	if r.Op == Norm || r.Op == Var || r.Op == Std {
		w.squares = layoutOfBoth(&x, &x)
	}
	for ; i < j; i += step {
		m := min(step, j-i)
		w.x, w.y = w.x[:0], w.y[:0]
		for k := i; k < i+m; k++ {
			w.x = append(w.x, x.moved(outerX.offset(k)))
			if r.Y != nil {
				w.y = append(w.y, y.moved(outerY.offset(k)))
			}
		}
		if err := w.compute(i); err != nil {
			return err
		}
	}
	return nil
}

// second returns the second factor of Dot, or nil.
func (r *Reduction) second(y *Array) *Array {
	if r.Y == nil {
		return nil
	}
	return y
}

// A worker computes some results at a time.
type worker struct {
	r       *Reduction
	adder   *adder
	layout  layout  // of the elements of each result
	squares layout  // the same, of each element and itself
	x, y    []Array // of each result
	sums    []exact.Accumulator
	square  []exact.Accumulator
}

// compute computes the results of w.x, which are number i and the following.
func (w *worker) compute(i int64) error {
	r := w.r
	if len(w.x) == 1 && w.direct(i) {
		return nil
	}
	if r.Op == Sum && r.Result.isInteger() {
		return w.integers(i)
	}
	if len(w.sums) < len(w.x) {
		w.sums = make([]exact.Accumulator, len(w.x))
		w.square = make([]exact.Accumulator, len(w.x))
	}
	for k := range w.x {
		w.sums[k].Reset()
		w.square[k].Reset()
	}
	w.accumulate()
	for k := range w.x {
		if err := r.put(i+int64(k), &w.sums[k], &w.square[k]); err != nil {
			return err
		}
	}
	return nil
}

// integers computes sums of integers.
func (w *worker) integers(i int64) error {
	for k := range w.x {
		v, fits := sumIntegers(&w.x[k]).value(w.r.Result)
		if !fits {
			return ErrOverflow
		}
		*(*uint64)(w.r.place(i + int64(k))) = v
	}
	return nil
}

// place returns the place of a result.
func (r *Reduction) place(i int64) unsafe.Pointer {
	return unsafe.Add(r.Out, i*int64(r.Result.Size()))
}

// accumulate adds the elements, their squares or their products.
func (w *worker) accumulate() {
	switch w.r.Op {
	case Dot:
		w.each(w.sums, &w.layout, w.y)
	case Norm:
		w.each(w.square, &w.squares, w.x)
	case Var, Std:
		w.each(w.square, &w.squares, w.x)
		w.each(w.sums, &w.layout, nil)
	default:
		w.each(w.sums, &w.layout, nil)
	}
}

// each adds the elements of every row to its accumulator, or their products
// with the elements of other rows. Several rows advance together, a block at a
// time.
func (w *worker) each(to []exact.Accumulator, l *layout, others []Array) {
	other := func(k int) *Array {
		if others == nil {
			return nil
		}
		return &others[k]
	}
	if len(w.x) == 1 || w.adder.format.isWide() {
		for k := range w.x {
			w.adder.add(&to[k], l, &w.x[k], other(k))
		}
		return
	}
	w.adder.room(l.len())
	for c := l.start(); !c.done; {
		begin := c.saved()
		for k := range w.x {
			c.restore(&begin)
			w.adder.addBlock(&to[k], &c, &w.x[k], other(k))
		}
	}
}

// saved returns a copy of a cursor.
func (c *cursor) saved() cursor {
	s := *c
	s.index = append([]int64(nil), c.index...)
	return s
}

// restore moves a cursor to a saved place.
func (c *cursor) restore(s *cursor) {
	copy(c.index, s.index)
	c.offset, c.done = s.offset, s.done
}

// direct computes result number i by a function of package exact, if there is
// one for its formats and strides.
func (w *worker) direct(i int64) bool {
	r, x := w.r, &w.x[0]
	if r.Result != x.Format || x.Format != Float64 && x.Format != Float32 {
		return false
	}
	var y *Array
	if r.Y != nil {
		y = &w.y[0]
	}
	if !w.layout.areFlat(x, y) {
		return false
	}
	n := w.layout.len()
	if x.Format == Float64 {
		v, ok := reduced[float64](r.Op, x, y, n)
		if ok {
			*(*float64)(r.place(i)) = v
		}
		return ok
	}
	v, ok := reduced[float32](r.Op, x, y, n)
	if ok {
		*(*float32)(r.place(i)) = v
	}
	return ok
}

// reduced reduces an array in one piece.
func reduced[T float](op Op, x, y *Array, n int64) (v T, ok bool) {
	switch op {
	case Sum:
		return exact.Sum(slice[T](x, n)), true
	case Dot:
		return exact.Dot(slice[T](x, n), slice[T](y, n)), true
	case Mean:
		return exact.Mean(slice[T](x, n), nil), true
	case Norm:
		return exact.Nrm2(slice[T](x, n)), true
	}
	return 0, false
}

// put stores result number i, from the sum of the elements or products and the
// sum of the squares.
func (r *Reduction) put(i int64, x, xx *exact.Accumulator) error {
	at := r.place(i)
	switch r.Result {
	case Float64:
		*(*float64)(at) = finish[float64](r, x, xx)
	case Float32:
		*(*float32)(at) = finish[float32](r, x, xx)
	case Float16, BFloat16:
		*(*uint16)(at) = shortened(r.Result, float64(finish[exact.Odd](r, x, xx)))
	default:
		v, err := Integer(x, r.Result)
		if err != nil {
			return err
		}
		*(*uint64)(at) = v
	}
	return nil
}

// finish returns the result, rounded once.
func finish[T exact.Result](r *Reduction, x, xx *exact.Accumulator) T {
	switch r.Op {
	case Mean:
		return exact.MeanOf[T](x)
	case Norm:
		return exact.SqrtOf[T](xx)
	case Var, Std:
		if r.DDOF >= x.Count() {
			return T(math.NaN())
		}
		if r.Op == Var {
			return exact.VarianceOf[T](x, xx, r.DDOF)
		}
		return exact.StdDevOf[T](x, xx, r.DDOF)
	}
	return exact.SumOf[T](x)
}

// Value returns the bits of a sum, rounded once to a format.
func Value(a *exact.Accumulator, f Format) (uint64, error) {
	switch f {
	case Float64:
		return math.Float64bits(a.Float64()), nil
	case Float32:
		return uint64(math.Float32bits(a.Float32())), nil
	case Float16, BFloat16:
		return uint64(shortened(f, float64(exact.SumOf[exact.Odd](a)))), nil
	}
	return Integer(a, f)
}

// Integer returns a sum of integers in 64 bits.
func Integer(a *exact.Accumulator, f Format) (uint64, error) {
	if v, ok := a.Int64(); ok && (f == Int64 || v >= 0) {
		return uint64(v), nil
	}
	if f == Uint64 {
		var b exact.Accumulator
		b.Merge(a)
		b.AddInt64(math.MinInt64)
		if v, ok := b.Int64(); ok && v >= 0 {
			return uint64(v) + 1<<63, nil
		}
	}
	return 0, ErrOverflow
}
