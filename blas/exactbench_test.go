//go:build !static

package blas_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// BenchmarkExact prints t(exact) / t(OpenBLAS) of square products on GOMAXPROCS
// threads: exact products of uniform data, and of data with exponents within
// 2^±20, over OpenBLAS's dgemm on uniform data. On one thread, exact.Dot for
// each element is the figure to beat.
func BenchmarkExact(b *testing.B) {
	for _, n := range []int{512, 1024} {
		for _, spread := range []int{0, 20} {
			b.Run(fmt.Sprintf("n=%d/spread=%d", n, spread), func(b *testing.B) {
				benchExact(b, n, spread)
			})
		}
	}
}

func benchExact(b *testing.B, n, spread int) {
	rng := rand.New(rand.NewPCG(3, 4))
	numbers := func(spread int) []float64 {
		x := make([]float64, n*n)
		for i := range x {
			x[i] = math.Ldexp(2*rng.Float64()-1, rng.IntN(2*spread+1)-spread)
		}
		return x
	}
	plainX, plainY, x, y := numbers(0), numbers(0), numbers(spread), numbers(spread)
	z := make([]float64, n*n)
	dots := func() {
		for i := range 16 {
			for j := range n {
				z[i*n+j] = exact.Dot(x[i*n:(i+1)*n], y[j*n:(j+1)*n])
			}
		}
	}
	var ns []float64
	for b.Loop() {
		ns = stopwatch.Minima(2*time.Second, openDgemm(b, n, plainX, plainY, z), func() {
			blas.Exact{}.Dgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, x, n, y, n, 0, z, n)
		}, dots)
	}
	b.ReportMetric(ns[1]/ns[0], "×OpenBLAS")
	b.ReportMetric(ns[2]*float64(n)/16/ns[0], "×OpenBLAS:exact.Dot")
}

// BenchmarkExactGemv prints t(Exact) / t(Ordered) of products of a matrix and a
// vector, on uniform data: with α = 1 and β = 0, and with others.
func BenchmarkExactGemv(b *testing.B) {
	for _, n := range []int{64, 512, 2048} {
		for _, t := range []gonum.Transpose{gonum.NoTrans, gonum.Trans} {
			for _, beta := range []float64{0, 0.5} {
				b.Run(fmt.Sprintf("n=%d/%c/beta=%v", n, t, beta), func(b *testing.B) {
					benchExactGemv(b, n, t, beta)
				})
			}
		}
	}
}

func benchExactGemv(b *testing.B, n int, t gonum.Transpose, beta float64) {
	rng := rand.New(rand.NewPCG(5, 6))
	a, x, y := make([]float64, n*n), make([]float64, n), make([]float64, n)
	for _, v := range [][]float64{a, x, y} {
		for i := range v {
			v[i] = 2*rng.Float64() - 1
		}
	}
	var ns []float64
	for b.Loop() {
		ns = stopwatch.Minima(300*time.Millisecond, func() {
			blas.Ordered{}.Dgemv(t, n, n, 1-beta, a, n, x, 1, beta, y, 1)
		}, func() {
			blas.Exact{}.Dgemv(t, n, n, 1-beta, a, n, x, 1, beta, y, 1)
		})
	}
	b.ReportMetric(ns[1]/ns[0], "×Ordered")
}

// openDgemm returns a call of OpenBLAS, on GOMAXPROCS threads.
func openDgemm(b *testing.B, n int, x, y, z []float64) func() {
	const rows, plain = 101, 111 // CblasRowMajor, CblasNoTrans
	lib, err := dl.Open("libopenblas.so.0")
	if err != nil {
		require.Missing(b, "OpenBLAS: "+err.Error())
	}
	var set func(threads int32)
	var gemm func(order, transA, transB, m, n, k int32, alpha float64, a *float64, lda int32,
		b *float64, ldb int32, beta float64, c *float64, ldc int32)
	for name, f := range map[string]any{"openblas_set_num_threads": &set, "cblas_dgemm": &gemm} {
		if err := lib.Func(name, f); err != nil {
			b.Fatal(err)
		}
	}
	set(int32(runtime.GOMAXPROCS(0)))
	size := int32(n)
	return func() {
		gemm(rows, plain, plain, size, size, size, 1, &x[0], size, &y[0], size, 0, &z[0], size)
	}
}
