package stoch

import (
	"reflect"
	"slices"

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

// compute repeats the operation on each element: Program 2 of the paper. x
// begins anew each time, so that it stays in range.
func (op pairOp[T]) compute() programs {
	return op.on(small, repeats, 1)
}

// memory runs over all elements, and again: Program 3 of the paper. The first
// run moves the elements of the function before out of the caches.
func (op pairOp[T]) memory() programs {
	return op.on(large/int(reflect.TypeFor[T]().Size()), 1, runs)
}

// on returns the functions for n elements, repeats of each, and runs over all.
func (op pairOp[T]) on(n, repeats, runs int) (c programs) {
	c.unit, c.units = "operation", n*repeats*runs
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
	x, sx, sy := slices.Clone(start), numbers(start), numbers(y)
	vx, vy := stoch.SliceOf(start), stoch.SliceOf(y)
	restart := func(begin func()) {
		if runs == 1 { // copies of more would count
			begin()
		}
	}
	c.plain = func() {
		restart(func() { copy(x, start) })
		for range runs {
			op.plain(x, y, repeats)
		}
	}
	var begin []stoch.Number[T]
	var vbegin stoch.Slice[T]
	restart(func() { begin, vbegin = numbers(start), stoch.SliceOf(start) })
	c.scalar = both(func(a *stoch.Arithmetic[T]) {
		restart(func() { copy(sx, begin) })
		for range runs {
			op.scalar(a, sx, sy, repeats)
		}
	})
	if l := kernel.Best(); l.HasPlain() {
		c.plainSlice = func() {
			restart(func() { copy(x, start) })
			for range repeats * runs {
				op.vector(l, x, x, y)
			}
		}
	}
	c.slice = both(func(a *stoch.Arithmetic[T]) {
		restart(func() { vx.Copy(vbegin) })
		for range repeats * runs {
			op.slice(a, vx, vy, vx)
		}
	})
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
