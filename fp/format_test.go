package fp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestEncodings goes through every encoding of the short formats, against the
// definition of IEEE 754, and through random ones of the others.
func TestEncodings(t *testing.T) {
	for _, f := range []Format{Binary16, BFloat16, E5M2} {
		frac, sign := f.Precision()-1, 8*f.Bytes()-1
		last := math.Inf(-1)
		for i := range 2 << sign {
			b := uint64(i)
			x := f.FromBits(b)
			e, m := int(b>>frac&(1<<(sign-frac)-1)), float64(b&(1<<frac-1))
			want := math.Ldexp(1+math.Ldexp(m, -frac), e-f.MaxExp())
			switch {
			case e == 0:
				want = math.Ldexp(m, f.MinExp()-frac)
			case e == 1<<(sign-frac)-1 && m == 0:
				want = math.Inf(1)
			case e == 1<<(sign-frac)-1:
				want = math.NaN()
			}
			if b>>sign == 1 {
				want = -want
			}
			if !same(x, want) {
				t.Fatalf("%v.FromBits(%#x) = %x, want %x", f, b, x, want)
			}
			if x != x {
				if !math.IsNaN(f.FromBits(f.Bits(x))) {
					t.Fatalf("%v: NaN %#x becomes a number", f, b)
				}
				continue
			}
			if f.Bits(x) != b || f.FromBits(b|0xabcd<<16) != x {
				t.Fatalf("%v: %#x becomes %#x", f, b, f.Bits(x))
			}
			if i > 0 && b>>sign == 0 && x <= last {
				t.Fatalf("%v: %#x is not above the encoding before it", f, b)
			}
			last = x
		}
		for _, n := range []struct {
			x    float64
			bits uint64
		}{
			{math.NaN(), 1<<sign - 1<<(frac-1)},
			{math.Copysign(math.NaN(), -1), 2<<sign - 1<<(frac-1)},
		} {
			if got := f.Bits(n.x); got != n.bits {
				t.Errorf("%v.Bits(NaN) = %#x, want %#x", f, got, n.bits)
			}
		}
		// Not values of the format.
		for _, x := range []float64{1e300, -1e300, 1e-300, -1e-300, 1.0 / 3} {
			if got, want := f.FromBits(f.Bits(x)), f.Round(x, NearestEven); !same(got, want) {
				t.Errorf("%v.Bits(%v) is that of %v, want of %v", f, x, got, want)
			}
		}
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 100_000 {
		b := rng.Uint64()
		if x := Binary64.FromBits(b); x == x && Binary64.Bits(x) != b {
			t.Fatalf("f64 %#x becomes %#x", b, Binary64.Bits(x))
		}
		if x := Binary32.FromBits(b); x == x &&
			(Binary32.Bits(x) != b&0xffffffff || float32(x) != math.Float32frombits(uint32(b))) {
			t.Fatalf("f32 %#x becomes %#x", b, Binary32.Bits(x))
		}
	}
}

// TestNeighbours walks through all values of the short formats, and through
// neighbours of random values of the others.
func TestNeighbours(t *testing.T) {
	for _, f := range []Format{Binary16, BFloat16, E5M2} {
		values := uint64(0)
		x := math.Inf(-1)
		for x < math.Inf(1) {
			up := f.NextUp(x)
			switch {
			case up <= x || f.Distance(x, up) != 1 || f.Distance(up, x) != 1:
				t.Fatalf("%v.NextUp(%x) = %x, at the distance %d", f, x, up, f.Distance(x, up))
			case up != 0 && f.NextDown(up) != x:
				t.Fatalf("%v.NextDown(%x) = %x, want %x", f, up, f.NextDown(up), x)
			case x > 0 && up-up == 0 && up-x != f.ULP(x):
				t.Fatalf("%v.ULP(%x) = %x, want %x", f, x, f.ULP(x), up-x)
			case f.Distance(math.Inf(-1), x) != values:
				t.Fatalf("%v.Distance(-Inf, %x) = %d, want %d", f, x, f.Distance(math.Inf(-1), x),
					values)
			}
			x = up
			values++
		}
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, f := range []Format{Binary64, Binary32} {
		for range 50_000 {
			x := random(rng, f)
			up, down := f.NextUp(x), f.NextDown(x)
			want := math.Nextafter(x, math.Inf(1))
			if f == Binary32 {
				want = float64(math.Nextafter32(float32(x), float32(math.Inf(1))))
			}
			if up != want || f.Distance(x, up) != 1 || f.Distance(down, up) != 2 ||
				f.ULP(x) != f.ULP(-x) {
				t.Fatalf("%v: %x, %x, %x", f, down, x, up)
			}
		}
	}
	for _, f := range formats {
		minus0, nan, inf := math.Copysign(0, -1), math.NaN(), math.Inf(1)
		if f.NextUp(minus0) != f.Smallest() || f.NextDown(0) != -f.Smallest() ||
			f.NextUp(f.Max()) != inf ||
			f.NextUp(inf) != inf ||
			f.NextUp(-inf) != -f.Max() ||
			!math.IsNaN(f.NextUp(nan)) {
			t.Errorf("%v: ends of NextUp", f)
		}
		if up := f.NextUp(-f.Smallest()); up != 0 || !math.Signbit(up) {
			t.Errorf("%v.NextUp(-Smallest) = %v, want -0", f, up)
		}
		if f.Distance(0, minus0) != 0 || f.Distance(nan, nan) != 0 ||
			f.Distance(nan, 1) != math.MaxUint64 ||
			f.Distance(1, nan) != math.MaxUint64 ||
			f.Distance(-f.Smallest(), f.Smallest()) != 2 ||
			f.Distance(f.Max(), inf) != 1 {
			t.Errorf("%v: ends of Distance", f)
		}
		if f.ULP(0) != f.Smallest() || f.ULP(f.MinNormal()) != f.Smallest() ||
			f.ULP(f.Max()) != f.Max()-f.NextDown(f.Max()) ||
			!math.IsNaN(f.ULP(inf)) ||
			!math.IsNaN(f.ULP(nan)) {
			t.Errorf("%v: ends of ULP", f)
		}
	}
	const want = uint64(2 * (0x7fefffffffffffff))
	if got := Binary64.Distance(-math.MaxFloat64, math.MaxFloat64); got != want {
		t.Errorf("from end to end: %d, want %d", got, want)
	}
}

func TestConstants(t *testing.T) {
	for _, tt := range []struct {
		f                        Format
		max, minNormal, smallest float64
		prec, bytes              int
	}{
		{Binary64, math.MaxFloat64, 0x1p-1022, math.SmallestNonzeroFloat64, 53, 8},
		{Binary32, math.MaxFloat32, 0x1p-126, math.SmallestNonzeroFloat32, 24, 4},
		{Binary16, 65504, 0x1p-14, 0x1p-24, 11, 2},
		{BFloat16, 0x1.fep127, 0x1p-126, 0x1p-133, 8, 2},
		{E5M2, 0x1.cp15, 0x1p-14, 0x1p-16, 3, 1},
		{TF32, 0x1.ffcp127, 0x1p-126, 0x1p-136, 11, 4},
		{E4M3FN, 448, 0x1p-6, 0x1p-9, 4, 1},
		{E4M3FNUZ, 240, 0x1p-7, 0x1p-10, 4, 1},
		{E5M2FNUZ, 57344, 0x1p-15, 0x1p-17, 3, 1},
		{E3M2, 28, 0x1p-2, 0x1p-4, 3, 1},
		{E2M3, 7.5, 1, 0x1p-3, 4, 1},
		{E2M1, 6, 1, 0.5, 2, 1},
		{E8M0, 0x1p127, 0x1p-127, 0x1p-127, 1, 1},
	} {
		if tt.f.Max() != tt.max || tt.f.MinNormal() != tt.minNormal ||
			tt.f.Smallest() != tt.smallest ||
			tt.f.Precision() != tt.prec ||
			tt.f.Bytes() != tt.bytes {
			t.Errorf("%v: %x %x %x %d %d", tt.f, tt.f.Max(), tt.f.MinNormal(), tt.f.Smallest(),
				tt.f.Precision(), tt.f.Bytes())
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]Format{
		"f64": Binary64, "Float64": Binary64, "double": Binary64,
		"f32": Binary32, "single": Binary32, "float": Binary32, "FP32": Binary32,
		"f16": Binary16, "half": Binary16, "float16": Binary16,
		"bf16": BFloat16, "bfloat16": BFloat16, "f8e5m2": E5M2, "e5m2": E5M2,
		"tf32": TF32, "f8e4m3fn": E4M3FN, "E4M3": E4M3FN, "float8_e4m3fnuz": E4M3FNUZ,
		"f8e5m2fnuz": E5M2FNUZ, "e3m2": E3M2, "f6e2m3": E2M3, "float4_e2m1fn": E2M1,
		"ue8m0": E8M0,
	} {
		if got, err := Parse(name); got != want || err != nil {
			t.Errorf("Parse(%q) = %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "f8", "none", "double double", "f", "float8_e4m3"} {
		if f, err := Parse(name); err == nil {
			t.Errorf("Parse(%q) = %v", name, f)
		}
	}
	for _, f := range append(Formats(), 0) {
		var g Format = Binary64
		text, _ := f.MarshalText()
		if err := g.UnmarshalText(text); err != nil || g != f {
			t.Errorf("%v as text is %q, and back %v, %v", f, text, g, err)
		}
		if f.Valid() != (f != 0) {
			t.Errorf("%v.Valid() = %v", f, f.Valid())
		}
	}
	if Format(99).Valid() || fmt.Sprint(Format(99), Mode(99)) != "none unknown" {
		t.Error("there is a format or mode 99")
	}
	for _, m := range modes {
		n := Mode(99)
		text, _ := m.MarshalText()
		if err := n.UnmarshalText(text); err != nil || n != m {
			t.Errorf("%v as text is %q, and back %v, %v", m, text, n, err)
		}
	}
	m := Up
	if err := m.UnmarshalText([]byte("sideways")); err == nil || m != Up {
		t.Errorf("sideways is %v", m)
	}
}
