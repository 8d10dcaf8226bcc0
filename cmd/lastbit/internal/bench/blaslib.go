package bench

import (
	"errors"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/dl"
)

// blasImplementation is a BLAS whose routines are measured. Matrices are square
// and have contiguous rows.
type blasImplementation interface {
	dgemm(n int, a, b, c []float64) // C ← A·B
	sgemm(n int, a, b, c []float32)
	dgemv(t gonum.Transpose, n int, a, x, y []float64) // y ← A·x, or Aᵀ·x
	ddot(x, y []float64) float64
	daxpy(alpha float64, x, y []float64)
	dasum(x []float64) float64

	// The triangle is the lower one.
	dsymv(n int, a, x, y []float64) // y ← A·x
	dtrmv(n int, a, x []float64)    // x ← A·x
	dtrsv(n int, a, x []float64)    // x ← A⁻¹·x
	dger(n int, alpha float64, x, y, a []float64)
	dsyr(n int, alpha float64, x, a []float64)
}

// goBLAS is an implementation in Go.
type goBLAS struct {
	gonum.Float64
	gonum.Float32
}

func (g goBLAS) dgemm(n int, a, b, c []float64) {
	g.Dgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
}

func (g goBLAS) sgemm(n int, a, b, c []float32) {
	g.Sgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
}

func (g goBLAS) dgemv(t gonum.Transpose, n int, a, x, y []float64) {
	g.Dgemv(t, n, n, 1, a, n, x, 1, 0, y, 1)
}

func (g goBLAS) ddot(x, y []float64) float64         { return g.Ddot(len(x), x, 1, y, 1) }
func (g goBLAS) daxpy(alpha float64, x, y []float64) { g.Daxpy(len(x), alpha, x, 1, y, 1) }
func (g goBLAS) dasum(x []float64) float64           { return g.Dasum(len(x), x, 1) }

// cblas is an implementation in a shared library.
type cblas struct {
	core       string // the processor that its kernels are for
	setThreads func(n int32)

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

// loadOpenBLAS returns the system's OpenBLAS.
func loadOpenBLAS() (*cblas, error) {
	var reasons []error
	for _, name := range []string{"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib"} {
		c, err := loadCBLAS(name)
		if err == nil {
			return c, nil
		}
		reasons = append(reasons, err)
	}
	return nil, errors.Join(reasons...)
}

// loadCBLAS returns an OpenBLAS of that name.
func loadCBLAS(name string) (*cblas, error) {
	lib, err := dl.Open(name)
	if err != nil {
		return nil, err
	}
	c := new(cblas)
	var core func() string
	for _, f := range []struct {
		symbol string
		fptr   any
	}{
		{"openblas_get_corename", &core},
		{"openblas_set_num_threads", &c.setThreads},
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
	c.core = core()
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

func (c *cblas) dgemm(order int, x, y, z []float64) {
	n := int32(order)
	c.gemm64(rowMajor, noTrans, noTrans, n, n, n, 1, &x[0], n, &y[0], n, 0, &z[0], n)
}

func (c *cblas) sgemm(order int, x, y, z []float32) {
	n := int32(order)
	c.gemm32(rowMajor, noTrans, noTrans, n, n, n, 1, &x[0], n, &y[0], n, 0, &z[0], n)
}

func (c *cblas) dgemv(t gonum.Transpose, order int, a, x, y []float64) {
	n, how := int32(order), int32(noTrans)
	if t == gonum.Trans {
		how = trans
	}
	c.gemv64(rowMajor, how, n, n, 1, &a[0], n, &x[0], 1, 0, &y[0], 1)
}

func (c *cblas) ddot(x, y []float64) float64 {
	return c.dot64(int32(len(x)), &x[0], 1, &y[0], 1)
}

func (c *cblas) daxpy(alpha float64, x, y []float64) {
	c.axpy64(int32(len(x)), alpha, &x[0], 1, &y[0], 1)
}

func (c *cblas) dasum(x []float64) float64 { return c.asum64(int32(len(x)), &x[0], 1) }
