package chain

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/internal/kernel"
)

// layout places a matrix in memory.
type layout struct {
	name string
	// place returns the size of the memory and the fields of a View.
	place func(rows, cols int) (size, offset, row, col int)
}

// layouts are rows and columns in any order, dense and not.
var layouts = []layout{
	{"rows", func(m, n int) (int, int, int, int) { return m * n, 0, n, 1 }},
	{"columns", func(m, n int) (int, int, int, int) { return m * n, 0, 1, m }},
	{"wide rows", func(m, n int) (int, int, int, int) { return m * (n + 3), 0, n + 3, 1 }},
	{"wide columns", func(m, n int) (int, int, int, int) { return n*(m+5) + 2, 2, 1, m + 5 }},
	{"all reversed", func(m, n int) (int, int, int, int) { return m * n, m*n - 1, -n, -1 }},
	{"rows reversed", func(m, n int) (int, int, int, int) { return m * n, (m - 1) * n, -n, 1 }},
	{"columns reversed", func(m, n int) (int, int, int, int) { return m * n, (n - 1) * m, 1, -m }},
	{"sparse", func(m, n int) (int, int, int, int) { return m*n*6 + 1, 1, n * 6, 2 }},
}

const (
	mark  = 12345 // of memory that no product may touch
	guard = 64    // marks on either side of a matrix
)

// newMatrix returns a matrix of values, and the memory around it full of marks.
func newMatrix[T float32 | float64](l layout, rows, cols int, value func() T) (View[T], []T) {
	size, offset, row, col := l.place(rows, cols)
	all := make([]T, size+2*guard)
	for i := range all {
		all[i] = mark
	}
	v := View[T]{all[guard : guard+size], offset, row, col}
	for i := range rows {
		for j := range cols {
			v.Data[v.at(i, j)] = value()
		}
	}
	return v, all
}

// define computes a product by its definition. Elements of c that are new are
// +0 before it.
func define[T float32 | float64](
	part Part, isNew bool, m, n, k int, alpha T, a, b, c View[T],
) {
	for i := range m {
		for j := range n {
			if part == Lower && j > i || part == Upper && j < i {
				continue
			}
			sum := T(0)
			if !isNew {
				sum = c.Data[c.at(i, j)]
			}
			for p := range k {
				scaled := T(alpha * a.Data[a.at(i, p)])
				sum = kernel.FMA(scaled, b.Data[b.at(p, j)], sum)
			}
			c.Data[c.at(i, j)] = sum
		}
	}
}

// same compares bits; any NaN is any other.
func same[T float32 | float64](a, b T) bool {
	return math.Float64bits(float64(a)) == math.Float64bits(float64(b)) || a != a && b != b
}

// usual returns a random number.
func usual[T float32 | float64](rng *rand.Rand) T { return T(rng.NormFloat64()) }

// special returns a random number, or one with rules of its own.
func special[T float32 | float64](rng *rand.Rand) T {
	if rng.IntN(4) > 0 {
		return T(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20))
	}
	limits := []float64{math.SmallestNonzeroFloat64, math.MaxFloat64}
	if sizeOf[T]() == 4 {
		limits = []float64{math.SmallestNonzeroFloat32, math.MaxFloat32}
	}
	values := []float64{0, limits[0], 3 * limits[0], limits[1], 1, math.Inf(1), math.NaN()}
	v := values[rng.IntN(len(values))]
	if rng.IntN(2) == 0 {
		v = math.Copysign(v, -1)
	}
	return T(v)
}
