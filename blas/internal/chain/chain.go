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
}

// level returns the level of the kernels.
func (s Setting) level() kernel.Level {
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
// The other elements of c are neither read nor written. c shares no memory with
// a and b.
func Product[T float32 | float64](s Setting, part Part, m, n, k int, alpha T, a, b, c View[T]) {
	for i := range m {
		first, end := part.columns(i, n)
		for j := first; j < end; j++ {
			sum := c.Data[c.at(i, j)]
			for p := range k {
				sum = kernel.FMA(alpha*a.Data[a.at(i, p)], b.Data[b.at(p, j)], sum)
			}
			c.Data[c.at(i, j)] = sum
		}
	}
}

// columns returns the first column of the part in row i of n columns, and the
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
