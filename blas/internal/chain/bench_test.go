//go:build !static

package chain

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// BenchmarkAgainstOpenBLAS prints t(OpenBLAS) / t(Product) of square products,
// on one thread and on two: minima of turns in one run. Debian's OpenBLAS takes
// its kernels from OPENBLAS_CORETYPE.
func BenchmarkAgainstOpenBLAS(b *testing.B) {
	for _, threads := range []int{1, 2} {
		for _, n := range []int{64, 256, 512, 1024, 2048} {
			b.Run(fmt.Sprintf("float64/n=%d/threads=%d", n, threads), func(b *testing.B) {
				against[float64](b, n, threads)
			})
			b.Run(fmt.Sprintf("float32/n=%d/threads=%d", n, threads), func(b *testing.B) {
				against[float32](b, n, threads)
			})
		}
	}
}

func against[T float32 | float64](b *testing.B, n, threads int) {
	x, y, z := random[T](n*n), random[T](n*n), make([]T, n*n)
	view := func(data []T) View[T] { return View[T]{data, 0, n, 1} }
	on := func(level kernel.Level) func() {
		s := Setting{Level: &level, Threads: threads}
		return func() { Product(s, All, n, n, n, 1, view(x), view(y), view(z)) }
	}
	names, fs := []string{"OpenBLAS"}, []func(){openBLAS(b, n, threads, x, y, z)}
	for _, l := range kernel.Levels() {
		if l != kernel.Generic {
			names, fs = append(names, l.String()), append(fs, on(l))
		}
	}
	var ns []float64
	for b.Loop() {
		ns = stopwatch.Minima(time.Second, fs...)
	}
	b.ReportMetric(2*float64(n)*float64(n)*float64(n)/ns[0], "Gflop/s:"+names[0])
	for i := range names[1:] {
		b.ReportMetric(ns[0]/ns[i+1], "×:"+names[i+1])
	}
}

// BenchmarkAgainstGonum prints t(gonum) / t(Product) of square products: in
// portable Go, and at the best level. With the tag noasm gonum's products are
// portable too. gonum uses GOMAXPROCS goroutines.
func BenchmarkAgainstGonum(b *testing.B) {
	const n = 256
	x, y, z := random[float64](n*n), random[float64](n*n), make([]float64, n*n)
	view := func(data []float64) View[float64] { return View[float64]{data, 0, n, 1} }
	portable := kernel.Generic
	var ns []float64
	for b.Loop() {
		ns = stopwatch.Minima(time.Second, func() {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n,
				1, x, n, y, n, 1, z, n)
		}, func() {
			Product(Setting{Level: &portable}, All, n, n, n, 1, view(x), view(y), view(z))
		}, func() {
			Product(Setting{}, All, n, n, n, 1, view(x), view(y), view(z))
		})
	}
	b.ReportMetric(ns[0]/ns[1], "×:portable")
	b.ReportMetric(ns[0]/ns[2], "×:best")
}

func random[T float32 | float64](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(2*rand.Float64() - 1)
	}
	return x
}

// openBLAS returns a call of OpenBLAS that adds x·y to z.
func openBLAS[T float32 | float64](b *testing.B, n, threads int, x, y, z []T) func() {
	const rows, plain = 101, 111 // CblasRowMajor, CblasNoTrans
	lib, err := dl.Open("libopenblas.so.0")
	if err != nil {
		require.Missing(b, "OpenBLAS: "+err.Error())
	}
	symbol := "cblas_dgemm"
	if unsafe.Sizeof(T(0)) == 4 {
		symbol = "cblas_sgemm"
	}
	var set func(threads int32)
	var gemm func(order, transA, transB, m, n, k int32, alpha T, a *T, lda int32, b *T, ldb int32,
		beta T, c *T, ldc int32)
	for name, f := range map[string]any{"openblas_set_num_threads": &set, symbol: &gemm} {
		if err := lib.Func(name, f); err != nil {
			b.Fatal(err)
		}
	}
	set(int32(threads))
	size := int32(n)
	return func() {
		gemm(rows, plain, plain, size, size, size, 1, &x[0], size, &y[0], size, 1, &z[0], size)
	}
}
