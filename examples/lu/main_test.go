package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/lapack"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

const golden = "0e4e9c91fa929ea7"

// TestGolden factorizes a matrix without blocks, with blocks of any size, and
// by package lapack's own getrf.
func TestGolden(t *testing.T) {
	const n = 73
	for _, workers := range []string{"1", "2", "3"} {
		for _, block := range []int{0, 1, 2, 7, 16, 64, n, 100} {
			args := []string{"-n", fmt.Sprint(n), "-block", fmt.Sprint(block), "-workers", workers}
			var out strings.Builder
			if err := run(args, &out); err != nil || !strings.HasPrefix(out.String(), golden+" ") {
				t.Errorf("%v: %q (%v), want hash %s", args, out.String(), err, golden)
			}
		}
	}
	a, pivots := demo.Uniforms(demo.Random(1), n*n), make([]int, n)
	lapack.Implementation{BLAS: blas.Ordered{}}.Dgetrf(n, n, a, n, pivots)
	if h := hash(a, pivots).String(); h != golden {
		t.Errorf("Dgetrf gives hash %s, want %s", h, golden)
	}
}

// TestWorkers has a matrix that is large enough for Ordered to share it out.
func TestWorkers(t *testing.T) {
	const n = 300
	hashes := map[string]bool{}
	for _, workers := range []int{1, 2, 4} {
		for _, block := range []int{0, 32, 64} {
			hashes[hashOf(t, blas.Ordered{}, n, block, workers)] = true
		}
	}
	if len(hashes) != 1 {
		t.Errorf("%d different hashes: %v", len(hashes), hashes)
	}
}

func hashOf(t *testing.T, b gonum.Float64, n, block, workers int) string {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	a, pivots := demo.Uniforms(demo.Random(1), n*n), make([]int, n)
	if !factorize(b, a, n, block, pivots) {
		t.Fatal("the matrix is singular")
	}
	return hash(a, pivots).String()
}

// TestResidual multiplies L and U. The bound is from Higham, Accuracy and
// Stability of Numerical Algorithms, theorem 9.3: |PA − LU| ≤ γ(n)·|L|·|U|.
func TestResidual(t *testing.T) {
	const n = 60
	a, pivots := demo.Uniforms(demo.Random(1), n*n), make([]int, n)
	lu := slices.Clone(a)
	if !factorize(blas.Ordered{}, lu, n, 16, pivots) {
		t.Fatal("the matrix is singular")
	}
	for i, p := range pivots {
		for j := range n {
			a[i*n+j], a[p*n+j] = a[p*n+j], a[i*n+j]
		}
	}
	const gamma = 2 * n * 0x1p-53
	for i := range n {
		for j := range n {
			var error, size exact.Accumulator
			error.Add(a[i*n+j])
			for p := range min(i, j) + 1 {
				l := 1.0
				if p < i {
					l = lu[i*n+p]
				}
				error.AddProduct(-l, lu[p*n+j])
				size.AddProduct(math.Abs(l), math.Abs(lu[p*n+j]))
			}
			if math.Abs(error.Float64()) > gamma*size.Float64() {
				t.Fatalf("(PA − LU)[%d,%d] = %g", i, j, error.Float64())
			}
		}
	}
}

// TestNaive shows the need: with a product that is added to C as a whole, the
// block size is in the last bits.
func TestNaive(t *testing.T) {
	hashes := map[string]bool{}
	blocks := []int{0, 8, 16, 24, 32, 64}
	for _, block := range blocks {
		hashes[hashOf(t, wholeProducts{}, 73, block, 1)] = true
	}
	t.Logf("products added as a whole: %d different hashes for %d block sizes", len(hashes),
		len(blocks))
	if len(hashes) == 1 {
		t.Error("the block size makes no difference: the matrix proves nothing")
	}
}

// wholeProducts sums a product up and then adds the result to C, as many BLAS
// libraries do.
type wholeProducts struct{ blas.Ordered }

func (w wholeProducts) Dgemm(tA, tB gonum.Transpose, m, n, k int, alpha float64, a []float64,
	lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	product := make([]float64, m*n)
	w.Ordered.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, 0, product, n)
	for i := range m {
		for j := range n {
			c[i*ldc+j] = float64(beta*c[i*ldc+j]) + product[i*n+j]
		}
	}
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-n 0":       "lu: -n 0: it must be from 1 to 20000; lu -h lists the flags",
		"-block -1":  "lu: -block -1: it must be from 0 to 20000; lu -h lists the flags",
		"-workers 0": "lu: -workers 0: it must be from 1 to 1024; lu -h lists the flags",
		"-m 3":       "lu: flag provided but not defined: -m; lu -h lists the flags",
		"500":        `lu: "500" is not a flag; lu -h lists the flags`,
	} {
		if err := run(strings.Fields(args), t.Output()); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	var help strings.Builder
	if err := run([]string{"-h"}, &help); err == nil || !strings.Contains(help.String(), "-block") {
		t.Errorf("-h writes %q (%v)", help.String(), err)
	}
}
