package cblas

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// problem is a random call and its operands as matrices, which can be stored by
// rows or by columns.
type problem[T element] struct {
	call    Call
	a, b, c grid[T]
}

// grid is a matrix, or a vector of one column. Its form decides which elements
// are stored where.
type grid[T element] struct {
	rows, cols int
	at         []T
	form       form
	kl, ku     int // of a band
	upper      bool
}

type form int

const (
	absent form = iota
	full
	band
	packed
	vector
)

// stored returns a grid in memory, with ld elements between its runs, and the
// places of its elements.
func (g grid[T]) stored(layout byte, ld int) (data []T, place func(i, j int) int) {
	switch g.form {
	case absent:
		return nil, nil
	case vector:
		place = func(i, _ int) int { return 2 * i }
	case packed:
		place = func(i, j int) int { return packedPlace(layout, g.upper, g.rows, i, j) }
	case band:
		place = func(i, j int) int {
			if d := j - i; d < -g.kl || d > g.ku {
				return -1
			}
			if layout == 'R' {
				return i*ld + j - i + g.kl
			}
			return j*ld + g.ku + i - j
		}
	case full:
		place = func(i, j int) int {
			if layout == 'R' {
				return i*ld + j
			}
			return j*ld + i
		}
	}
	size := 0
	for i := range g.rows {
		for j := range g.cols {
			size = max(size, place(i, j)+1)
		}
	}
	if g.form == band {
		size = max(g.rows, g.cols) * ld // a run is stored in full
	}
	data = make([]T, size)
	for i := range g.rows {
		for j := range g.cols {
			if k := place(i, j); k >= 0 {
				data[k] = g.at[i*g.cols+j]
			}
		}
	}
	return data, place
}

// packedPlace returns the place of an element of a packed triangle, or −1.
func packedPlace(layout byte, upper bool, n, i, j int) int {
	if upper != (j >= i) && i != j {
		return -1
	}
	if layout == 'C' {
		i, j, upper = j, i, !upper
	}
	if upper { // rows that begin at the diagonal
		return i*n - i*(i-1)/2 + j - i
	}
	return i*(i+1)/2 + j
}

// run computes the problem in a layout and returns A, B and C after it.
func (p problem[T]) run(t *testing.T, layout byte) [3]grid[T] {
	t.Helper()
	c := p.call
	c.Layout = layout
	grids := [3]grid[T]{p.a, p.b, p.c}
	var places [3]func(i, j int) int
	var data [3][]T
	for s, ld := range []*int64{&c.LDA, &c.LDB, &c.LDC} {
		g := grids[s]
		width := g.cols
		if layout == 'C' {
			width = g.rows
		}
		if g.form == band {
			width = g.kl + g.ku + 1
		}
		*ld = int64(max(1, width) + 1)
		data[s], places[s] = g.stored(layout, int(*ld))
		if len(data[s]) > 0 {
			c.Arrays[s] = Array{
				At: unsafe.Pointer(&data[s][0]), Count: int64(len(data[s])),
				Size: int32(unsafe.Sizeof(data[s][0])), Direction: 3,
			}
		}
	}
	if err := c.Run(); err != nil {
		t.Fatalf("%c %v by %c: %v", c.Format, c.Routine, layout, err)
	}
	for s := range grids {
		g := &grids[s]
		g.at = append([]T(nil), g.at...)
		for i := range g.rows {
			for j := range g.cols {
				if k := places[s](i, j); k >= 0 {
					g.at[i*g.cols+j] = data[s][k]
				}
			}
		}
	}
	return grids
}

// maker makes random problems of a format.
type maker[T element] struct {
	*rand.Rand
	format byte
}

func (r maker[T]) grid(rows, cols int, f form) grid[T] {
	g := grid[T]{rows: rows, cols: cols, form: f, at: make([]T, rows*cols)}
	for i := range g.at {
		g.at[i] = number[T]([2]float64{r.NormFloat64(), r.NormFloat64()})
	}
	return g
}

// triangle returns a matrix of order n with a heavy diagonal, so that systems
// are well conditioned.
func (r maker[T]) triangle(n int, f form) grid[T] {
	g := r.grid(n, n, f)
	for i := range n {
		g.at[i*n+i] += 4
	}
	return g
}

func (r maker[T]) scalar() [2]float64 {
	v := [2]float64{r.NormFloat64()}
	if isComplex[T]() {
		v[1] = r.NormFloat64()
	}
	return v
}

func (r maker[T]) letter(letters string) byte { return letters[r.IntN(len(letters))] }

// problem returns a random problem of a routine.
func (r maker[T]) problem(routine Routine) problem[T] {
	m, n, k := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9)
	p := problem[T]{call: Call{
		Routine: routine, Format: int32(r.format), IncX: 2, IncY: 2,
		Side: r.letter("LR"), Uplo: r.letter("UL"), TransA: r.letter("NTC"),
		TransB: r.letter("NTC"), Diag: r.letter("UN"), Alpha: r.scalar(), Beta: r.scalar(),
	}}
	c := &p.call
	switch routine {
	case Gemv, Gbmv, Ger, Gerc:
		r.general(&p, m, n)
	case Symv, Sbmv, Spmv, Syr, Spr, Syr2, Spr2, Trmv, Tbmv, Tpmv, Trsv, Tbsv, Tpsv:
		r.half(&p, n)
	case Gemm:
		p.a, p.b = r.factor(c.TransA, m, k), r.factor(c.TransB, k, n)
		p.c = r.grid(m, n, full)
		c.M, c.N, c.K = int64(m), int64(n), int64(k)
	case Symm, Hemm, Trmm, Trsm:
		order := m
		if c.Side == 'R' {
			order = n
		}
		p.a, p.b = r.triangle(order, full), r.grid(m, n, full)
		if routine == Symm || routine == Hemm {
			p.c = r.grid(m, n, full)
		}
		c.M, c.N = int64(m), int64(n)
	default: // updates of rank k
		c.TransA = r.letter("NT")
		if routine == Herk || routine == Her2k {
			c.TransA = r.letter("NC")
			c.Beta[1] = 0
		}
		if routine == Herk {
			c.Alpha[1] = 0
		}
		p.a, p.b = r.factor(c.TransA, n, k), r.factor(c.TransA, n, k)
		p.c = r.grid(n, n, full)
		c.N, c.K = int64(n), int64(k)
	}
	return p
}

// factor returns a matrix whose operation is rows × cols.
func (r maker[T]) factor(t byte, rows, cols int) grid[T] {
	if t != 'N' {
		rows, cols = cols, rows
	}
	return r.grid(rows, cols, full)
}

func (r maker[T]) general(p *problem[T], m, n int) {
	c := &p.call
	p.a = r.grid(m, n, full)
	if c.Routine == Gbmv {
		p.a.form, p.a.kl, p.a.ku = band, r.IntN(m), r.IntN(n)
		c.KL, c.KU = int64(p.a.kl), int64(p.a.ku)
	}
	x, y := m, n
	if c.TransA == 'N' && (c.Routine == Gemv || c.Routine == Gbmv) {
		x, y = n, m
	}
	p.b, p.c = r.grid(x, 1, vector), r.grid(y, 1, vector)
	c.M, c.N = int64(m), int64(n)
}

func (r maker[T]) half(p *problem[T], n int) {
	c := &p.call
	p.a, p.b = r.triangle(n, full), r.grid(n, 1, vector)
	p.a.upper = c.Uplo == 'U'
	switch c.Routine {
	case Sbmv, Tbmv, Tbsv:
		k := r.IntN(n)
		p.a.form, c.K = band, int64(k)
		if p.a.upper {
			p.a.ku = k
		} else {
			p.a.kl = k
		}
	case Spmv, Spr, Spr2, Tpmv, Tpsv:
		p.a.form = packed
	}
	switch c.Routine {
	case Symv, Sbmv, Spmv, Syr2, Spr2:
		p.c = r.grid(n, 1, vector)
	case Syr, Spr:
		c.Alpha[1] = 0
	}
	c.N = int64(n)
}

// TestLayouts compares calls on matrices by columns with the same calls by
// rows: the results differ by rounding only.
func TestLayouts(t *testing.T) {
	t.Run("s", func(t *testing.T) { testLayouts[float32](t, 's', 1e-3) })
	t.Run("d", func(t *testing.T) { testLayouts[float64](t, 'd', 1e-11) })
	t.Run("c", func(t *testing.T) { testLayouts[complex64](t, 'c', 1e-3) })
	t.Run("z", func(t *testing.T) { testLayouts[complex128](t, 'z', 1e-11) })
}

func testLayouts[T element](t *testing.T, format byte, tolerance float64) {
	for routine := Gemv; routine < firstFactorization; routine++ {
		switch routine {
		case Gerc, Hemm, Herk, Her2k:
			if !isComplex[T]() {
				continue
			}
		}
		for seed := range uint64(60) {
			r := maker[T]{rand.New(rand.NewPCG(seed, uint64(routine))), format}
			p := r.problem(routine)
			rows, cols := p.run(t, 'R'), p.run(t, 'C')
			for s := range rows {
				if at := apart(rows[s], cols[s], tolerance); at != "" {
					t.Fatalf("%c%v, seed %d: operand %d %s: %+v", format, routine, seed, s, at,
						p.call)
				}
			}
		}
	}
}

// apart returns where two grids differ by more than rounding, or "".
func apart[T element](a, b grid[T], tolerance float64) string {
	for i := range a.at {
		x, y := partsOf(a.at[i]), partsOf(b.at[i])
		u, v := complex(x[0], x[1]), complex(y[0], y[1])
		if d := cmplx.Abs(u - v); !(d <= tolerance*math.Max(1, cmplx.Abs(u))) {
			return fmt.Sprintf("element %d: %v by rows, %v by columns", i, u, v)
		}
	}
	return ""
}
