// Package openblas calls the OpenBLAS of this machine, for experiments.
package openblas

import (
	"errors"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/dl"
)

// A Library is an OpenBLAS. Its methods take square matrices with contiguous
// rows.
type Library struct {
	Core       string        // the processor that its kernels are for
	SetThreads func(n int32) // sets the number of threads that calls may use

	gemm64 func(order, tA, tB, m, n, k int32, alpha float64, a *float64, lda int32,
		b *float64, ldb int32, beta float64, c *float64, ldc int32)
	gemm32 func(order, tA, tB, m, n, k int32, alpha float32, a *float32, lda int32,
		b *float32, ldb int32, beta float32, c *float32, ldc int32)
	gemv64 func(order, t, m, n int32, alpha float64, a *float64, lda int32, x *float64,
		incX int32, beta float64, y *float64, incY int32)
	dot64  func(n int32, x *float64, incX int32, y *float64, incY int32) float64
	axpy64 func(n int32, alpha float64, x *float64, incX int32, y *float64, incY int32)
	asum64 func(n int32, x *float64, incX int32) float64
	symv64 func(order, ul, n int32, alpha float64, a *float64, lda int32, x *float64,
		incX int32, beta float64, y *float64, incY int32)
	trmv64, trsv64 func(order, ul, t, diag, n int32, a *float64, lda int32, x *float64,
		incX int32)
	ger64 func(order, m, n int32, alpha float64, x *float64, incX int32, y *float64,
		incY int32, a *float64, lda int32)
	syr64 func(order, ul, n int32, alpha float64, x *float64, incX int32, a *float64,
		lda int32)
}

// Load returns the system's OpenBLAS.
func Load() (*Library, error) {
	var reasons []error
	for _, name := range []string{"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib"} {
		c, err := load(name)
		if err == nil {
			return c, nil
		}
		reasons = append(reasons, err)
	}
	return nil, errors.Join(reasons...)
}

// load returns an OpenBLAS of that name.
func load(name string) (*Library, error) {
	lib, err := dl.Open(name)
	if err != nil {
		return nil, err
	}
	c := new(Library)
	var core func() string
	for _, f := range []struct {
		symbol string
		fptr   any
	}{
		{"openblas_get_corename", &core},
		{"openblas_set_num_threads", &c.SetThreads},
		{"cblas_dgemm", &c.gemm64},
		{"cblas_sgemm", &c.gemm32},
		{"cblas_dgemv", &c.gemv64},
		{"cblas_ddot", &c.dot64},
		{"cblas_daxpy", &c.axpy64},
		{"cblas_dasum", &c.asum64},
		{"cblas_dsymv", &c.symv64},
		{"cblas_dtrmv", &c.trmv64},
		{"cblas_dtrsv", &c.trsv64},
		{"cblas_dger", &c.ger64},
		{"cblas_dsyr", &c.syr64},
	} {
		if err := lib.Func(f.symbol, f.fptr); err != nil {
			return nil, err
		}
	}
	c.Core = core()
	return c, nil
}

// Values of the enumerations of CBLAS.
const (
	rowMajor = 101
	noTrans  = 111
	trans    = 112
	lower    = 122
	nonUnit  = 131
)

// Dgemm computes C = A·B, for float64.
func (l *Library) Dgemm(order int, x, y, z []float64) {
	n := int32(order)
	l.gemm64(rowMajor, noTrans, noTrans, n, n, n, 1, &x[0], n, &y[0], n, 0, &z[0], n)
}

// Sgemm computes C = A·B, for float32.
func (l *Library) Sgemm(order int, x, y, z []float32) {
	n := int32(order)
	l.gemm32(rowMajor, noTrans, noTrans, n, n, n, 1, &x[0], n, &y[0], n, 0, &z[0], n)
}

// Dgemv computes y = A·x, or Aᵀ·x.
func (l *Library) Dgemv(t gonum.Transpose, order int, a, x, y []float64) {
	n, how := int32(order), int32(noTrans)
	if t == gonum.Trans {
		how = trans
	}
	l.gemv64(rowMajor, how, n, n, 1, &a[0], n, &x[0], 1, 0, &y[0], 1)
}

// Ddot returns Σ x[i]·y[i].
func (l *Library) Ddot(x, y []float64) float64 {
	return l.dot64(int32(len(x)), &x[0], 1, &y[0], 1)
}

// Daxpy adds alpha·x to y.
func (l *Library) Daxpy(alpha float64, x, y []float64) {
	l.axpy64(int32(len(x)), alpha, &x[0], 1, &y[0], 1)
}

// Dasum returns Σ |x[i]|.
func (l *Library) Dasum(x []float64) float64 { return l.asum64(int32(len(x)), &x[0], 1) }

// Dsymv computes y = A·x with a symmetric matrix, by its lower triangle.
func (l *Library) Dsymv(order int, a, x, y []float64) {
	n := int32(order)
	l.symv64(rowMajor, lower, n, 1, &a[0], n, &x[0], 1, 0, &y[0], 1)
}

// Dtrmv computes x = A·x with the lower triangle.
func (l *Library) Dtrmv(order int, a, x []float64) {
	n := int32(order)
	l.trmv64(rowMajor, lower, noTrans, nonUnit, n, &a[0], n, &x[0], 1)
}

// Dtrsv computes x = A⁻¹·x with the lower triangle.
func (l *Library) Dtrsv(order int, a, x []float64) {
	n := int32(order)
	l.trsv64(rowMajor, lower, noTrans, nonUnit, n, &a[0], n, &x[0], 1)
}

// Dger adds alpha·x·yᵀ to A.
func (l *Library) Dger(order int, alpha float64, x, y, a []float64) {
	n := int32(order)
	l.ger64(rowMajor, n, n, alpha, &x[0], 1, &y[0], 1, &a[0], n)
}

// Dsyr adds alpha·x·xᵀ to the lower triangle of A.
func (l *Library) Dsyr(order int, alpha float64, x, a []float64) {
	n := int32(order)
	l.syr64(rowMajor, lower, n, alpha, &x[0], 1, &a[0], n)
}
