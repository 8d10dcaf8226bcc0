package f32

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/tables"
)

// identical compares bits; a NaN is any NaN.
func identical(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// strata calls f for 2^log arguments, one from each part of as many equal parts
// of all encodings.
func strata(log uint, f func(x float32)) {
	for i := range uint32(1) << log {
		f(math.Float32frombits(i<<(32-log) | i*0x9e3779b1>>log))
	}
}

// hash returns a hash of f's results for 2^log strata.
func (f function) hash(log uint) uint64 {
	h := uint64(14695981039346656037) // FNV-1a, of words
	strata(log, func(x float32) {
		y := f.f(x)
		if y != y {
			y = float32(math.NaN())
		}
		h = (h ^ uint64(math.Float32bits(y))) * 1099511628211
	})
	return h
}

// TestGolden compares results for 2^16 strata with results from the machine
// that tried all 2^32.
func TestGolden(t *testing.T) {
	for _, f := range functions {
		if got := f.hash(16); got != f.golden[0] {
			t.Errorf("%s: hash %#x, want %#x", f.name, got, f.golden[0])
		}
	}
	for _, f := range binaries {
		if got := f.hash(); got != f.golden {
			t.Errorf("%s: hash %#x, want %#x", f.name, got, f.golden)
		}
	}
}

// TestStrata does so for 2^24.
func TestStrata(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			if got := f.hash(24); got != f.golden[1] {
				t.Errorf("hash %#x, want %#x", got, f.golden[1])
			}
		})
	}
}

// TestAgainstMPFR compares for arguments of all kinds.
func TestAgainstMPFR(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			correct, rng := oracle.Unary32(t, f.name), rand.New(rand.NewPCG(1, 2))
			compare := func(x float32) {
				if x == 0 && f.name == "rec_sqrt" {
					return // IEEE 754 wants a sign of 1/√-0, MPFR does not
				}
				if got, want := f.f(x), correct(x); !identical(got, want) {
					t.Errorf("%s(%x) = %x, want %x", f.name, x, got, want)
				}
			}
			for range n {
				compare(f.typical[0] + rng.Float32()*(f.typical[1]-f.typical[0]))
				compare(math.Float32frombits(rng.Uint32()))
			}
			for _, limit := range []float32{0x1p-12, 0x1p-7, 0x1p-4, 0.125, 0.25, 0.5, 1, 1.25, 10,
				32, 128, 256, 1024, math.MaxFloat32, 0x1p-126, 0x1p-149} {
				for _, x := range []float32{limit, math.Nextafter32(limit, 0),
					math.Nextafter32(limit, math.MaxFloat32)} {
					compare(x)
					compare(-x)
				}
			}
		})
	}
}

// TestSpecial compares with package math where its results are exact.
func TestSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, f := range functions {
		for _, v := range []float64{0, math.Copysign(0, -1), inf, -inf, nan, 1, -1, 2, -2} {
			if f.math == nil {
				continue
			}
			want := f.math(v)
			if want != 0 && want != math.Trunc(want) || f.name == "exp10" && v == v && v-v != 0 {
				continue // rounded, or no special case
			}
			if got := f.f(float32(v)); !identical(got, float32(want)) {
				t.Errorf("%s(%v) = %v, want %v", f.name, v, got, want)
			}
		}
	}
	for k := -149; k < 128; k++ {
		if got := Exp2(float32(k)); got != float32(math.Ldexp(1, k)) {
			t.Errorf("Exp2(%d) = %x", k, got)
		}
		if got := Log2(float32(math.Ldexp(1, k))); got != float32(k) {
			t.Errorf("Log2(2^%d) = %x", k, got)
		}
	}
	special := []float64{0, math.Copysign(0, -1), inf, -inf, nan, 1, -1, 2, -2, 3, -3, 0.5, -0.5,
		0x1p-149, math.MaxFloat32, -math.MaxFloat32}
	for _, f := range binaries {
		for _, x := range special {
			for _, y := range special {
				extreme := func(x float64) bool { return x == 0 || x-x != 0 }
				if want := f.math(x, y); extreme(x) || extreme(y) {
					if got := f.f(float32(x), float32(y)); !identical(got, float32(want)) {
						t.Errorf("%s(%v, %v) = %v, want %v", f.name, x, y, got, want)
					}
				}
			}
		}
	}
}

func TestSincos(t *testing.T) {
	strata(16, func(x float32) {
		if s, c := Sincos(x); !identical(s, Sin(x)) || !identical(c, Cos(x)) {
			t.Fatalf("Sincos(%x) = %x, %x", x, s, c)
		}
	})
}

func TestAllocates(t *testing.T) {
	for _, f := range functions {
		for _, x := range []float32{0.7, 3, 1e10} {
			if n := testing.AllocsPerRun(10, func() { f.f(x) }); n != 0 {
				t.Errorf("%s(%v): %v allocations", f.name, x, n)
			}
		}
	}
	for _, f := range binaries {
		for _, x := range [][2]float32{{3, 4}, {0x1p-140, 3}, {4099, 2}, {0x1p-149, 1.5}} {
			if n := testing.AllocsPerRun(10, func() { f.f(x[0], x[1]) }); n != 0 {
				t.Errorf("%s(%v): %v allocations", f.name, x, n)
			}
		}
	}
}

// TestTables generates the tables again.
func TestTables(t *testing.T) {
	want, err := tables.F32()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("tables.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("tables.go is stale: run go generate (%v)", err)
	}
}
