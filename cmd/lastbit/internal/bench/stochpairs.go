package bench

import (
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/stoch"
)

// pairOp is an operation x[i] = y[i] op x[i], repeated.
type pairOp[T stoch.Float] struct {
	name   string
	factor T // elements of y
	plain  func(x, y []T, repeats int)
	scalar func(a *stoch.Arithmetic[T], x, y []stoch.Number[T], repeats int)
	vector func(l kernel.Level, dst, x, y []T)
	slice  func(a *stoch.Arithmetic[T], dst, x, y stoch.Slice[T])
}

// compute repeats the operation on each element: Program 2 of the paper.
func (op pairOp[T]) compute() stochCase {
	c := op.on(stochSmall, stochRepeats)
	c.unit, c.units = "operation", stochSmall*stochRepeats
	return c
}

// memory runs over all elements: Program 3 of the paper.
func (op pairOp[T]) memory() stochCase {
	c := op.on(stochLarge, 1)
	c.unit, c.units = "operation", stochLarge
	return c
}

// on returns the functions for n elements and repeats of each. x begins anew
// where it is repeated, so that it stays in range.
func (op pairOp[T]) on(n, repeats int) (c stochCase) {
	start, y := make([]T, n), make([]T, n)
	for i := range n {
		start[i], y[i] = 1+T(i%1000)/1000, op.factor
	}
	numbers := func(values []T) []stoch.Number[T] {
		s := make([]stoch.Number[T], n)
		for i, v := range values {
			s[i] = stoch.Of(v)
		}
		return s
	}
	x, sx, sy := make([]T, n), numbers(start), numbers(y)
	begin := numbers(start)
	copy(x, start)
	c.plain = func() {
		copy(x, start)
		op.plain(x, y, repeats)
	}
	c.scalar = both(func(a *stoch.Arithmetic[T]) {
		copy(sx, begin)
		op.scalar(a, sx, sy, repeats)
	})
	v := append([]T(nil), start...)
	if l := kernel.Best(); l.HasPlain() {
		c.plainSlice = func() {
			copy(v, start)
			for range repeats {
				op.vector(l, v, v, y)
			}
		}
	}
	vx, vy, vstart := stoch.SliceOf(start), stoch.SliceOf(y), stoch.SliceOf(start)
	c.slice = both(func(a *stoch.Arithmetic[T]) {
		vx.Copy(vstart)
		for range repeats {
			op.slice(a, vx, vy, vx)
		}
	})
	if repeats == 1 { // copies would count
		c.plain = func() { op.plain(x, y, 1) }
		c.scalar = both(func(a *stoch.Arithmetic[T]) { op.scalar(a, sx, sy, 1) })
		c.slice = both(func(a *stoch.Arithmetic[T]) { op.slice(a, vx, vy, vx) })
		if c.plainSlice != nil {
			c.plainSlice = func() { op.vector(kernel.Best(), v, v, y) }
		}
	}
	return c
}

func plainAdd[T stoch.Float](x, y []T, repeats int) {
	for i := range x {
		for range repeats {
			x[i] = y[i] + x[i]
		}
	}
}

func plainMul[T stoch.Float](x, y []T, repeats int) {
	for i := range x {
		for range repeats {
			x[i] = y[i] * x[i]
		}
	}
}

func scalarAdd[T stoch.Float](a *stoch.Arithmetic[T], x, y []stoch.Number[T], repeats int) {
	for i := range x {
		for range repeats {
			x[i] = a.Add(y[i], x[i])
		}
	}
}

func scalarMul[T stoch.Float](a *stoch.Arithmetic[T], x, y []stoch.Number[T], repeats int) {
	for i := range x {
		for range repeats {
			x[i] = a.Mul(y[i], x[i])
		}
	}
}
