package trunc

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// numbers returns numbers at and beside the bounds of every integer type, some
// special ones and random ones.
func numbers() []float64 {
	all := []float64{0, math.Copysign(0, -1), 0x1p-1074, 0.5, -0.5, 0.999, -0.999, -1, 2.5, 300.7,
		1e300, -1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, bits := range []int{7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64, 65} {
		for _, sign := range []float64{1, -1} {
			x := math.Ldexp(sign, bits)
			for _, d := range []float64{0, 0.5, 1, 1.5} {
				all = append(all, x-d, x+d)
			}
			all = append(all, math.Nextafter(x, math.Inf(-1)), math.Nextafter(x, math.Inf(1)),
				float64(math.Nextafter32(float32(x), 0)))
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		all = append(all, math.Ldexp(r.Float64()*2-1, r.IntN(70)), math.Float64frombits(r.Uint64()))
	}
	return all
}

// TestTheLanguage compares all functions with conversions: everywhere where the
// language defines them, and on amd64 for any number.
func TestTheLanguage(t *testing.T) {
	for _, x := range numbers() {
		compare(t, x)
		compare(t, float32(x))
	}
}

// TestProducts compares conversions of products, which compilers fuse with a
// sum in a function that they inline, with conversions of rounded products.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		x, y := math.Ldexp(1+r.Float64(), 31), math.Ldexp(1+r.Float64(), 31)
		x32, y32 := float32(x), float32(y)
		if got, want := Uint64(x*y), Uint64(float64(x*y)); got != want {
			t.Fatalf("Uint64(%x*%x) = %d, and of the rounded product %d", x, y, got, want)
		}
		if got, want := Uint(x32*y32), Uint(float32(x32*y32)); got != want {
			t.Fatalf("Uint(%x*%x) = %d, and of the rounded product %d", x32, y32, got, want)
		}
		if got, want := Uintptr(x*y), Uintptr(float64(x*y)); got != want {
			t.Fatalf("Uintptr(%x*%x) = %d, and of the rounded product %d", x, y, got, want)
		}
	}
}

func compare[F float32 | float64](t *testing.T, x F) {
	t.Helper()
	one(t, "Int64", x, Int64(x), int64(x), -0x1p63, 0x1p63)
	one(t, "Int", x, Int(x), int(x), -0x1p31, 0x1p31)
	one(t, "Int32", x, Int32(x), int32(x), -0x1p31, 0x1p31)
	one(t, "Int16", x, Int16(x), int16(x), -0x1p15, 0x1p15)
	one(t, "Int8", x, Int8(x), int8(x), -0x1p7, 0x1p7)
	one(t, "Uint64", x, Uint64(x), uint64(x), 0, 0x1p64)
	one(t, "Uint", x, Uint(x), uint(x), 0, 0x1p32)
	one(t, "Uintptr", x, Uintptr(x), uintptr(x), 0, 0x1p32)
	one(t, "Uint32", x, Uint32(x), uint32(x), 0, 0x1p32)
	one(t, "Uint16", x, Uint16(x), uint16(x), 0, 0x1p16)
	one(t, "Uint8", x, Uint8(x), uint8(x), 0, 0x1p8)
}

// one compares a result, elsewhere than on amd64 only where x is between low,
// which it may equal, and high.
func one[F float32 | float64, I comparable](
	t *testing.T, name string, x F, got, want I, low, high F,
) {
	t.Helper()
	if (runtime.GOARCH == "amd64" || x >= low && x < high) && got != want {
		t.Errorf("%s(%v) is %v, and the conversion %v", name, x, got, want)
	}
}

// TestGoldenOutside compares results for numbers that a type lacks.
func TestGoldenOutside(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name      string
		got, want int64
	}{
		{"Int64(NaN)", Int64(nan), math.MinInt64},
		{"Int64(1e300)", Int64(1e300), math.MinInt64},
		{"Int32(NaN)", int64(Int32(nan)), math.MinInt32},
		{"Int32(2^31)", int64(Int32(float32(0x1p31))), math.MinInt32},
		{"Uint64(-1)", int64(Uint64(-1.0)), -1},
		{"Uint64(-Inf)", int64(Uint64(math.Inf(-1))), math.MinInt64},
		{"Uint64(2^64)", int64(Uint64(0x1p64)), math.MinInt64},
		{"Uint64(NaN)", int64(Uint64(nan)), math.MinInt64},
		{"Uint32(-1)", int64(Uint32(-1.0)), math.MaxUint32},
		{"Uint32(NaN)", int64(Uint32(nan)), 0},
		{"Uint8(300)", int64(Uint8(300.0)), 44},
		{"Uint8(-1)", int64(Uint8(-1.0)), 255},
		{"Uint8(1e300)", int64(Uint8(1e300)), 0},
		{"Int8(200)", int64(Int8(200.0)), -56},
	} {
		if tt.got != tt.want {
			t.Errorf("%s is %d, not %d", tt.name, tt.got, tt.want)
		}
	}
}

func BenchmarkInt(b *testing.B) {
	x := make([]float64, 1024)
	for i := range x {
		x[i] = float64(i) * 0.7
	}
	b.Run("conversion", func(b *testing.B) {
		n := 0
		for range b.N {
			for _, v := range x {
				n += int(v)
			}
		}
		sink = n
	})
	b.Run("Int", func(b *testing.B) {
		n := 0
		for range b.N {
			for _, v := range x {
				n += Int(v)
			}
		}
		sink = n
	})
}

var sink int
