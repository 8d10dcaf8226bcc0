package complexes

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
)

// A function has a complex argument and result.
type function struct {
	name    string // in lower case
	f       func(z complex128) complex128
	inCmplx func(z complex128) complex128
	isOdd   bool
	isEven  bool
}

var functions = []function{
	{name: "exp", f: Exp, inCmplx: cmplx.Exp},
	{name: "log", f: Log, inCmplx: cmplx.Log},
	{name: "log10", f: Log10, inCmplx: cmplx.Log10},
	{name: "sqrt", f: Sqrt, inCmplx: cmplx.Sqrt},
	{name: "sin", f: Sin, inCmplx: cmplx.Sin, isOdd: true},
	{name: "cos", f: Cos, inCmplx: cmplx.Cos, isEven: true},
	{name: "tan", f: Tan, inCmplx: cmplx.Tan, isOdd: true},
	{name: "cot", f: Cot, inCmplx: cmplx.Cot},
	{name: "sinh", f: Sinh, inCmplx: cmplx.Sinh, isOdd: true},
	{name: "cosh", f: Cosh, inCmplx: cmplx.Cosh, isEven: true},
	{name: "tanh", f: Tanh, inCmplx: cmplx.Tanh, isOdd: true},
	{name: "asin", f: Asin, inCmplx: cmplx.Asin, isOdd: true},
	{name: "acos", f: Acos, inCmplx: cmplx.Acos},
	{name: "atan", f: Atan, inCmplx: cmplx.Atan, isOdd: true},
	{name: "asinh", f: Asinh, inCmplx: cmplx.Asinh, isOdd: true},
	{name: "acosh", f: Acosh, inCmplx: cmplx.Acosh},
	{name: "atanh", f: Atanh, inCmplx: cmplx.Atanh, isOdd: true},
}

// arguments returns the numbers whose parts are corners, and random ones.
func arguments(r *rand.Rand, n int) []complex128 {
	var all []complex128
	for _, re := range corners {
		for _, im := range corners {
			all = append(all, complex(re, im))
		}
	}
	for range n {
		all = append(all, complex(random(r), random(r)))
	}
	return all
}

// TestSymmetries compares values at z, at its conjugate and at −z bit for bit.
func TestSymmetries(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range functions {
		for _, z := range arguments(r, 2000) {
			w := f.f(z)
			if got := conj(f.f(conj(z))); !sameBut(z, got, w) && (f.name != "cot" || z != 0) {
				t.Errorf("%s(%v) is %v, and %v by its conjugate", f.name, z, w, got)
			}
			got := f.f(-z)
			if f.isOdd {
				got = -got
			}
			if (f.isOdd || f.isEven) && !sameBut(z, got, w) {
				t.Errorf("%s(%v) is %v, and %v by the value at −z", f.name, z, w, got)
			}
		}
	}
}

// TestOtherNaN passes NaN with other signs and payloads: no bit changes.
func TestOtherNaN(t *testing.T) {
	others := []float64{math.NaN(), -math.NaN(), math.Float64frombits(0xfff8000000000123)}
	exactly := func(a, b complex128) bool {
		return math.Float64bits(real(a)) == math.Float64bits(real(b)) &&
			math.Float64bits(imag(a)) == math.Float64bits(imag(b))
	}
	for _, x := range corners {
		for _, other := range others {
			for _, f := range functions {
				for _, parts := range [][2]complex128{
					{complex(x, others[0]), complex(x, other)},
					{complex(others[0], x), complex(other, x)},
				} {
					if a, b := f.f(parts[0]), f.f(parts[1]); !exactly(a, b) {
						t.Errorf("%s(%v) is %v, and %v with another NaN", f.name, parts[0], a, b)
					}
				}
			}
			a, b := Pow(complex(x, other), complex(x, 2)), Pow(complex(x, others[0]), complex(x, 2))
			if !exactly(a, b) || !exactly(Rect(other, x), Rect(others[0], x)) {
				t.Errorf("Pow or Rect of %v and NaN", x)
			}
		}
	}
}

// sameBut is same, except for signs where z or both results have a NaN.
func sameBut(z, a, b complex128) bool {
	magnitudes := func(z complex128) complex128 {
		return complex(math.Abs(real(z)), math.Abs(imag(z)))
	}
	if hasNaN(z) || hasNaN(a) && hasNaN(b) {
		a, b = magnitudes(a), magnitudes(b)
	}
	return same(a, b)
}

func hasNaN(z complex128) bool { return real(z) != real(z) || imag(z) != imag(z) }

// TestCmplx compares with math/cmplx where its results are accurate.
func TestCmplx(t *testing.T) {
	parts := []float64{0.3, -0.3, 1.25, -1.25, 3, -2.5, 20, -20}
	for _, f := range functions {
		for _, x := range parts {
			for _, y := range parts {
				z := complex(x, y)
				got, want := f.f(z), f.inCmplx(z)
				if cmplx.Abs(got-want) > 1e-11*cmplx.Abs(want) {
					t.Errorf("%s(%v) is %v, and %v in math/cmplx", f.name, z, got, want)
				}
			}
		}
	}
	for _, x := range parts {
		for _, y := range parts {
			for _, b := range []complex128{2, -0.5, 1 + 2i, -3 - 1i, 0.25i} {
				a := complex(x, y)
				got, want := Pow(a, b), cmplx.Pow(a, b)
				if cmplx.Abs(got-want) > 1e-12*cmplx.Abs(want) {
					t.Errorf("Pow(%v, %v) is %v, and %v in math/cmplx", a, b, got, want)
				}
			}
			r, θ := Polar(complex(x, y))
			if z := Rect(r, θ); cmplx.Abs(z-complex(x, y)) > 1e-14*r {
				t.Errorf("Rect(%v, %v) is %v", r, θ, z)
			}
		}
	}
}

// TestPowOfZero raises 0 to numbers as math/cmplx does.
func TestPowOfZero(t *testing.T) {
	for _, zero := range []complex128{0, complex(math.Copysign(0, -1), 0)} {
		for _, b := range arguments(rand.New(rand.NewPCG(5, 6)), 0) {
			if math.IsNaN(real(b)) {
				if got := Pow(zero, b); !cmplx.IsNaN(got) {
					t.Errorf("Pow(%v, %v) is %v", zero, b, got)
				}
				continue // math/cmplx panics if the other part is infinite
			}
			if got, want := Pow(zero, b), cmplx.Pow(zero, b); !same(got, want) {
				t.Errorf("Pow(%v, %v) is %v, want %v", zero, b, got, want)
			}
		}
	}
}

// TestC99 compares special values with C99, Annex G.6. The other ones follow by
// symmetry.
func TestC99(t *testing.T) {
	inf, nan, π := math.Inf(1), math.NaN(), math.Pi
	for _, x := range []struct {
		name    string
		f       func(z complex128) complex128
		z, want complex128
	}{
		{"Exp", Exp, complex(0, inf), complex(nan, nan)},
		{"Exp", Exp, complex(inf, 0), complex(inf, 0)},
		{"Exp", Exp, complex(-inf, 2), complex(math.Copysign(0, -1), 0)},
		{"Exp", Exp, complex(inf, 2), complex(-inf, inf)},
		{"Exp", Exp, complex(-inf, inf), 0},
		{"Exp", Exp, complex(inf, inf), complex(inf, nan)},
		{"Exp", Exp, complex(nan, 0), complex(nan, 0)},
		{"Exp", Exp, complex(800, 0), complex(inf, 0)},
		{"Log", Log, complex(math.Copysign(0, -1), 0), complex(-inf, π)},
		{"Log", Log, 0, complex(-inf, 0)},
		{"Log", Log, complex(1, inf), complex(inf, π/2)},
		{"Log", Log, complex(-inf, 1), complex(inf, π)},
		{"Log", Log, complex(-inf, inf), complex(inf, 3*π/4)},
		{"Log", Log, complex(inf, nan), complex(inf, nan)},
		{"Log", Log, complex(nan, 1), complex(nan, nan)},
		{"Sqrt", Sqrt, complex(math.Copysign(0, -1), 0), 0},
		{"Sqrt", Sqrt, complex(nan, inf), complex(inf, inf)},
		{"Sqrt", Sqrt, complex(-inf, 1), complex(0, inf)},
		{"Sqrt", Sqrt, complex(inf, 1), complex(inf, 0)},
		{"Sqrt", Sqrt, complex(-inf, nan), complex(nan, inf)},
		{"Sqrt", Sqrt, complex(inf, nan), complex(inf, nan)},
		{"Sinh", Sinh, complex(0, inf), complex(0, nan)},
		{"Sinh", Sinh, complex(inf, 0), complex(inf, 0)},
		{"Sinh", Sinh, complex(inf, 2), complex(-inf, inf)},
		{"Sinh", Sinh, complex(inf, inf), complex(inf, nan)},
		{"Sinh", Sinh, complex(nan, 0), complex(nan, 0)},
		{"Sinh", Sinh, complex(1, inf), complex(nan, nan)},
		{"Cosh", Cosh, complex(0, inf), complex(nan, 0)},
		{"Cosh", Cosh, complex(1, inf), complex(nan, nan)},
		{"Cosh", Cosh, complex(inf, 0), complex(inf, 0)},
		{"Cosh", Cosh, complex(inf, 2), complex(-inf, inf)},
		{"Cosh", Cosh, complex(inf, inf), complex(inf, nan)},
		{"Tanh", Tanh, complex(1, inf), complex(nan, nan)},
		{"Tanh", Tanh, complex(400, inf), complex(nan, nan)},
		{"Tanh", Tanh, complex(inf, 2), complex(1, math.Copysign(0, -1))},
		{"Tanh", Tanh, complex(inf, inf), complex(1, 0)},
		{"Tanh", Tanh, complex(nan, 0), complex(nan, 0)},
		{"Tanh", Tanh, complex(nan, 1), complex(nan, nan)},
		{"Acos", Acos, complex(0, 0), complex(π/2, math.Copysign(0, -1))},
		{"Acos", Acos, complex(0, nan), complex(π/2, nan)},
		{"Acos", Acos, complex(1, inf), complex(π/2, -inf)},
		{"Acos", Acos, complex(-inf, 1), complex(π, -inf)},
		{"Acos", Acos, complex(inf, 1), complex(0, -inf)},
		{"Acos", Acos, complex(-inf, inf), complex(3*π/4, -inf)},
		{"Acos", Acos, complex(inf, nan), complex(nan, inf)},
		{"Acos", Acos, complex(nan, inf), complex(nan, -inf)},
		{"Acosh", Acosh, complex(0, 0), complex(0, π/2)},
		{"Acosh", Acosh, complex(1, inf), complex(inf, π/2)},
		{"Acosh", Acosh, complex(-inf, 1), complex(inf, π)},
		{"Acosh", Acosh, complex(-inf, inf), complex(inf, 3*π/4)},
		{"Acosh", Acosh, complex(inf, nan), complex(inf, nan)},
		{"Acosh", Acosh, complex(nan, inf), complex(inf, nan)},
		{"Asinh", Asinh, complex(1, inf), complex(inf, π/2)},
		{"Asinh", Asinh, complex(inf, 1), complex(inf, 0)},
		{"Asinh", Asinh, complex(inf, inf), complex(inf, π/4)},
		{"Asinh", Asinh, complex(inf, nan), complex(inf, nan)},
		{"Asinh", Asinh, complex(nan, 0), complex(nan, 0)},
		{"Asinh", Asinh, complex(nan, inf), complex(inf, nan)},
		{"Atanh", Atanh, complex(0, nan), complex(0, nan)},
		{"Atanh", Atanh, complex(1, 0), complex(inf, 0)},
		{"Atanh", Atanh, complex(1, inf), complex(0, π/2)},
		{"Atanh", Atanh, complex(inf, 1), complex(0, π/2)},
		{"Atanh", Atanh, complex(inf, nan), complex(0, nan)},
		{"Atanh", Atanh, complex(nan, inf), complex(0, π/2)},
	} {
		if got := x.f(x.z); !same(got, x.want) {
			t.Errorf("%s(%v) is %v, want %v", x.name, x.z, got, x.want)
		}
	}
}

// exactly reads lines of five words: the name of a function, and in
// hexadecimal the parts of its argument and of a result. It writes the error of
// each part of the result, in units of the last place.
const exactly = `
import sys, mpmath as mp
mp.mp.prec = 2600
others = {"log10": lambda z: mp.log(z) / mp.log(10)}
def ulps(got, want):
    if abs(want) > sys.float_info.max:
        return 0 if got in (float("inf"), -float("inf")) else 1e9
    if got != got or got in (float("inf"), -float("inf")):
        return 1e9
    unit = mp.ldexp(1, max(int(mp.frexp(abs(want))[1]) - 53, -1074))
    return abs(mp.mpf(got) - want) / unit
for line in sys.stdin:
    name, *parts = line.split()
    x, y, re, im = map(float.fromhex, parts)
    want = (others.get(name) or getattr(mp, name))(mp.mpc(x, y))
    print(float(ulps(re, want.real)), float(ulps(im, want.imag)))
`

// TestAccuracy compares with mpmath: no part of a result is farther than 6
// units of the last place from the function's.
func TestAccuracy(t *testing.T) {
	python := pyenv.Python(t)
	r := rand.New(rand.NewPCG(7, 8))
	part := func() float64 {
		switch r.IntN(4) {
		case 0:
			return 1 + math.Ldexp(r.Float64()-0.5, -r.IntN(50))
		case 1:
			return 1400 * (r.Float64() - 0.5)
		}
		return math.Ldexp(r.Float64()-0.5, r.IntN(60)-40)
	}
	var in bytes.Buffer
	var asked []string
	for _, f := range functions {
		for range 60 {
			z := complex(part(), part())
			w := f.f(z)
			fmt.Fprintf(&in, "%s %x %x %x %x\n", f.name, real(z), imag(z), real(w), imag(w))
			asked = append(asked, fmt.Sprintf("%s(%v) is %v", f.name, z, w))
		}
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", exactly)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(asked) {
		t.Fatalf("%d answers to %d questions", len(lines), len(asked))
	}
	worst := 0.0
	for i, line := range lines {
		var re, im float64
		if _, err := fmt.Sscan(line, &re, &im); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		worst = max(worst, re, im)
		if !(re <= 6 && im <= 6) {
			t.Errorf("%s: %s units off", asked[i], line)
		}
	}
	t.Logf("at most %.2f units of the last place", worst)
}

// TestGoldenFunctions compares a hash of many results with the one of amd64,
// NaN included.
func TestGoldenFunctions(t *testing.T) {
	h := sha256.New()
	write := func(z complex128) {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(real(z))))
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(imag(z))))
	}
	r := rand.New(rand.NewPCG(9, 10))
	all := arguments(r, 2000)
	for i, z := range all {
		for _, f := range functions {
			write(f.f(z))
		}
		write(Pow(z, all[(i*7+3)%len(all)]))
		write(Rect(Abs(z), imag(z)))
	}
	const want = "41dc497760d22db1384947df9c0d05f0"
	if got := fmt.Sprintf("%x", h.Sum(nil)[:16]); got != want {
		t.Errorf("the results have the hash %s, not %s", got, want)
	}
}

func BenchmarkFunctions(b *testing.B) {
	z := complex(0.7, -1.3)
	for _, f := range functions {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				f.f(z)
			}
		})
		b.Run(f.name+" of cmplx", func(b *testing.B) {
			for b.Loop() {
				f.inCmplx(z)
			}
		})
	}
}
