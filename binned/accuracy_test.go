package binned

import (
	"math"
	"math/big"
	"testing"
)

func TestOracle(t *testing.T) {
	t.Run("float64", testOracle[float64])
	t.Run("float32", testOracle[float32])
}

func testOracle[T Float](t *testing.T) {
	rng := newRand(t)
	o := oracleOf[T](t)
	for _, d := range distributions[T]() {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 17, 64, 300} {
			x := d.make(rng, n)
			for _, a := range algorithms[T]() {
				for _, k := range []int{1, 2, 3, 5, 40} {
					if k == 40 && n > 20 {
						continue
					}
					got, err := a.sum(x, k)
					must(t, got, err)
					want := rounded[T](a.oracle(o, bigs(x), k))
					if bitsOf(got) != bitsOf(want) {
						t.Fatalf("%s of %s, n = %d, k = %d: %g, not %g\n%v", a.name, d.name, n, k,
							got, want, x[:min(n, 8)])
					}
				}
			}
		}
	}
}

// TestSteps takes an n and a maximum where 1 − 2nu, 1 − 4nu and 1 lead to
// different extractors, in the first level and in the distance of the others.
func TestSteps(t *testing.T) {
	rng := newRand(t)
	o := oracleOf[float32](t)
	const n, u = 4093, 0x1p-24 // 2^12 − n lies between 2n²u and 4n²u
	for _, shrink := range []float64{0, n * u, 3 * n * u, 5 * n * u} {
		x := each[float32](signed)(rng, n)
		for i := range x {
			x[i] /= 2 * n
		}
		x[rng.IntN(n)] = float32((1 - shrink) / n)
		for _, a := range algorithms[float32]() {
			for k := 1; k <= 2; k++ {
				got, err := a.sum(x, k)
				must(t, got, err)
				if want := rounded[float32](a.oracle(o, bigs(x), k)); bitsOf(got) != bitsOf(want) {
					t.Errorf("%s, k = %d: %g, not %g", a.name, k, got, want)
				}
			}
		}
	}
}

func TestBounds(t *testing.T) {
	t.Run("float64", testBounds[float64])
	t.Run("float32", testBounds[float32])
}

// testBounds holds the bounds against exact sums. An overflow has no bound.
func testBounds[T Float](t *testing.T) {
	rng := newRand(t)
	for _, d := range distributions[T]() {
		for _, n := range []int{1, 2, 3, 10, 63, 64, 65, 1000, 5000} {
			x := d.make(rng, n)
			exact := exactSum(x)
			for _, a := range algorithms[T]() {
				for _, k := range []int{1, 2, 3, 4, 9} {
					s, err := a.sum(x, k)
					must(t, s, err)
					bound := a.bound(int64(n), k, MaxAbs(x), s)
					if math.IsInf(float64(s), 0) || math.IsInf(bound, 0) {
						continue
					}
					diff := new(big.Float).SetPrec(2300).Sub(exact, big.NewFloat(float64(s)))
					if diff.Abs(diff).Cmp(big.NewFloat(bound)) > 0 {
						t.Errorf("%s of %s, n = %d, k = %d: error %.6g > bound %.6g", a.name,
							d.name, n, k, diff, bound)
					}
				}
			}
		}
	}
}
