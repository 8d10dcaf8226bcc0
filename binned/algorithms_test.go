package binned

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// algorithm is one of the algorithms, in all its forms.
type algorithm[T Float] struct {
	name    string
	sum     func(x []T, k int) (T, error)
	bound   func(n int64, k int, maxAbs, sum T) float64
	oracle  func(o oracle, x []*big.Float, k int) *big.Float
	partial func(n int64, k int, maxAbs T) (*Partial[T], error)
	window  func(n int64, k int) (*Window[T], error)
}

func algorithms[T Float]() []algorithm[T] {
	return []algorithm[T]{
		{"Algorithm3", Algorithm3[T], BoundAlgorithm3[T], oracle.algorithm3, NewAlgorithm3[T], nil},
		{"Algorithm4", Algorithm4[T], BoundAlgorithm4[T],
			func(o oracle, x []*big.Float, k int) *big.Float { return o.algorithm4(x, k, 4) },
			NewAlgorithm4[T], nil},
		{"DoubleSweep", DoubleSweep[T], BoundDoubleSweep[T], oracle.doubleSweep, NewDoubleSweep[T],
			nil},
		{"SingleSweep", SingleSweep[T], BoundSingleSweep[T],
			func(o oracle, x []*big.Float, k int) *big.Float { return o.singleSweep(x, k, 1.5) },
			nil, NewSingleSweep[T]},
		{"OneReduction", OneReduction[T], BoundOneReduction[T], oracle.oneReduction, nil,
			func(n int64, k int) (*Window[T], error) { return NewOneReduction[T](k) }},
	}
}

// distribution makes finite values.
type distribution[T Float] struct {
	name string
	make func(rng *rand.Rand, n int) []T
}

// each returns a maker of n values, each by value.
func each[T Float](value func(rng *rand.Rand) float64) func(*rand.Rand, int) []T {
	return func(rng *rand.Rand, n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(value(rng))
		}
		return x
	}
}

// signed returns a number in (−1, 1), of integers: the same everywhere.
func signed(rng *rand.Rand) float64 { return float64(int64(rng.Uint64())>>10) * 0x1p-53 }

// distributions returns values of every kind that the algorithms treat in a way
// of its own.
func distributions[T Float]() []distribution[T] {
	f := formatOf[T]()
	highest := float64(ldexp(T(1), f.emax) * (2 - ldexp(T(1), 1-f.p)))
	wide := func(e int) func(*rand.Rand) float64 {
		return func(rng *rand.Rand) float64 { return math.Ldexp(signed(rng), rng.IntN(2*e+1)-e) }
	}
	return []distribution[T]{
		{"uniform", each[T](signed)},
		{"positive", each[T](func(rng *rand.Rand) float64 { return math.Abs(signed(rng)) })},
		{"exponents ±20", each[T](wide(20))},
		{"exponents ±120", each[T](wide(120))},
		{"all exponents", each[T](wide(f.emax))},
		{"subnormal", each[T](func(rng *rand.Rand) float64 {
			return math.Ldexp(signed(rng), f.emin+8+rng.IntN(20))
		})},
		{"smallest", each[T](func(rng *rand.Rand) float64 {
			return math.Ldexp(float64(rng.IntN(5)-2), f.emin)
		})},
		{"near overflow", each[T](func(rng *rand.Rand) float64 { return highest * signed(rng) })},
		{"largest", each[T](func(rng *rand.Rand) float64 {
			return highest * float64(1-2*rng.IntN(2))
		})},
		{"largest and smallest", each[T](func(rng *rand.Rand) float64 {
			if rng.IntN(2) == 0 {
				return highest * float64(rng.IntN(3)-1)
			}
			return math.Ldexp(signed(rng), f.emin+rng.IntN(f.p))
		})},
		{"zeros", each[T](func(rng *rand.Rand) float64 { return math.Copysign(0, signed(rng)) })},
		{"mostly zeros", each[T](func(rng *rand.Rand) float64 {
			return signed(rng) * float64(rng.IntN(8)/7)
		})},
		{"halfway", each[T](func(rng *rand.Rand) float64 {
			return math.Ldexp(float64(rng.IntN(9)-4), -rng.IntN(f.p+12))
		})},
		{"one large, below zero", func(rng *rand.Rand, n int) []T {
			x := make([]T, n)
			for i := range x {
				x[i] = -ldexp(T(1), -2*f.p)
			}
			if n > 0 {
				x[rng.IntN(n)] = T(1.0625)
			}
			return x
		}},
		{"cancellation", func(rng *rand.Rand, n int) []T {
			x := make([]T, n)
			for i := 0; i+1 < n; i += 2 {
				x[i] = T(wide(40)(rng))
				x[i+1] = -x[i]
				if rng.IntN(4) == 0 {
					x[i+1] += T(float64(x[i]) * signed(rng) * 0x1p-18)
				}
			}
			rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
			return x
		}},
	}
}

// must returns the sum or ends the test.
func must[T Float](t *testing.T, s T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newRand returns a source whose seed is printed by a failing test.
func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 3))
}
