package blas

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// The hashes of the results of every routine of a format, the same on every
// architecture, kernel, number of threads and size of blocks.
const (
	goldenFloat64    = 0x789b62257dd5a075
	goldenFloat32    = 0x14802a39f0780d09
	goldenComplex128 = 0x63186e6640d3f95e
	goldenComplex64  = 0xb6734887180a2bad

	exactFloat64    = 0x27710e5621651024
	exactFloat32    = 0x15889c7b8a73a1df
	exactComplex128 = 0x1588caf57db8b13a
	exactComplex64  = 0xe773abd8da6b3b1e
)

// TestGolden hashes the results of every routine on inputs made by integer
// arithmetic.
func TestGolden(t *testing.T) {
	for _, level := range kernel.Levels() {
		for threads := 1; threads <= 4; threads++ {
			if testing.Short() && threads != 2 && threads != 3 {
				continue // whole blocks and small ones, and residues, are left
			}
			s := chain.Setting{Level: &level, Threads: threads, Work: 1}
			if threads%2 == 0 {
				s.Rows, s.Columns, s.Depth = 5*threads, 7*threads, 3*threads
			}
			name := fmt.Sprintf("%v, %d threads: ", level, threads)
			r64, r32 := realKit[float64](s), realKit[float32](s)
			c128, c64 := complexKit[complex128, float64](s), complexKit[complex64, float32](s)
			checkHash(t, name+"float64", r64, r64, goldenFloat64)
			checkHash(t, name+"float32", r32, r32, goldenFloat32)
			checkHash(t, name+"complex128", c128, c128, goldenComplex128)
			checkHash(t, name+"complex64", c64, c64, goldenComplex64)

			e64, e32 := exactReal(s, r64), exactReal(s, r32)
			e128 := exactComplex[complex128, float64](s, c128)
			eC64 := exactComplex[complex64, float32](s, c64)
			e64.forceResidues, e128.forceResidues = threads == 3, threads == 3
			checkHash(t, name+"exact float64", e64.kit, e64, exactFloat64)
			checkHash(t, name+"exact float32", e32.kit, e32, exactFloat32)
			checkHash(t, name+"exact complex128", e128.kit, e128, exactComplex128)
			checkHash(t, name+"exact complex64", eC64.kit, eC64, exactComplex64)
		}
	}
}

func checkHash[T number](t *testing.T, name string, k *kit[T], r routines[T], want uint64) {
	t.Helper()
	h := fnv.New64a()
	g := &golden[T]{kit: k, checked: checked[T]{r}, rng: rand.New(rand.NewPCG(27, 18)), out: h}
	for _, n := range []int{1, 3, 16, 17, 40} {
		g.vectors(n)
		g.matrices(n)
	}
	if h.Sum64() != want {
		t.Errorf("%s: the results hash to %#x, not to %#x", name, h.Sum64(), want)
	}
}

// golden writes the results of routines to a hash.
type golden[T number] struct {
	*kit[T]
	checked[T]
	rng *rand.Rand
	out io.Writer
}

// random returns n numbers between −2 and 2 with few different exponents.
func (g *golden[T]) random(n int) []T {
	part := func() float64 {
		return math.Ldexp(float64(int64(g.rng.Uint64())>>38), -25-g.rng.IntN(3))
	}
	x := make([]T, n)
	for i := range x {
		switch p := any(&x[i]).(type) {
		case *float64:
			*p = part()
		case *float32:
			*p = float32(part())
		case *complex128:
			*p = complex(part(), part())
		case *complex64:
			*p = complex(float32(part()), float32(part()))
		}
	}
	return x
}

// write hashes numbers. NaN has no promised bits.
func (g *golden[T]) write(x ...T) {
	for _, v := range x {
		b := bitsOf(v)
		if v != v {
			b = [2]uint64{1, 1}
		}
		binary.Write(g.out, binary.LittleEndian, b)
	}
}

// vectors runs the routines for vectors, with increments.
func (g *golden[T]) vectors(n int) {
	x, y, alpha := g.random(2*n), g.random(3*n), g.random(1)[0]
	g.addTo(n, alpha, x, 2, y, -3)
	g.scal(n, alpha, x, 2)
	g.write(x...)
	g.write(y...)
	g.write(g.dotu(n, x, 1, y, 1), g.dotcOf(n, x, -1, y, 2))
	if g.div != nil {
		g.write(g.div(x[0], y[0]))
	}
}

// matrices runs the routines for matrices of order n with every triangle,
// transpose and side. Triangles are scaled so that solutions stay small.
func (g *golden[T]) matrices(n int) {
	const diagonals = 2
	a, b := g.random(n*n), g.random(n*n)
	scalars := g.random(2)
	alpha, beta := scalars[0], scalars[1]
	vector := func(do func(x, y []T)) {
		x, y := g.random(2*n), g.random(n)
		do(x, y)
		g.write(x...)
		g.write(y...)
	}
	for _, t := range []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans} {
		vector(func(x, y []T) { g.gemv(t, n, n, alpha, a, n, x, 2, beta, y, 1) })
		vector(func(x, y []T) {
			g.gbmv(t, n, n, 0, min(diagonals, n-1), alpha, a, n, x, -2, beta, y, 1)
		})
		for _, u := range []blas.Transpose{blas.NoTrans, blas.ConjTrans} {
			c := g.random(n * n)
			g.gemm(t, u, n, n, n, alpha, a, n, b, n, beta, c, n)
			g.write(c...)
		}
		for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
			for _, d := range []blas.Diag{blas.Unit, blas.NonUnit} {
				vector(func(x, _ []T) { trxv(g.routines.triVec, ul, t, d, n, a, n, x, 2) })
				vector(func(x, _ []T) { tpxv(g.routines.triSolve, ul, t, d, min(n, 9), a, x, 1) })
				for _, side := range []blas.Side{blas.Left, blas.Right} {
					c := g.random(n * n)
					g.trmm(side, ul, t, d, n, n, alpha, a, n, c, n)
					g.trsm(side, ul, t, d, n, n, beta, a, n, c, n)
					g.write(c...)
				}
			}
		}
	}
	for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
		for _, of := range []symmetry{symmetric, hermitian} {
			vector(func(x, y []T) { g.symv(of, ul, n, alpha, a, n, x, -2, beta, y, 1) })
			c := g.random(n * n)
			g.syr(of, ul, n, g.real(alpha), c[:n], 1, c, n)
			g.syr2(of, ul, n, alpha, b, 1, a, -1, c, n)
			g.syrk(of, ul, blas.NoTrans, n, n, g.real(alpha), a, n, g.real(beta), c, n)
			g.syr2k(of, ul, blas.NoTrans, n, n, alpha, a, n, b, n, g.real(beta), c, n)
			g.symm(of, blas.Right, ul, n, n, alpha, a, n, b, n, beta, c, n)
			g.write(c...)
		}
	}
}
