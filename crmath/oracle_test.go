package crmath

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// arguments gives one argument of a kind.
type arguments func(*rand.Rand) float64

// between gives arguments uniform in [a, b).
func between(a, b float64) arguments {
	return func(rng *rand.Rand) float64 { return a + float64(rng.Float64()*(b-a)) }
}

// magnitudes gives arguments of either sign with exponents uniform in [a, b), near the
// ends of a binade at times.
func magnitudes(a, b int) arguments {
	return func(rng *rand.Rand) float64 {
		m := 1 + rng.Float64()
		if rng.IntN(8) == 0 {
			m = math.Float64frombits(math.Float64bits(1) + rng.Uint64N(64) - 32)
		}
		return math.Copysign(math.Ldexp(m, a+rng.IntN(b-a)), rng.Float64()-0.5)
	}
}

// near gives arguments at all distances from x.
func near(x float64) arguments {
	return func(rng *rand.Rand) float64 {
		return x + float64(math.Ldexp(rng.Float64()-0.5, -rng.IntN(54))*max(1, math.Abs(x)))
	}
}

// multiples gives small multiples of x.
func multiples(x float64, n int) arguments {
	return func(rng *rand.Rand) float64 { return x * float64(rng.IntN(2*n+1)-n) }
}

// anyBits gives arguments of any bits.
func anyBits(rng *rand.Rand) float64 { return math.Float64frombits(rng.Uint64()) }

// positive makes arguments positive.
func positive(a arguments) arguments {
	return func(rng *rand.Rand) float64 { return math.Abs(a(rng)) }
}

// sampleSize is how many arguments a function is tested with: as many as
// LASTBIT_STRESS says, else 10⁶, or fewer with -short.
func sampleSize(t testing.TB) int {
	switch s := os.Getenv("LASTBIT_STRESS"); {
	case s != "":
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("LASTBIT_STRESS: %v", err)
		}
		return int(n)
	case testing.Short():
		return 100_000
	}
	return 1_000_000
}

// generator returns random numbers whose seed is the function's name, or, where
// LASTBIT_SEED is set, that too.
func generator(name string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, name, os.Getenv("LASTBIT_SEED"))
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// againstMPFR compares f with MPFR's function of that name, bit for bit, on arguments of
// all kinds in turn.
func againstMPFR(t *testing.T, name string, f func(float64) float64, kinds ...arguments) {
	t.Helper()
	correct := oracle(t, name)
	rng := generator(name)
	wrong := 0
	for i := range sampleSize(t) {
		x := kinds[i%len(kinds)](rng)
		if got, want := f(x), correct(x); !identical(got, want) {
			t.Errorf("%s(%x) = %x, want %x (kind %d)", name, x, got, want, i%len(kinds))
			if wrong++; wrong == 10 {
				t.FailNow()
			}
		}
	}
}

// identical compares bits; a NaN is any NaN.
func identical(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// parse returns 10^k by the standard library's conversion, which is correctly
// rounded.
func parse(t *testing.T, k int) float64 {
	t.Helper()
	v, err := strconv.ParseFloat("1e"+strconv.Itoa(k), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// check fails where a polynomial's error is above what is reckoned with.
func check(t *testing.T, name string, got, want float64) {
	t.Helper()
	if got > want {
		t.Errorf("%s: the polynomial is off by up to 2^%.2f, where 2^%.2f is reckoned with", name, math.Log2(got), math.Log2(want))
	}
}

// golden compares a hash of f's results, on arguments of all kinds, with the one that
// every machine has to give. Correct rounding fixes it: it changes only with the
// arguments.
func golden(t *testing.T, name string, f func(float64) float64, want uint64, kinds ...arguments) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	h := fnv.New64a()
	for i := range 16_384 {
		y := f(kinds[i%len(kinds)](rng))
		if y != y {
			y = math.NaN()
		}
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(y)))
	}
	if got := h.Sum64(); got != want {
		t.Errorf("%s: hash %#x, want %#x", name, got, want)
	}
}

// allocatesNothing fails where a call allocates.
func allocatesNothing(t *testing.T, f func(float64) float64, arguments ...float64) {
	t.Helper()
	for _, x := range arguments {
		if n := testing.AllocsPerRun(100, func() { f(x) }); n != 0 {
			t.Errorf("%v allocations for %v", n, x)
		}
	}
}

// hardArguments reads testdata/hard/name.txt: arguments whose result lies within 2^-30 of
// an ulp of a representable number or a midpoint, as internal/hard has found them.
// There are so many for each line.
func hardArguments(t testing.TB, name string) [][]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hard", name+".txt"))
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
				t.Fatal(err)
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

// hardOnes gives the hard arguments of a function of one argument in turn.
func hardOnes(t *testing.T, name string) arguments {
	t.Helper()
	all, i := hardArguments(t, name), 0
	return func(*rand.Rand) float64 {
		i++
		return all[i%len(all)][0]
	}
}

// hardAgainstMPFR is againstMPFR for hard arguments.
func hardAgainstMPFR(t *testing.T, name string, f func(float64) float64) {
	t.Helper()
	correct := oracle(t, name)
	for _, x := range hardArguments(t, name) {
		if got, want := f(x[0]), correct(x[0]); !identical(got, want) {
			t.Errorf("%s(%x) = %x, want %x", name, x[0], got, want)
		}
	}
}
