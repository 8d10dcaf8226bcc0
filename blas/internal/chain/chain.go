package chain

import (
	"runtime"

	"github.com/lastbit/lastbit/internal/kernel"
)

// View is a matrix: element (i, j) is Data[Offset + i·Row + j·Col]. Row and Col
// may be negative.
type View[T float32 | float64] struct {
	Data             []T
	Offset, Row, Col int
}

// at returns the index of element (i, j).
func (v View[T]) at(i, j int) int { return v.Offset + i*v.Row + j*v.Col }

// Part selects elements of a matrix.
type Part int

// The parts.
const (
	All   Part = iota
	Lower      // j ≤ i
	Upper      // j ≥ i
)

// Setting selects how a product is computed, never its bits. The zero value
// takes the fastest body of the kernels and all processors.
type Setting struct {
	Level   *kernel.Level // the bodies of the kernels; nil: kernel.Best()
	Threads int           // most goroutines; 0: runtime.GOMAXPROCS

	// The most rows, columns and products of each element that are computed
	// from one set of packed panels. 0: what fits the usual caches.
	Rows, Columns, Depth int

	// A size of the right factor's panels in bytes. From it on, the left factor
	// is packed once and the right one often; below it, the reverse. 0: more
	// than the second level of usual caches.
	OuterLeft int

	// The fewest products for each goroutine. 0: many times the cost of one.
	Work int
}

// Best returns the level of the kernels.
func (s Setting) Best() kernel.Level {
	if s.Level == nil {
		return kernel.Best()
	}
	return *s.Level
}

// threads returns the most goroutines.
func (s Setting) threads() int {
	if s.Threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return s.Threads
}

// Product updates the elements of the part of c, m rows by n columns, in place:
//
//	c(i, j) ← fma(alpha⊗a(i, p), b(p, j), c(i, j))    for p = 0, 1, …, k−1
//
// one after another. The other elements of c are neither read nor written, but
// lie in its Data too. c shares no element with a and b. An element outside of
// its Data panics before anything is computed.
func Product[T float32 | float64](s Setting, part Part, m, n, k int, alpha T, a, b, c View[T]) {
	run(s, false, part, m, n, k, alpha, a, b, c)
}

// Multiply is Product for elements of c that are +0, whatever they hold: they
// are not read. Without products, where k is 0, they are not set either.
func Multiply[T float32 | float64](s Setting, part Part, m, n, k int, alpha T, a, b, c View[T]) {
	run(s, true, part, m, n, k, alpha, a, b, c)
}

// run is Product, or Multiply if the elements are new.
func run[T float32 | float64](
	s Setting, isNew bool, part Part, m, n, k int, alpha T, a, b, c View[T],
) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	a.check(m, k)
	b.check(k, n)
	c.check(m, n)
	p := product[T]{
		kernels: kernel.NewChain[T](s.Best()),
		isNew:   isNew, part: part, m: m, n: n, k: k,
		left: factor[T]{a.operand(), alpha}, right: factor[T]{b.operand(), 1},
		to: c.operand(),
	}
	if c.Col != 1 && c.Row == 1 {
		p = p.transposed()
	}
	p.limit(s)
	p.run(s)
}

// check panics unless all elements of an m×n matrix are in Data. They are if
// its corners are.
func (v View[T]) check(m, n int) {
	_, _ = v.Data[v.at(0, 0)], v.Data[v.at(m-1, 0)]
	_, _ = v.Data[v.at(0, n-1)], v.Data[v.at(m-1, n-1)]
}

// operand returns the matrix as kernels get it.
func (v View[T]) operand() kernel.Operand[T] {
	return kernel.Operand[T]{At: &v.Data[v.Offset], Row: v.Row, Col: v.Col}
}

// columns returns the columns of the part in row i of n columns: from first to
// end.
func (p Part) columns(i, n int) (first, end int) {
	switch p {
	case Lower:
		return 0, min(i+1, n)
	case Upper:
		return min(i, n), n
	}
	return 0, n
}
