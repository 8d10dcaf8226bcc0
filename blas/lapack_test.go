package blas_test

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	gonumlapack "gonum.org/v1/gonum/lapack"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/lapack"
	"github.com/lastbit/lastbit/internal/kernel"
)

// factorizations holds factorizations by package lapack, and the hashes of
// their results on either BLAS: the same on every architecture, kernel, number
// of threads and size of blocks.
var factorizations = []struct {
	name           string
	run            func(f *factorized, n int)
	ordered, exact uint64
}{
	{"LU", (*factorized).lu, 0xb663699c0b956cb5, 0x851a1a827f3d50a2},
	{"Cholesky", (*factorized).cholesky, 0x1489da9a958fc33d, 0xc6c51a3aa056768c},
	{"QR", (*factorized).qr, 0x3afb48bc30297b89, 0xd2fe4da52d72bbd3},
	{"least squares", (*factorized).leastSquares, 0xc1ad20222592e3f9, 0x45fd29d61968ae33},
	{"symmetric eigenvalues", (*factorized).symmetric, 0x17009b287a70300a, 0x9d050c2e9b3025e0},
	{"eigenvalues", (*factorized).eigenvalues, 0x3b6021b64aafd142, 0xb5dfeb4a50e44747},
	{"singular values", (*factorized).singularValues, 0xe65e488208dafe58, 0x0329b2564a94ea95},
}

// TestGoldenLAPACK hashes the results of factorizations on both BLAS, of
// matrices made by integer arithmetic.
func TestGoldenLAPACK(t *testing.T) {
	for _, level := range kernel.Levels() {
		for threads := 1; threads <= 4; threads++ {
			if testing.Short() && threads != 2 && threads != 3 {
				continue
			}
			s := chain.Setting{Level: &level, Threads: threads, Work: 1}
			if threads%2 == 0 {
				s.Rows, s.Columns, s.Depth = 5*threads, 7*threads, 3*threads
			}
			ordered, exact := blas.Forced(s)
			for _, c := range factorizations {
				name := fmt.Sprintf("%s, %v, %d threads: ", c.name, level, threads)
				holdHash(t, name+"Ordered", ordered, c.run, c.ordered)
				holdHash(t, name+"Exact", exact, c.run, c.exact)
			}
		}
	}
}

func holdHash(
	t *testing.T, name string, b gonum.Float64, run func(f *factorized, n int), want uint64,
) {
	t.Helper()
	h := fnv.New64a()
	f := &factorized{lapack.Implementation{BLAS: b}, rand.New(rand.NewPCG(3, 14)), h}
	for _, n := range []int{1, 2, 7, 20} {
		run(f, n)
	}
	if h.Sum64() != want {
		t.Errorf("%s: the results hash to %#x, not to %#x", name, h.Sum64(), want)
	}
}

// TestDirect compares the results of an ordered BLAS, whose kernels package
// lapack calls, with the results of the same BLAS behind a type that it does
// not know.
func TestDirect(t *testing.T) {
	hashOf := func(b gonum.Float64, run func(f *factorized, n int), n int) uint64 {
		h := fnv.New64a()
		run(&factorized{lapack.Implementation{BLAS: b}, rand.New(rand.NewPCG(3, 14)), h}, n)
		return h.Sum64()
	}
	for _, c := range factorizations {
		for _, n := range []int{1, 2, 3, 5, 8, 13, 24, 40, 70} {
			direct := hashOf(blas.Ordered{}, c.run, n)
			called := hashOf(struct{ gonum.Float64 }{blas.Ordered{}}, c.run, n)
			if direct != called {
				t.Errorf("%s of order %d: the results hash to %#x by kernels, to %#x by calls",
					c.name, n, direct, called)
			}
		}
	}
}

// factorized writes the results of factorizations to a hash.
type factorized struct {
	lapack.Implementation
	rng *rand.Rand
	out hash.Hash64
}

// random returns n numbers between −2 and 2.
func (f *factorized) random(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(float64(int64(f.rng.Uint64())>>11), -52)
	}
	return x
}

func (f *factorized) write(slices ...[]float64) {
	for _, x := range slices {
		for _, v := range x {
			binary.Write(f.out, binary.LittleEndian, math.Float64bits(v))
		}
	}
}

// symmetricMatrix returns a matrix whose diagonal dominates.
func (f *factorized) symmetricMatrix(n int) []float64 {
	a := f.random(n * n)
	for i := range n {
		a[i*n+i] = float64(2 * n)
		for j := range i {
			a[i*n+j] = a[j*n+i]
		}
	}
	return a
}

func (f *factorized) lu(n int) {
	n *= 4 // beyond the blocks of Dgetrf
	a, b, pivots := f.random(n*n), f.random(2*n), make([]int, n)
	f.Dgetrf(n, n, a, n, pivots)
	f.Dgetrs(gonum.NoTrans, n, 2, a, n, pivots, b, 2)
	f.write(a, b)
	f.Dgetri(n, a, n, pivots, make([]float64, n), n)
	f.write(a)
}

func (f *factorized) cholesky(n int) {
	n *= 4
	for _, ul := range []gonum.Uplo{gonum.Upper, gonum.Lower} {
		a, b := f.symmetricMatrix(n), f.random(2*n)
		f.Dpotrf(ul, n, a, n)
		f.Dpotrs(ul, n, 2, a, n, b, 2)
		f.write(a, b)
	}
}

func (f *factorized) qr(n int) {
	m := n + 3
	a, tau, work := f.random(m*n), make([]float64, n), make([]float64, 40*n)
	f.Dgeqrf(m, n, a, n, tau, work, len(work))
	f.write(a, tau)
	f.Dorgqr(m, n, n, a, n, tau, work, len(work))
	f.write(a)
}

func (f *factorized) leastSquares(n int) {
	for _, t := range []gonum.Transpose{gonum.NoTrans, gonum.Trans} {
		for _, shape := range [][2]int{{n + 3, n}, {n, n + 3}} {
			m, n := shape[0], shape[1]
			a, b, work := f.random(m*n), f.random(max(m, n)*2), make([]float64, 80*(m+n))
			f.Dgels(t, m, n, 2, a, n, b, 2, work, len(work))
			f.write(a, b)
		}
	}
}

func (f *factorized) symmetric(n int) {
	a, w, work := f.symmetricMatrix(n), make([]float64, n), make([]float64, 40*n)
	f.Dsyev(gonumlapack.EVCompute, gonum.Upper, n, a, n, w, work, len(work))
	f.write(a, w)
}

func (f *factorized) eigenvalues(n int) {
	a, re, im := f.random(n*n), make([]float64, n), make([]float64, n)
	left, right, work := make([]float64, n*n), make([]float64, n*n), make([]float64, 40*n)
	f.Dgeev(gonumlapack.LeftEVCompute, gonumlapack.RightEVCompute, n, a, n, re, im, left, n,
		right, n, work, len(work))
	f.write(re, im, left, right)
}

func (f *factorized) singularValues(n int) {
	m := n + 3
	a, s, u, v := f.random(m*n), make([]float64, n), make([]float64, m*m), make([]float64, n*n)
	work := make([]float64, 80*(m+n))
	f.Dgesvd(gonumlapack.SVDAll, gonumlapack.SVDAll, m, n, a, n, s, u, m, v, n, work, len(work))
	f.write(s, u, v)
}
