package gofunc

import (
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/floats"

	"github.com/lastbit/lastbit/probe"
)

// The BLAS is gonum's own, in Go and assembly, even in a program that has
// registered another with Use of blas64 or blas32.

func openFloats(e entry, s probe.Spec) (computer, error) {
	switch e.address {
	case "gonum:floats.Sum":
		//lastbit:ignore gonumbits the target to reveal
		return newVectors(s, func(x, _ []float64) float64 { return floats.Sum(x) }), nil
	case "gonum:floats.SumCompensated":
		return newVectors(s, func(x, _ []float64) float64 { return floats.SumCompensated(x) }), nil
	}
	return newVectors(s, floats.Dot), nil
}

// openMixedDot opens the dot products of float32 that accumulate in float64.
func openMixedDot(e entry, s probe.Spec) (computer, error) {
	if e.out != 0 {
		return newWideVectors(s, func(x, y []float32) float64 {
			//lastbit:ignore gonumbits the target to reveal
			return gonum.Implementation{}.Dsdot(s.N, x, s.Stride, y, s.Stride)
		}), nil
	}
	return newVectors(s, func(x, y []float32) float32 {
		//lastbit:ignore gonumbits the target to reveal
		return gonum.Implementation{}.Sdsdot(s.N, 0, x, s.Stride, y, s.Stride)
	}), nil
}

// routines are the BLAS routines of one format.
type routines[T float] struct {
	dot  func(n int, x []T, incX int, y []T, incY int) T
	gemv func(tA blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T,
		incY int)
	gemm func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T,
		c []T, ldc int)
}

func double() routines[float64] {
	var i gonum.Implementation
	return routines[float64]{i.Ddot, i.Dgemv, i.Dgemm}
}

func single() routines[float32] {
	var i gonum.Implementation
	return routines[float32]{i.Sdot, i.Sgemv, i.Sgemm}
}

func openBLAS[T float](r routines[T]) func(entry, probe.Spec) (computer, error) {
	return func(_ entry, s probe.Spec) (computer, error) {
		switch s.Op {
		case probe.Gemv:
			return newMatVec(r, s), nil
		case probe.Gemm:
			return newMatMat(r, s), nil
		}
		return newVectors(s, func(x, y []T) T { return r.dot(s.N, x, s.Stride, y, s.Stride) }), nil
	}
}

// matrix holds the first operand: rows × cols in row order, stored transposed
// or not.
type matrix[T float] struct {
	data       operand[T]
	rows, cols int
	trans      blas.Transpose
	ld         int
}

func newMatrix[T float](rows, cols int, transposed bool, align int) matrix[T] {
	m := matrix[T]{data: aligned[T](rows*cols, align), rows: rows, cols: cols, trans: blas.NoTrans,
		ld: cols}
	if transposed {
		m.trans, m.ld = blas.Trans, rows
	}
	return m
}

func (m matrix[T]) load(src []float64) {
	if m.trans == blas.Trans {
		transpose(m.data.v, src, m.rows, m.cols)
		return
	}
	narrow(m.data.v, 1, src)
}

// fill sets every column of the matrix to the same values.
func (m matrix[T]) fill(col []float64) {
	if m.trans == blas.Trans {
		for c := range m.cols {
			narrow(m.data.v[c*m.rows:], 1, col)
		}
		return
	}
	for r, v := range col {
		row := m.data.v[r*m.cols : (r+1)*m.cols]
		for c := range row {
			row[c] = T(v)
		}
	}
}

// matVec computes A·y with gemv, the vectors with a stride.
type matVec[T float] struct {
	a      matrix[T]
	y, out operand[T]
	stride int
	gemv   func(tA blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T,
		y []T, incY int)
}

func newMatVec[T float](r routines[T], s probe.Spec) *matVec[T] {
	return &matVec[T]{
		a:      newMatrix[T](s.M, s.N, s.Trans == "a", s.Align),
		y:      aligned[T]((s.N-1)*s.Stride+1, s.Align),
		out:    aligned[T]((s.M-1)*s.Stride+1, s.Align),
		stride: s.Stride,
		gemv:   r.gemv,
	}
}

func (g *matVec[T]) lanes() int { return g.a.rows }

func (g *matVec[T]) load(b *probe.Batch) {
	g.a.load(b.X)
	narrow(g.y.v, g.stride, b.Y)
}

func (g *matVec[T]) compute() {
	m, n := g.a.rows, g.a.cols // of A in memory
	if g.a.trans == blas.Trans {
		m, n = n, m
	}
	g.gemv(g.a.trans, m, n, 1, g.a.data.v, g.a.ld, g.y.v, g.stride, 0, g.out.v,
		g.stride)
}

func (g *matVec[T]) store(out []float64) {
	for r := range out {
		out[r] = float64(g.out.v[r*g.stride])
	}
}

func (g *matVec[T]) reach() probe.Placement {
	return probe.Placement{X: reach, Y: reach, Out: reach}
}

func (g *matVec[T]) move(at probe.Placement) {
	g.a.data.move(at.X)
	g.y.move(at.Y)
	g.out.move(at.Out)
}

// matMat computes A·B with gemm; every column of B is y.
type matMat[T float] struct {
	a, b matrix[T]
	out  operand[T]
	col  int // the one that the lanes are
	gemm func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T,
		c []T, ldc int)
}

func newMatMat[T float](r routines[T], s probe.Spec) *matMat[T] {
	return &matMat[T]{
		a:    newMatrix[T](s.M, s.N, strings.Contains(s.Trans, "a"), s.Align),
		b:    newMatrix[T](s.N, s.Cols, strings.Contains(s.Trans, "b"), s.Align),
		out:  aligned[T](s.M*s.Cols, s.Align),
		col:  s.OutIndex[1],
		gemm: r.gemm,
	}
}

func (g *matMat[T]) lanes() int { return g.a.rows }

func (g *matMat[T]) load(b *probe.Batch) {
	g.a.load(b.X)
	g.b.fill(b.Y)
}

func (g *matMat[T]) compute() {
	g.gemm(g.a.trans, g.b.trans, g.a.rows, g.b.cols, g.a.cols, 1, g.a.data.v, g.a.ld,
		g.b.data.v, g.b.ld, 0, g.out.v, g.b.cols)
}

func (g *matMat[T]) store(out []float64) {
	for r := range out {
		out[r] = float64(g.out.v[r*g.b.cols+g.col])
	}
}

func (g *matMat[T]) cells() (rows, cols int) { return g.a.rows, g.b.cols }

func (g *matMat[T]) storeCells(all []float64) {
	for i, v := range g.out.v {
		all[i] = float64(v)
	}
}

func (g *matMat[T]) reach() probe.Placement {
	return probe.Placement{X: reach, Y: reach, Out: reach}
}

func (g *matMat[T]) move(at probe.Placement) {
	g.a.data.move(at.X)
	g.b.data.move(at.Y)
	g.out.move(at.Out)
}
