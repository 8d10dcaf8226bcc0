package chain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/kernel"
)

// layout is the placement of a matrix in memory.
type layout struct {
	name string
	view func(rows, cols int) (size, offset, row, col int)
}

// layouts are rows or columns in any order, dense and not.
var layouts = []layout{
	{"rows", func(m, n int) (int, int, int, int) { return m * n, 0, n, 1 }},
	{"columns", func(m, n int) (int, int, int, int) { return m * n, 0, 1, m }},
	{"wide rows", func(m, n int) (int, int, int, int) { return m * (n + 3), 0, n + 3, 1 }},
	{"wide columns", func(m, n int) (int, int, int, int) { return n * (m + 5), 2, 1, m + 5 }},
	{"rows reversed", func(m, n int) (int, int, int, int) { return m * n, m*n - 1, -n, -1 }},
	{"rows from the last", func(m, n int) (int, int, int, int) { return m * n, (m - 1) * n, -n, 1 }},
	{"columns from the last", func(m, n int) (int, int, int, int) { return m * n, (n - 1) * m, 1, -m }},
	{"sparse", func(m, n int) (int, int, int, int) { return m * n * 6, 1, n * 6, 2 }},
}

const mark = 12345 // of memory that no product may touch

// newMatrix returns a matrix, and the memory around it full of marks.
func newMatrix[T float32 | float64](l layout, rows, cols int, value func() T) (View[T], []T) {
	const guard = 64
	size, offset, row, col := l.view(rows, cols)
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

// define computes a product by its definition.
func define[T float32 | float64](part Part, m, n, k int, alpha T, a, b, c View[T]) {
	for i := range m {
		for j := range n {
			if part == Lower && j > i || part == Upper && j < i {
				continue
			}
			sum := c.Data[c.at(i, j)]
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

// trial is a product to be tried.
type trial struct {
	part      Part
	m, n, k   int
	alpha     float64
	a, b, c   layout
	rng       *rand.Rand
	isSpecial bool
}

// holdDefinition compares all memory around c after a product with the
// definition's, for some settings.
func holdDefinition[T float32 | float64](t *testing.T, x trial, settings []Setting) {
	t.Helper()
	value := func() T { return T(x.rng.NormFloat64()) }
	if x.isSpecial {
		value = func() T { return special[T](x.rng) }
	}
	a, _ := newMatrix(x.a, x.m, x.k, value)
	b, _ := newMatrix(x.b, x.k, x.n, value)
	c, before := newMatrix(x.c, x.m, x.n, value)
	begin := append([]T(nil), before...)
	define(x.part, x.m, x.n, x.k, T(x.alpha), a, b, c)
	want := append([]T(nil), before...)
	for _, s := range settings {
		copy(before, begin)
		Product(s, x.part, x.m, x.n, x.k, T(x.alpha), a, b, c)
		for i := range want {
			if !same(before[i], want[i]) {
				t.Fatalf("%d×%d×%d part %d, alpha %v, %s·%s to %s, level %v, %+v: element %d is %v, "+
					"want %v, was %v", x.m, x.n, x.k, x.part, x.alpha, x.a.name, x.b.name, x.c.name,
					s.level(), s, i, before[i], want[i], begin[i])
			}
		}
	}
}

// special returns a random number, or one of those with rules of their own.
func special[T float32 | float64](rng *rand.Rand) T {
	if rng.IntN(4) > 0 {
		return T(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20))
	}
	limits := []float64{math.SmallestNonzeroFloat64, math.MaxFloat64}
	if sizeOf[T]() == 4 {
		limits = []float64{math.SmallestNonzeroFloat32, math.MaxFloat32}
	}
	tiny, huge := T(limits[0]), T(limits[1])
	values := []T{0, T(math.Copysign(0, -1)), tiny, -tiny, 3 * tiny, huge, -huge, 1, -1,
		T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN())}
	return values[rng.IntN(len(values))]
}

// settings returns settings for every level, threads and blocks.
func settings() (all []Setting) {
	for _, l := range kernel.Levels() {
		for _, s := range []Setting{{Threads: 1}, {Threads: 3}, {Threads: 1, Rows: 16, Columns: 48,
			Depth: 7}} {
			s.Level = &l
			all = append(all, s)
		}
	}
	return all
}

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		x := trial{Part(rng.IntN(3)), 1 + rng.IntN(60), 1 + rng.IntN(110), 1 + rng.IntN(40),
			[]float64{1, -1, 0.3}[rng.IntN(3)], layouts[rng.IntN(len(layouts))],
			layouts[rng.IntN(len(layouts))], layouts[rng.IntN(len(layouts))], rng, rng.IntN(2) == 0}
		holdDefinition[float64](t, x, settings())
		holdDefinition[float32](t, x, settings())
	}
	_ = fmt.Sprint
}
