// Package args draws arguments for tests of elementary functions.
package args

import (
	"embed"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A Kind draws one argument of a kind.
type Kind func(*rand.Rand) float64

// Between draws uniformly from [a, b).
func Between(a, b float64) Kind {
	return func(rng *rand.Rand) float64 { return a + float64(rng.Float64()*(b-a)) }
}

// Magnitudes draws numbers of either sign with exponents uniform in [a, b), one
// in eight of them near the ends of a binade.
func Magnitudes(a, b int) Kind {
	return func(rng *rand.Rand) float64 {
		m := 1 + rng.Float64()
		if rng.IntN(8) == 0 {
			m = math.Float64frombits(math.Float64bits(1) + rng.Uint64N(64) - 32)
		}
		return math.Copysign(math.Ldexp(m, a+rng.IntN(b-a)), rng.Float64()-0.5)
	}
}

// Near draws numbers at all distances from x.
func Near(x float64) Kind {
	return func(rng *rand.Rand) float64 {
		return x + float64(math.Ldexp(rng.Float64()-0.5, -rng.IntN(54))*max(1, math.Abs(x)))
	}
}

// Multiples draws multiples of x from -n·x to n·x.
func Multiples(x float64, n int) Kind {
	return func(rng *rand.Rand) float64 { return x * float64(rng.IntN(2*n+1)-n) }
}

// AnyBits draws any 64 bits.
func AnyBits(rng *rand.Rand) float64 { return math.Float64frombits(rng.Uint64()) }

// Positive draws the magnitudes of a kind.
func Positive(k Kind) Kind {
	return func(rng *rand.Rand) float64 { return math.Abs(k(rng)) }
}

// SampleSize returns the number of arguments to test a function with: the one
// in LASTBIT_STRESS, or else 10⁵.
func SampleSize(t testing.TB) int {
	s := os.Getenv("LASTBIT_STRESS")
	if s == "" {
		return 100_000
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("LASTBIT_STRESS: %v", err)
	}
	return int(n) //lastbit:ignore floatconv a whole number in range
}

// Generator returns a source of random numbers. Its seed is the name and
// LASTBIT_SEED.
func Generator(name string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, name, os.Getenv("LASTBIT_SEED"))
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// Identical compares bits; every NaN is identical to every other.
func Identical(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// HardFiles holds the arguments of Hard, a file hard/name.txt for each
// function. The command crmath/internal/hard wrote them.
//
//go:embed hard
var HardFiles embed.FS

// Hard returns at least 200 arguments, or pairs of them, of a function whose
// results lie within 2^-30 ulp of a representable number or a midpoint.
func Hard(t testing.TB, name string) [][]float64 {
	t.Helper()
	text, err := HardFiles.ReadFile("hard/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		var x []float64
		for _, s := range strings.Fields(line) {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			x = append(x, v)
		}
		all = append(all, x)
	}
	if len(all) < 200 {
		t.Fatalf("%s: only %d hard arguments", name, len(all))
	}
	return all
}
