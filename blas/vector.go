package blas

import "sync"

// contiguous returns the n elements of a strided vector as a slice: x itself
// where it is one, else a copy. Element 0 of a vector with a negative increment
// is the last in memory.
func contiguous[T number](x []T, n, inc int) []T { return contiguousIn(new([]T), x, n, inc) }

// contiguousIn is contiguous, with the copy in a buffer that grows to fit.
func contiguousIn[T number](buffer *[]T, x []T, n, inc int) []T {
	if inc == 1 {
		return x[:n]
	}
	if n > len(*buffer) {
		*buffer = make([]T, n)
	}
	dst := (*buffer)[:n]
	for i, at := 0, first(n, inc); i < n; i, at = i+1, at+inc {
		dst[i] = x[at]
	}
	return dst
}

// copies holds buffers for copies of strided vectors. They are on the heap,
// because goroutines may share them.
type copies[T number] struct{ x, y []T }

// Idle copies.
var copies32, copies64, copies128, copiesComplex64 sync.Pool

// idle returns the idle copies of a format.
func idle[T number]() *sync.Pool {
	var v T
	switch any(v).(type) {
	case float32:
		return &copies32
	case float64:
		return &copies64
	case complex64:
		return &copiesComplex64
	}
	return &copies128
}

// borrow returns copies to be used until they are given back.
func borrow[T number]() *copies[T] {
	if c, ok := idle[T]().Get().(*copies[T]); ok {
		return c
	}
	return new(copies[T])
}

func (c *copies[T]) giveBack() { idle[T]().Put(c) }

// store copies a slice that contiguous returned back to the vector.
func store[T number](v, x []T, inc int) {
	if inc == 1 {
		return
	}
	for i, at := 0, first(len(v), inc); i < len(v); i, at = i+1, at+inc {
		x[at] = v[i]
	}
}

// first returns the place of element 0 of a vector of n elements.
func first(n, inc int) int {
	if inc < 0 {
		return (1 - n) * inc
	}
	return 0
}
