package cblas

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/lapack"
)

// array returns a slice as an argument.
func array[T any](x []T) Array {
	if len(x) == 0 {
		return Array{}
	}
	return Array{
		At: unsafe.Pointer(&x[0]), Count: int64(len(x)), Size: int32(unsafe.Sizeof(x[0])),
		Direction: 3,
	}
}

// compute runs a call of LAPACK and ends the test if it is wrong.
func compute(t *testing.T, c Call, arrays ...Array) int64 {
	t.Helper()
	c.Layout = 'C'
	copy(c.Arrays[:], arrays)
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Info
}

func random[T element](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = number[T]([2]float64{r.NormFloat64(), r.NormFloat64()})
	}
	return x
}

// TestSolve solves systems in all formats, and checks the residual.
func TestSolve(t *testing.T) {
	t.Run("s", func(t *testing.T) { testSolve[float32](t, 's', 1e-4) })
	t.Run("d", func(t *testing.T) { testSolve[float64](t, 'd', 1e-10) })
	t.Run("c", func(t *testing.T) { testSolve[complex64](t, 'c', 1e-4) })
	t.Run("z", func(t *testing.T) { testSolve[complex128](t, 'z', 1e-10) })
}

func testSolve[T element](t *testing.T, format int32, tolerance float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 31, 32, 33, 100} {
		a, b := random[T](r, n*n), random[T](r, 3*n)
		for i := range n {
			a[i*n+i] += 5
		}
		lu, x, pivots := slices.Clone(a), slices.Clone(b), make([]int64, n)
		c := Call{
			Routine: Gesv, Format: format, N: int64(n), K: 3, LDA: int64(n), LDB: int64(n),
		}
		if info := compute(t, c, array(lu), array(x), Array{}, array(pivots)); info != 0 {
			t.Fatalf("n = %d: INFO = %d", n, info)
		}
		for j := range 3 {
			for i := range n {
				sum := -wideOf(b[j*n+i])
				for k := range n {
					sum += wideOf(a[k*n+i]) * wideOf(x[j*n+k])
				}
				if cmplx.Abs(sum) > tolerance*float64(n) {
					t.Fatalf("n = %d: residual %g", n, cmplx.Abs(sum))
				}
			}
		}
	}
}

func wideOf[T element](v T) complex128 {
	p := partsOf(v)
	return complex(p[0], p[1])
}

// TestSingular finds the first pivot that is zero.
func TestSingular(t *testing.T) {
	for _, format := range "dz" {
		a := []float64{2, 4, 8, 4, 8, 16, 0, 1, 1}
		z := make([]complex128, len(a))
		for i, v := range a {
			z[i] = complex(v, 0)
		}
		matrix := array(a)
		if format == 'z' {
			matrix = array(z)
		}
		c := Call{Routine: Getrf, Format: format, M: 3, N: 3, LDA: 3}
		info := compute(t, c, matrix, Array{}, Array{}, array(make([]int64, 3)))
		if info != 2 {
			t.Errorf("%c: INFO = %d", format, info)
		}
	}
}

// TestCholesky compares L·Lᴴ and Uᴴ·U with the matrix, and finds the pivot that
// is not positive.
func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 40
	g := random[complex128](r, n*n)
	a := make([]complex128, n*n) // G·Gᴴ by columns
	for j := range n {
		for i := range n {
			for k := range n {
				a[j*n+i] += g[k*n+i] * cmplx.Conj(g[k*n+j])
			}
		}
	}
	for _, uplo := range []byte("UL") {
		f := slices.Clone(a)
		c := Call{Routine: Potrf, Format: 'z', Uplo: uplo, N: n, LDA: n}
		if info := compute(t, c, array(f)); info != 0 {
			t.Fatalf("%c: INFO = %d", uplo, info)
		}
		for j := range n {
			for i := range n {
				var sum complex128
				for k := range min(i, j) + 1 {
					if uplo == 'U' {
						sum += cmplx.Conj(f[i*n+k]) * f[j*n+k]
					} else {
						sum += f[k*n+i] * cmplx.Conj(f[k*n+j])
					}
				}
				if cmplx.Abs(sum-a[j*n+i]) > 1e-10 {
					t.Fatalf("%c: element (%d, %d): %v, want %v", uplo, i, j, sum, a[j*n+i])
				}
			}
		}
		f = slices.Clone(a)
		f[17*n+17] = -1
		if info := compute(t, c, array(f)); info != 18 {
			t.Errorf("%c: INFO = %d for a negative pivot at 18", uplo, info)
		}
	}
}

// TestQR multiplies Q and R of complex matrices, and checks that Q is unitary.
func TestQR(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{1, 1}, {5, 5}, {9, 4}, {40, 37}} {
		m, n := shape[0], shape[1]
		a, tau := random[complex128](r, m*n), make([]complex128, n)
		f := slices.Clone(a)
		c := Call{Routine: Geqrf, Format: 'z', M: int64(m), N: int64(n), LDA: int64(m)}
		compute(t, c, array(f), array(tau))
		q := slices.Clone(f)
		c.Routine, c.K = Orgqr, int64(n)
		compute(t, c, array(q), array(tau))
		for j := range n {
			for i := range m {
				var sum complex128
				for k := range j + 1 {
					sum += q[k*m+i] * f[j*m+k]
				}
				if cmplx.Abs(sum-a[j*m+i]) > 1e-12*float64(m) {
					t.Fatalf("%d × %d: Q·R at (%d, %d): %v, want %v", m, n, i, j, sum, a[j*m+i])
				}
			}
			for k := range n {
				var sum complex128
				for i := range m {
					sum += cmplx.Conj(q[k*m+i]) * q[j*m+i]
				}
				if k == j {
					sum -= 1
				}
				if cmplx.Abs(sum) > 1e-12*float64(m) {
					t.Fatalf("%d × %d: columns %d and %d of Q: %v", m, n, k, j, sum)
				}
			}
		}
	}
}

// TestGoBits compares factorizations of float64 by columns with factorizations
// of package blas/lapack by rows, bit for bit.
func TestGoBits(t *testing.T) {
	const n = 70
	a := random[float64](rand.New(rand.NewPCG(7, 8)), n*n)
	transposed := make([]float64, n*n)
	for i := range n {
		for j := range n {
			transposed[j*n+i] = a[i*n+j]
		}
	}
	pivots, tau := make([]int, n), make([]float64, n)
	for _, c := range []struct {
		routine Routine
		rows    func(a []float64)
	}{
		{Getrf, func(a []float64) { lapack.Implementation{}.Dgetrf(n, n, a, n, pivots) }},
		{Geqrf, func(a []float64) {
			lapack.Implementation{}.Dgeqrf(n, n, a, n, tau, make([]float64, 64*n), 64*n)
		}},
		{Potrf, func(a []float64) { lapack.Implementation{}.Dpotrf(gonum.Lower, n, a, n) }},
	} {
		rows, cols := slices.Clone(a), slices.Clone(transposed)
		if c.routine == Potrf {
			for i := range n {
				rows[i*n+i] += 50
				cols[i*n+i] += 50
			}
		}
		c.rows(rows)
		call := Call{Routine: c.routine, Format: 'd', Uplo: 'L', M: n, N: n, LDA: n}
		second := array(make([]float64, n))
		compute(t, call, array(cols), second, Array{}, array(make([]int64, n)))
		for i := range n {
			for j := range n {
				if math.Float64bits(rows[i*n+j]) != math.Float64bits(cols[j*n+i]) {
					t.Fatalf("%v: element (%d, %d): %v in Go, %v by columns", c.routine, i, j,
						rows[i*n+j], cols[j*n+i])
				}
			}
		}
	}
}

// TestHeader compares the routines with the list in call.h.
func TestHeader(t *testing.T) {
	header, err := os.ReadFile("../../cmd/liblastbit_blas/call.h")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(header), "enum lb_routine {")
	list, _, _ = strings.Cut(list, "}")
	var constants []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimPrefix(strings.TrimSpace(name), "LB_")
		constants = append(constants, strings.ToLower(name))
	}
	if !slices.Equal(constants, names[:]) {
		t.Errorf("call.h has %v, package cblas %v", constants, names)
	}
}
