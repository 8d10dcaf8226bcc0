package f32

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// binary is a function of two arguments and what computes it. one and kernel
// take x first.
type binary struct {
	name   string // MPFR's
	f      func(x, y float32) float32
	plain  func(x, y float32) float32 // without fused operations
	one    func(x, y float32) float32 // f for points
	slice  func(dst, x, y []float32)
	kernel func(*vectorSet) vector.Kernel2[float32]
	math   func(x, y float64) float64
	kinds  []pairKind
	golden uint64 // a hash of results for pairs of all kinds
}

// A pairKind draws two arguments.
type pairKind func(*rand.Rand) (x, y float32)

var (
	hypotKinds = []pairKind{anyPair, typicalPair, closePair, hypotMidpoint}
	powKinds   = []pairKind{anyPair, typicalPair, powFinite, powNear1, powTiny, powIntegers}
	atan2Kinds = []pairKind{anyPair, typicalPair, closePair, farPair, atan2Midpoint}
)

func anyPair(rng *rand.Rand) (x, y float32) {
	return math.Float32frombits(rng.Uint32()), math.Float32frombits(rng.Uint32())
}

func typicalPair(rng *rand.Rand) (x, y float32) {
	return rng.Float32() * 10, float32(rng.Float32()*20) - 10
}

// closePair returns numbers within some octaves.
func closePair(rng *rand.Rand) (x, y float32) {
	x, _ = anyPair(rng)
	return x, x * float32(math.Ldexp(rng.Float64()-0.5, rng.IntN(28)-14))
}

// farPair returns y and x with a tiny or subnormal quotient.
func farPair(rng *rand.Rand) (y, x float32) {
	x = float32(math.Ldexp(1+rng.Float64(), rng.IntN(100)))
	return x * float32(math.Ldexp(rng.Float64()-0.5, -rng.IntN(150))), x
}

// hypotMidpoint returns the legs of a right triangle whose hypotenuse has 25
// bits: a midpoint, where it is odd; or a neighbour.
func hypotMidpoint(rng *rand.Rand) (x, y float32) {
	m, n := 1<<12+rng.IntN(1<<12), rng.IntN(1<<(1+rng.IntN(11)))
	scale := math.Ldexp(1, rng.IntN(260)-160)
	x, y = float32(float64(m*m-n*n)*scale), float32(float64(2*m*n)*scale)
	if rng.IntN(2) == 0 {
		x = math.Nextafter32(x, 0)
	}
	return x, y
}

// powFinite returns x, and y so that x^y is between 2^-151 and 2^129.
func powFinite(rng *rand.Rand) (x, y float32) {
	x = math.Float32frombits(1 + rng.Uint32N(0x7f80_0000-1))
	return x, float32((float64(rng.Float64()*280) - 151) / crmath.Log2(float64(x)))
}

// powNear1 is powFinite for an x near 1.
func powNear1(rng *rand.Rand) (x, y float32) {
	x = 1 + float32(math.Ldexp(rng.Float64()-0.5, -rng.IntN(23)))
	return x, float32((float64(rng.Float64()*280) - 151) / crmath.Log2(float64(x)))
}

// powTiny is for results that are subnormal.
func powTiny(rng *rand.Rand) (x, y float32) {
	x = math.Float32frombits(1 + rng.Uint32N(0x7f80_0000-1))
	return x, float32(-(125 + float64(rng.Float64()*26)) / crmath.Log2(float64(x)))
}

// powIntegers is for results that are exact, or midpoints.
func powIntegers(rng *rand.Rand) (x, y float32) {
	s := rng.IntN(4)
	x = float32(crmath.Pow(float64(rng.IntN(1<<(1+rng.IntN(13)))), float64(int(1)<<s)))
	x *= float32(math.Ldexp(1, (rng.IntN(20)-10)<<s))
	if rng.IntN(4) == 0 {
		x = -x
	}
	return x, float32(rng.IntN(40)-10) / float32(int(1)<<s)
}

// atan2Midpoint returns y and x whose quotient is tiny, and a midpoint or next
// to one.
func atan2Midpoint(rng *rand.Rand) (y, x float32) {
	m, n := 1<<12|2*rng.IntN(1<<11)+1, 1<<12|2*rng.IntN(1<<11)+1 // m·n has 25 or 26 bits
	x = float32(n)
	y = float32(int64(m)*int64(n)>>1) * 2
	if p := uint64(m) * uint64(n); p >= 1<<25 || rng.IntN(2) == 0 { // m/1 = (m·n)/n
		y = float32(m)
		x = 1
	}
	return y * float32(math.Ldexp(1, -80)), x * float32(math.Ldexp(1, rng.IntN(100)-20))
}

// hash returns a hash of f's results for pairs of all kinds. The pairs are the
// same on every machine.
func (f binary) hash() uint64 {
	h, rng := uint64(14695981039346656037), rand.New(rand.NewPCG(3, 4))
	for i := range 1 << 16 {
		x, y := f.kinds[i%len(f.kinds)](rng)
		r := f.f(x, y)
		if r != r {
			r = float32(math.NaN())
		}
		h = (h ^ uint64(math.Float32bits(r))) * 1099511628211
	}
	return h
}

// TestBinaries compares with MPFR, on as many pairs as LASTBIT_STRESS asks for.
func TestBinaries(t *testing.T) {
	n := 100_000
	if s := os.Getenv("LASTBIT_STRESS"); s != "" {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("LASTBIT_STRESS: %v", err)
		}
		n = int(v)
	} else if testing.Short() {
		n = 20_000
	}
	for _, f := range binaries {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			correct, rng, wrong := oracle.Binary32(t, f.name), rand.New(rand.NewPCG(1, uint64(n))),
				0
			for i := range n {
				x, y := f.kinds[i%len(f.kinds)](rng)
				if x == 0 || y == 0 || x-x != 0 || y-y != 0 {
					continue // TestSpecial
				}
				if got, want := f.f(x, y), correct(x, y); !identical(got, want) {
					t.Errorf("%s(%x, %x) = %x, want %x (kind %d)", f.name, x, y, got, want,
						i%len(f.kinds))
					if wrong++; wrong == 10 {
						return
					}
				}
			}
		})
	}
}
