package blas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/kernel"
)

// bySlices and byResidues return the routines of float64 that compute products
// with chains and with residues.
func bySlices() ExactFloat64 {
	portable := kernel.Generic
	return ExactFloat64{exactReal(chain.Setting{Level: &portable}, kit64)}
}

func byResidues(threads int) ExactFloat64 {
	kit := exactReal(chain.Setting{Threads: threads}, kit64)
	kit.forceResidues = true
	return ExactFloat64{kit}
}

// TestResidues holds products by residues, of shapes with several tiles and
// blocks, against sums of package exact and against those by slices: with rows
// that take part and others, transposed, and with other factors than 1 and 0.
func TestResidues(t *testing.T) {
	source := rand.NewPCG(41, 42)
	rng := rand.New(source)
	for name, number := range map[string]func() float64{
		"uniform":    func() float64 { return 2*rng.Float64() - 1 },
		"wide":       func() float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(41)-20) },
		"integers":   func() float64 { return float64(rng.IntN(7) - 3) },
		"cancelling": func() float64 { return math.Ldexp(float64(rng.IntN(3)-1), 27*rng.IntN(3)) },
		"ties":       func() float64 { return 1 + 0x1p-52*float64(rng.IntN(4)) },
	} {
		t.Run(name, func(t *testing.T) {
			source.Seed(41, 42)
			for _, s := range [][3]int{{130, 110, 70}, {70, 97, 200}, {3, 200, 65}, {65, 1, 40}} {
				m, n, k := s[0], s[1], s[2]
				x, y := residueNumbers(m*k, number), residueNumbers(k*n, number)
				spoil(rng, x, k, 1)
				spoil(rng, y, 1, n)
				holdProducts(t, m, n, k, x, y)
			}
		})
	}
}

func residueNumbers(n int, number func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = number()
	}
	return x
}

// spoil makes one of about 20 rows of a matrix too large, too small, infinite,
// NaN or zero. Elements of a row are col apart, rows are row apart.
func spoil(rng *rand.Rand, x []float64, row, col int) {
	rows, depth := len(x)/row, row/col
	if row == 1 {
		rows, depth = col, len(x)/col
	}
	at := func(i, p int) *float64 { return &x[i*row+p*col] }
	for i := range rows {
		switch rng.IntN(100) {
		case 0:
			*at(i, rng.IntN(depth)) = math.NaN()
		case 1:
			*at(i, rng.IntN(depth)) = math.Inf(-1)
		case 2:
			*at(i, rng.IntN(depth)) = math.MaxFloat64
		case 3:
			for p := range depth {
				*at(i, p) *= 0x1p-1060
			}
		case 4:
			for p := range depth {
				*at(i, p) *= 0
			}
		}
	}
}

func holdProducts(t *testing.T, m, n, k int, x, y []float64) {
	t.Helper()
	column := make([]float64, k)
	for _, threads := range []int{1, 3} {
		z := make([]float64, m*(n+2))
		byResidues(threads).Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, x, k, y, n, 0, z, n+2)
		for j := range n {
			for p := range k {
				column[p] = y[p*n+j]
			}
			for i := range m {
				want := exact.Dot(x[i*k:(i+1)*k], column)
				// The signs of zeros are compared below.
				if got := z[i*(n+2)+j]; !sameNumber(got, want) && (got != 0 || want != 0) {
					t.Fatalf("%d×%d×%d, %d threads: (%d, %d) is %v, want %v",
						m, n, k, threads, i, j, got, want)
				}
			}
		}
	}
	old := residueNumbers(m*n, rand.New(rand.NewPCG(1, 1)).NormFloat64)
	for _, f := range [][2]float64{{1, 0}, {-1, 1}, {0.3, -0.7}, {1, 0.5}, {-1, 0}} {
		var results [2][]float64
		for i, r := range []ExactFloat64{bySlices(), byResidues(2)} {
			z := append([]float64(nil), old...)
			r.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, f[0], x, k, y, n, f[1], z, n)
			results[i] = z
		}
		for i, want := range results[0] {
			if got := results[1][i]; !sameNumber(got, want) {
				t.Fatalf("%d×%d×%d, factors %v: element %d is %v, want %v",
					m, n, k, f, i, got, want)
			}
		}
	}
	holdSymmetric(t, m, k, x)
}

// holdSymmetric compares A·Aᵀ and A·Bᵀ + B·Aᵀ with the routines by slices. The
// other triangle stays as it is.
func holdSymmetric(t *testing.T, n, k int, x []float64) {
	t.Helper()
	for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
		var results [2][]float64
		for i, r := range []ExactFloat64{bySlices(), byResidues(2)} {
			z := residueNumbers(n*(n+1), func() float64 { return 42 })
			r.Dsyrk(ul, blas.NoTrans, n, k, 1, x, k, 0, z, n+1)
			w := residueNumbers(n*(n+1), func() float64 { return 42 })
			r.Dsyr2k(ul, blas.NoTrans, n, k, -0.5, x, k, x, k, 1, w, n+1)
			results[i] = append(z, w...)
		}
		for i, want := range results[0] {
			if got := results[1][i]; !sameNumber(got, want) {
				t.Fatalf("%c, %d×%d: element %d is %v, want %v", ul, n, k, i, got, want)
			}
		}
	}
}

func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestDeepResidues holds products of more terms than one pass over residues
// adds.
func TestDeepResidues(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	const m, n, k = 4, 3, 70_001
	x, y := residueNumbers(m*k, rng.NormFloat64), residueNumbers(n*k, rng.NormFloat64)
	z := make([]float64, m*n)
	byResidues(2).Dgemm(blas.NoTrans, blas.Trans, m, n, k, 1, x, k, y, k, 0, z, n)
	for i := range m {
		for j := range n {
			want := exact.Dot(x[i*k:(i+1)*k], y[j*k:(j+1)*k])
			if got := z[i*n+j]; !sameNumber(got, want) {
				t.Fatalf("(%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
}
