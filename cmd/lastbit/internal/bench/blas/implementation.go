package blas

import gonum "gonum.org/v1/gonum/blas"

// implementation is a BLAS whose routines are measured. Matrices are square
// and have contiguous rows.
type implementation interface {
	Dgemm(n int, a, b, c []float64) // C ← A·B
	Sgemm(n int, a, b, c []float32)
	Dgemv(t gonum.Transpose, n int, a, x, y []float64) // y ← A·x, or Aᵀ·x
	Ddot(x, y []float64) float64
	Daxpy(alpha float64, x, y []float64)
	Dasum(x []float64) float64

	// The triangle is the lower one.
	Dsymv(n int, a, x, y []float64) // y ← A·x
	Dtrmv(n int, a, x []float64)    // x ← A·x
	Dtrsv(n int, a, x []float64)    // x ← A⁻¹·x
	Dger(n int, alpha float64, x, y, a []float64)
	Dsyr(n int, alpha float64, x, a []float64)
}

// goImplementation is an implementation in Go.
type goImplementation struct {
	gonum.Float64
	gonum.Float32
}

func (g goImplementation) Dgemm(n int, a, b, c []float64) {
	g.Float64.Dgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
}

func (g goImplementation) Sgemm(n int, a, b, c []float32) {
	g.Float32.Sgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
}

func (g goImplementation) Dgemv(t gonum.Transpose, n int, a, x, y []float64) {
	g.Float64.Dgemv(t, n, n, 1, a, n, x, 1, 0, y, 1)
}

func (g goImplementation) Ddot(x, y []float64) float64 { return g.Float64.Ddot(len(x), x, 1, y, 1) }
func (g goImplementation) Daxpy(alpha float64, x, y []float64) {
	g.Float64.Daxpy(len(x), alpha, x, 1, y, 1)
}
func (g goImplementation) Dasum(x []float64) float64 { return g.Float64.Dasum(len(x), x, 1) }
