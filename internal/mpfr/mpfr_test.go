package mpfr_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/mpfr/mpfrtest"
)

// functions returns two functions that package big computes too.
func functions(t *testing.T) (sqrt *mpfr.Unary, mul *mpfr.Binary) {
	t.Helper()
	l := mpfrtest.Open(t)
	sqrt, err := l.Unary("sqrt")
	if err == nil {
		mul, err = l.Binary("mul")
	}
	if err != nil {
		t.Fatal(err)
	}
	return sqrt, mul
}

// TestRounding holds the rounding, of normal and subnormal results and of
// overflow, against package big, through functions that it can compute.
func TestRounding(t *testing.T) {
	sqrt, mul := functions(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		x, y := math.Float64frombits(rng.Uint64()), math.Float64frombits(rng.Uint64())
		switch rng.IntN(3) {
		case 0: // a product around the smallest and below
			y = math.Ldexp(1+rng.Float64(), rng.IntN(70)-1090-math.Ilogb(x))
		case 1: // around the largest
			y = math.Ldexp(1+rng.Float64(), rng.IntN(4)+1021-math.Ilogb(x))
		}
		root, wantRoot := sqrt.Float64(x), math.Sqrt(x)
		if math.Float64bits(root) != math.Float64bits(wantRoot) && wantRoot == wantRoot {
			t.Fatalf("sqrt(%x) = %x, want %x", x, root, wantRoot)
		}
		if math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) {
			continue
		}
		exact := new(big.Float).SetPrec(106).Mul(new(big.Float).SetPrec(106).SetFloat64(x),
			new(big.Float).SetPrec(106).SetFloat64(y))
		want, _ := exact.Float64()
		if got := mul.Float64(x, y); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%x · %x = %x, want %x", x, y, got, want)
		}
		a, b := float32(x), float32(y)
		if math.IsInf(float64(a), 0) || math.IsInf(float64(b), 0) {
			a, b = math.Float32frombits(rng.Uint32()>>1&^(1<<30)),
				math.Float32frombits(rng.Uint32()>>1&^(1<<30))
		}
		want32 := float32(float64(a) * float64(b)) // the product is exact
		if got := mul.Float32(a, b); math.Float32bits(got) != math.Float32bits(want32) {
			t.Fatalf("%x · %x = %x, want %x", a, b, got, want32)
		}
	}
}

// TestKnown compares with values that are known without MPFR.
func TestKnown(t *testing.T) {
	l := mpfrtest.Open(t)
	for _, c := range []struct {
		name    string
		x, want float64
	}{
		{"exp", 1, math.E},
		{"exp", 1000, math.Inf(1)},
		{"exp", -745, 5e-324},
		{"exp", -746, 0},
		{"exp", math.Inf(-1), 0},
		{"log", 0, math.Inf(-1)},
		{"log", 10, math.Ln10},
		{"log2", 5e-324, -1074},
		{"exp10", 22, 1e22},
		{"exp10", -320, 1e-320},
		{"atan", 1, math.Pi / 4},
		{"sin", math.Copysign(0, -1), math.Copysign(0, -1)},
		{"expm1", 5e-324, 5e-324},
		{"log1p", -5e-324, -5e-324},
		{"cbrt", 27, 3},
	} {
		f, err := l.Unary(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Float64(c.x); math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
	}
	exp, err := l.Unary("exp")
	if err != nil {
		t.Fatal(err)
	}
	if got := exp.Float64(math.NaN()); !math.IsNaN(got) {
		t.Errorf("exp(NaN) = %v", got)
	}
	if _, err := l.Unary("nonsense"); err == nil {
		t.Error("mpfr_nonsense was found")
	}
}

// TestDigits compares 256 bits of √2 with package big's.
func TestDigits(t *testing.T) {
	sqrt, err := mpfrtest.Open(t).Unary("sqrt")
	if err != nil {
		t.Fatal(err)
	}
	d, ok := sqrt.Digits(2)
	want := new(big.Int).Sqrt(new(big.Int).Lsh(big.NewInt(2), 2*255))
	got := new(big.Int)
	for _, w := range d.M {
		got.Or(got.Lsh(got, 64), new(big.Int).SetUint64(w))
	}
	if !ok || d.Exp != 1 || got.Cmp(want) != 0 {
		t.Errorf("√2 = %x·2^%d, want %x", got, d.Exp-256, want)
	}
	if _, ok := sqrt.Digits(0); ok {
		t.Error("0 has digits")
	}
	if _, ok := sqrt.Digits(-1); ok {
		t.Error("NaN has digits")
	}
}

func BenchmarkExp(b *testing.B) {
	f, err := mpfrtest.Open(b).Unary("exp")
	if err != nil {
		b.Fatal(err)
	}
	x := 1.0
	for b.Loop() {
		x = math.Mod(f.Float64(x), 3)
	}
}
