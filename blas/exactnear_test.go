package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// TestNearVec compares products of matrices and vectors, of several blocks,
// with those that package exact computes line by line.
func TestNearVec(t *testing.T) {
	for _, level := range kernel.Levels() {
		s := chain.Setting{Level: &level, Threads: 3}
		for _, kind := range kinds {
			name := fmt.Sprintf("%v/%s/", level, kind)
			t.Run(name+"float64", func(t *testing.T) {
				nearVecs(t, kind, 1023, exactReal(s, kit64))
			})
			t.Run(name+"float32", func(t *testing.T) {
				nearVecs(t, kind, 127, exactReal(s, kit32))
			})
			t.Run(name+"complex128", func(t *testing.T) {
				nearVecs(t, kind, 1023, exactComplex[complex128, float64](s, complexKit128))
			})
			t.Run(name+"complex64", func(t *testing.T) {
				nearVecs(t, kind, 127, exactComplex[complex64, float32](s, complexKit64))
			})
		}
	}
}

func nearVecs[T number, F float32 | float64](
	t *testing.T, kind string, largest int, k *exactKit[T, F],
) {
	for seed, shape := range [][2]int{{nearRows + 9, 21}, {13, nearBlock + 37}, {5, 3}} {
		h := &hard{rand.New(rand.NewPCG(uint64(seed), 7)), kind, largest}
		m, n := shape[0], shape[1]
		a := numbers[T, F](h, m*(n+2))
		x, y := numbers[T, F](h, max(m, n)), numbers[T, F](h, max(m, n))
		scalars := numbers[T, F](h, 2)
		for _, trans := range []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans} {
			for _, factors := range [][2]T{{1, 0}, {scalars[0], scalars[1]}, {scalars[0], 1}} {
				full, lenX, lenY := op(trans, a, n+2), n, m
				got, want := append([]T(nil), y...), append([]T(nil), y...)
				if trans == blas.NoTrans {
					k.fullMatVec(m, n, factors[0], full, x[:lenX], factors[1], got[:lenY])
					k.matVec(m, factors[0], fullRows(full, n), x[:lenX], factors[1], want[:lenY])
				} else {
					full, lenX, lenY = full.transposed(), m, n
					k.fullVecMat(m, n, factors[0], full, x[:lenX], factors[1], got[:lenY])
					k.vecMat(m, factors[0], fullRows(full, n), full.conj, x[:lenX], factors[1],
						want[:lenY])
				}
				for i, v := range partsOf[F](got) {
					w := partsOf[F](want)[i]
					if bitsOf(v) != bitsOf(w) && (v == v || w == w) {
						t.Fatalf("%c %d×%d, α = %v, β = %v: part %d is %v, want %v", trans, m, n,
							factors[0], factors[1], i, v, w)
					}
				}
			}
		}
	}
}

// numbers returns n numbers of hard parts.
func numbers[T number, F float32 | float64](h *hard, n int) []T {
	x := make([]T, n)
	for i := range partsOf[F](x) {
		partsOf[F](x)[i] = F(h.number())
	}
	return x
}
