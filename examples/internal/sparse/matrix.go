package sparse

import (
	"cmp"
	"slices"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

// A Matrix holds the elements of a matrix that are not zero, row by row, in the
// compressed row storage format: row i is elements Start[i] to Start[i+1] of
// Columns and Values, with ascending columns.
type Matrix struct {
	Start   []int
	Columns []int
	Values  []float64
}

// Rows returns the number of rows.
func (m *Matrix) Rows() int { return len(m.Start) - 1 }

// Row returns the columns and the values of a row.
func (m *Matrix) Row(i int) (columns []int, values []float64) {
	from, to := m.Start[i], m.Start[i+1]
	return m.Columns[from:to], m.Values[from:to]
}

// At returns an element.
func (m *Matrix) At(i, j int) float64 {
	columns, values := m.Row(i)
	if k, ok := slices.BinarySearch(columns, j); ok {
		return values[k]
	}
	return 0
}

// Hash returns a hash of the matrix.
func (m *Matrix) Hash() string {
	return demo.NewHash().Ints(m.Start).Ints(m.Columns).Floats(m.Values).String()
}

// Mul computes y = A·x. Workers share the rows out.
func (m *Matrix) Mul(y, x []float64, arithmetic Arithmetic, workers int) {
	demo.Split(m.Rows(), workers, func(_, from, to int) {
		var gathered []float64
		for i := from; i < to; i++ {
			columns, values := m.Row(i)
			gathered = gathered[:0]
			for _, j := range columns {
				gathered = append(gathered, x[j])
			}
			y[i] = arithmetic.Row(values, gathered)
		}
	})
}

// An Assembly collects contributions to the elements of a matrix, several to
// one element if need be. The zero value holds none.
type Assembly struct{ all []contribution }

// contribution is one summand of element (i, j).
type contribution struct {
	i, j  int
	value float64
}

// Add adds v to element (i, j).
func (a *Assembly) Add(i, j int, v float64) {
	a.all = append(a.all, contribution{i, j, v})
}

// Merge adds all contributions of b.
func (a *Assembly) Merge(b *Assembly) { a.all = append(a.all, b.all...) }

// Matrix returns the matrix of n rows. It keeps the promise exact: an element
// is the real sum of its contributions, rounded once, so that their order does
// not matter. Workers share the rows out.
func (a *Assembly) Matrix(n, workers int) *Matrix {
	slices.SortFunc(a.all, func(x, y contribution) int {
		return cmp.Or(cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
	m := &Matrix{Start: make([]int, n+1)}
	var ends []int // of the contributions to each element
	for k, c := range a.all {
		if k == 0 || c.i != a.all[k-1].i || c.j != a.all[k-1].j {
			m.Columns, ends = append(m.Columns, c.j), append(ends, k)
			m.Start[c.i+1]++
		}
		ends[len(ends)-1] = k + 1
	}
	for i := range n {
		m.Start[i+1] += m.Start[i]
	}
	m.Values = make([]float64, len(ends))
	demo.Split(len(ends), workers, func(_, from, to int) {
		for e := from; e < to; e++ {
			begin := 0
			if e > 0 {
				begin = ends[e-1]
			}
			m.Values[e] = sum(a.all[begin:ends[e]])
		}
	})
	return m
}

// Vector returns the vector of n elements, as Matrix does: contributions to
// column 0 of row i are those to element i.
func (a *Assembly) Vector(n, workers int) []float64 {
	m := a.Matrix(n, workers)
	v := make([]float64, n)
	for i := range v {
		v[i] = m.At(i, 0)
	}
	return v
}

// sum returns the sum of contributions to one element, rounded once.
func sum(all []contribution) float64 {
	var a exact.Accumulator
	for _, c := range all {
		a.Add(c.value)
	}
	return a.Float64()
}
