package complexes

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
)

// corners are the special values of a part, and numbers whose products overflow
// and underflow. The NaN has the sign that amd64 gives it.
var corners = []float64{
	0, math.Copysign(0, -1), 1, -1, 3, -1.5,
	0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp-1022, 0x1p-540,
	-0x1p520, 0x1p1023, math.MaxFloat64, -math.MaxFloat64,
	math.Inf(1), math.Inf(-1), math.Copysign(math.NaN(), -1),
}

// corners32 are the corners of complex64.
var corners32 = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 3, -1.5,
	0x1p-149, -0x1p-149, 0x1p-126, 0x1p-70,
	-0x1p65, 0x1p127, math.MaxFloat32, -math.MaxFloat32,
	float32(math.Inf(1)), float32(math.Inf(-1)),
	float32(math.Copysign(math.NaN(), -1)),
}

// needAMD64 skips a test on platforms whose operators may be fused.
func needAMD64(t *testing.T) {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok || !slices.Contains(info.Settings, debug.BuildSetting{Key: "GOAMD64", Value: "v1"}) {
		t.Skip("the operators of this platform are not those of amd64 with GOAMD64=v1")
	}
}

func TestMulAndDivAreTheOperators(t *testing.T) {
	needAMD64(t)
	each(corners, func(a, b complex128) { compare(t, a, b) })
	each(corners32, func(a, b complex64) { compare64(t, a, b) })
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200_000 {
		a, b := complex(random(r), random(r)), complex(random(r), random(r))
		compare(t, a, b)
		compare64(t, complex64(a), complex64(b))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestSignsOfNaN divides by infinite numbers with a NaN: its sign, which
// depends on the processor, changes no zero of the quotient.
func TestSignsOfNaN(t *testing.T) {
	positive, negative := math.NaN(), math.Copysign(math.NaN(), -1)
	each(corners[:len(corners)-1], func(a, b complex128) {
		for _, parts := range [][2]complex128{
			{complex(real(b), positive), complex(real(b), negative)},
			{complex(positive, imag(b)), complex(negative, imag(b))},
		} {
			if x, y := Div(a, parts[0]), Div(a, parts[1]); !same(x, y) {
				t.Errorf("%v / %v is %v with one sign of NaN, %v with the other", a, parts[0], x, y)
			}
		}
	})
}

// each calls do with every pair of numbers with parts among some.
func each[F float32 | float64, C complex64 | complex128](parts []F, do func(a, b C)) {
	number := func(re, im F) C { return C(complex(float64(re), float64(im))) }
	for _, ar := range parts {
		for _, ai := range parts {
			for _, br := range parts {
				for _, bi := range parts {
					do(number(ar, ai), number(br, bi))
				}
			}
		}
	}
}

// random returns a number of any sign, with an exponent near 0 or anywhere.
func random(r *rand.Rand) float64 {
	if r.IntN(4) > 0 {
		return math.Ldexp(r.Float64()*2-1, r.IntN(8))
	}
	x := math.Float64frombits(r.Uint64())
	if x != x {
		return math.Copysign(x, -1) // the sign that amd64 gives it
	}
	return x
}

func compare(t *testing.T, a, b complex128) {
	t.Helper()
	if got, want := Mul(a, b), a*b; !same(got, want) {
		t.Errorf("%v * %v is %v, not %v", a, b, want, got)
	}
	if got, want := Div(a, b), a/b; !same(got, want) {
		t.Errorf("%v / %v is %v, not %v", a, b, want, got)
	}
}

func compare64(t *testing.T, a, b complex64) {
	t.Helper()
	if got, want := Mul64(a, b), a*b; !same(complex128(got), complex128(want)) {
		t.Errorf("%v * %v is %v, not %v", a, b, want, got)
	}
	if got, want := Div64(a, b), a/b; !same(complex128(got), complex128(want)) {
		t.Errorf("%v / %v is %v, not %v", a, b, want, got)
	}
}

// same reports whether two numbers have the same bits, or NaN in the same
// parts.
func same(a, b complex128) bool {
	return bits(real(a)) == bits(real(b)) && bits(imag(a)) == bits(imag(b))
}

func bits(x float64) uint64 {
	if x != x {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x)
}

// TestGolden compares a hash of many results with the one of amd64.
func TestGolden(t *testing.T) {
	h := sha256.New()
	write := func(z complex128) {
		h.Write(binary.LittleEndian.AppendUint64(nil, bits(real(z))))
		h.Write(binary.LittleEndian.AppendUint64(nil, bits(imag(z))))
	}
	each(corners, func(a, b complex128) {
		write(Mul(a, b))
		write(Div(a, b))
	})
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b := complex(random(r), random(r)), complex(random(r), random(r))
		write(Mul(a, b))
		write(Div(a, b))
		write(complex128(Mul64(complex64(a), complex64(b))))
		write(complex128(Div64(complex64(a), complex64(b))))
	}
	const want = "21f8c7eb8da681e3de965e8905d533ab"
	if got := fmt.Sprintf("%x", h.Sum(nil)[:16]); got != want {
		t.Errorf("the results have the hash %s, not %s", got, want)
	}
}

func BenchmarkMul(b *testing.B) {
	x, y := complex(0.5, 0.25), complex(0.99, 0.1)
	b.Run("operator", func(b *testing.B) {
		z := x
		for range b.N {
			z = z*y + x
		}
		sink = z
	})
	b.Run("Mul", func(b *testing.B) {
		z := x
		for range b.N {
			z = Mul(z, y) + x
		}
		sink = z
	})
}

func BenchmarkDiv(b *testing.B) {
	x, y := complex(0.5, 0.25), complex(0.99, 0.1)
	b.Run("operator", func(b *testing.B) {
		z := x
		for range b.N {
			z = z/y + x
		}
		sink = z
	})
	b.Run("Div", func(b *testing.B) {
		z := x
		for range b.N {
			z = Div(z, y) + x
		}
		sink = z
	})
}

var sink complex128
