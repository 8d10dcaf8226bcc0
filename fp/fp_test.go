package fp

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

var formats = []Format{Binary64, Binary32, Binary16, BFloat16}
var modes = []Mode{NearestEven, TowardZero, Up, Down}

// exactBits is enough for the sum of a product of two binary64 values and a third.
const exactBits = 6000

func exact(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }

// rounded rounds an exact value to the format: to the precision that its binade
// has, subnormals included, and then looks at overflow. zero is what an exact
// zero gives.
func rounded(x *big.Float, f Format, m Mode, zero float64) float64 {
	if x.Sign() == 0 {
		return zero
	}
	sign := float64(x.Sign())
	p := f.Precision()
	if e := x.MantExp(nil) - 1; e < f.MinExp() {
		p -= f.MinExp() - e
	}
	if p <= 0 { // below the smallest value
		half := new(big.Float).SetMantExp(big.NewFloat(0.5), f.MinExp()-f.Precision()+1)
		above := new(big.Float).Abs(x).Cmp(half) > 0
		if m == NearestEven && above || m == Up && sign > 0 || m == Down && sign < 0 {
			return sign * f.Smallest()
		}
		return math.Copysign(0, sign)
	}
	bigMode := map[Mode]big.RoundingMode{NearestEven: big.ToNearestEven, TowardZero: big.ToZero, Up: big.ToPositiveInf, Down: big.ToNegativeInf}[m]
	r := new(big.Float).SetPrec(uint(p)).SetMode(bigMode).Set(x)
	if r.MantExp(nil)-1 > f.MaxExp() {
		if m == TowardZero || m == Up && sign < 0 || m == Down && sign > 0 {
			return sign * f.Max()
		}
		return math.Inf(int(sign))
	}
	v, acc := r.Float64()
	if acc != big.Exact {
		panic("a value of the format is no float64")
	}
	return v
}

// random draws a value of the format: of ordinary size, anywhere in the range,
// subnormal, a power of two or next to one, or large enough to overflow.
func random(rng *rand.Rand, f Format) float64 {
	width := 8 * f.Bytes()
	any := func() float64 {
		for {
			if v := f.FromBits(rng.Uint64() & (1<<(width-1)<<1 - 1)); v-v == 0 {
				return v
			}
		}
	}
	sign := float64(1 - 2*rng.IntN(2))
	switch rng.IntN(8) {
	case 0:
		return any()
	case 1: // subnormal
		return sign * f.FromBits(rng.Uint64()&(1<<(f.Precision()-1)-1))
	case 2: // near a power of two
		v := math.Ldexp(1, rng.IntN(f.MaxExp()-f.MinExp())+f.MinExp())
		return sign * []float64{v, f.NextUp(v), f.NextDown(v)}[rng.IntN(3)]
	case 3: // near the end of the range
		return sign * f.FromBits(f.Bits(f.Max())-uint64(rng.IntN(4)))
	case 4: // small integers
		return sign * float64(rng.IntN(5))
	}
	return f.Round(rng.NormFloat64()*math.Ldexp(1, rng.IntN(2*f.Precision())-f.Precision()), NearestEven)
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// zeroOf is the sign rule of a sum that is zero: that of both operands where they
// agree, else + but − when rounding down.
func zeroOf(a, b float64, m Mode) float64 {
	if a == 0 && b == 0 && math.Signbit(a) == math.Signbit(b) {
		return a
	}
	if m == Down {
		return math.Copysign(0, -1)
	}
	return 0
}

// operands draws two or three values, of the format or of any wider one, often
// such that their sum is halfway between two values of the format or next to it.
func operands(rng *rand.Rand, f Format) (a, b float64) {
	a, b = random(rng, f), random(rng, f)
	switch rng.IntN(4) {
	case 0: // a sum halfway, or a little beside
		b = math.Ldexp(float64(1-2*rng.IntN(2)), -rng.IntN(3)-1) * f.ULP(a)
		if rng.IntN(2) == 0 {
			b *= 1 + math.Ldexp(float64(rng.IntN(3)-1), -rng.IntN(52)-1)
		}
	case 1: // a tiny operand
		b = math.Ldexp(b, -rng.IntN(200))
	case 2: // cancellation
		b = -a
		if rng.IntN(2) == 0 {
			b = f.NextUp(b)
		}
	}
	if rng.IntN(2) == 0 {
		a, b = b, a
	}
	return a, b
}

func TestRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, f := range formats {
		for range 100_000 {
			x := random(rng, formats[rng.IntN(len(formats))])
			switch rng.IntN(3) {
			case 0: // beside a boundary between values of f
				x = random(rng, f)
				x += float64(f.ULP(x)/2) * float64(1-2*rng.IntN(2))
				x = []float64{x, math.Nextafter(x, 1), math.Nextafter(x, -1)}[rng.IntN(3)]
			}
			if x-x != 0 {
				continue
			}
			for _, m := range modes {
				got, want := f.Round(x, m), rounded(exact(x), f, m, x)
				if !same(got, want) {
					t.Fatalf("%v.Round(%x, %v) = %x, want %x", f, x, m, got, want)
				}
				if !f.Contains(got) {
					t.Fatalf("%v.Round(%x, %v) = %x, which it does not contain", f, x, m, got)
				}
			}
		}
	}
}

func TestAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, f := range formats {
		for range 100_000 {
			a, b := operands(rng, f)
			if (a-a)+(b-b) != 0 {
				continue
			}
			sum := exact(a)
			sum.Add(sum, exact(b))
			for _, m := range modes {
				got, want := f.Add(a, b, m), rounded(sum, f, m, zeroOf(a, b, m))
				if !same(got, want) {
					t.Fatalf("%v.Add(%x, %x, %v) = %x, want %x", f, a, b, m, got, want)
				}
			}
		}
	}
}

func TestMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, f := range formats {
		for i := range 100_000 {
			from := f
			if i%4 == 0 {
				from = Binary64
			}
			a, b := random(rng, from), random(rng, from)
			if i%5 == 0 && a != 0 && b != 0 { // a product about the smallest value
				b = math.Ldexp(b, f.MinExp()-math.Ilogb(a)-math.Ilogb(b)-rng.IntN(f.Precision()+3))
			}
			if b-b != 0 {
				continue
			}
			product := exact(a)
			product.Mul(product, exact(b))
			for _, m := range modes {
				zero := math.Copysign(0, 1)
				if math.Signbit(a) != math.Signbit(b) {
					zero = math.Copysign(0, -1)
				}
				got, want := f.Mul(a, b, m), rounded(product, f, m, zero)
				if !same(got, want) {
					t.Fatalf("%v.Mul(%x, %x, %v) = %x, want %x", f, a, b, m, got, want)
				}
			}
		}
	}
}

func TestFMA(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, f := range formats {
		for range 100_000 {
			from := f
			if f == Binary64 {
				from = Binary32 // a product that binary64 holds
			}
			a, b, c := random(rng, from), random(rng, from), random(rng, f)
			switch p := float64(a * b); rng.IntN(3) {
			case 0: // near cancellation
				c = f.Round(-p, modes[rng.IntN(4)])
			case 1: // near halfway
				c = f.ULP(f.Round(p, NearestEven)) * (float64(rng.IntN(8)) - 3.5) / 2
			}
			if c-c != 0 {
				continue
			}
			sum := exact(a)
			sum.Mul(sum, exact(b))
			sum.Add(sum, exact(c))
			for _, m := range modes {
				got, want := f.FMA(a, b, c, m), rounded(sum, f, m, zeroOf(float64(a*b), c, m))
				if !same(got, want) {
					t.Fatalf("%v.FMA(%x, %x, %x, %v) = %x, want %x", f, a, b, c, m, got, want)
				}
			}
		}
	}
}

// TestBinary64FMA is for operands of the full precision.
func TestBinary64FMA(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200_000 {
		a, b, c := random(rng, Binary64), random(rng, Binary64), random(rng, Binary64)
		if rng.IntN(2) == 0 {
			c = -float64(a * b)
		}
		if c-c != 0 {
			continue
		}
		sum := exact(a)
		sum.Mul(sum, exact(b))
		p := 0.0 // has the product's sign where it is zero
		if sum.Sign() != 0 {
			p = 1
		} else if math.Signbit(a) != math.Signbit(b) {
			p = math.Copysign(0, -1)
		}
		sum.Add(sum, exact(c))
		if got, want := Binary64.FMA(a, b, c, NearestEven), rounded(sum, Binary64, NearestEven, zeroOf(p, c, NearestEven)); !same(got, want) {
			t.Fatalf("FMA(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	minus0 := math.Copysign(0, -1)
	for _, f := range formats {
		for _, m := range modes {
			for _, tt := range []struct {
				name      string
				got, want float64
			}{
				{"Round(Inf)", f.Round(inf, m), inf},
				{"Round(-Inf)", f.Round(-inf, m), -inf},
				{"Round(NaN)", f.Round(nan, m), nan},
				{"Round(-0)", f.Round(minus0, m), minus0},
				{"Inf + 1", f.Add(inf, 1, m), inf},
				{"1 - Inf", f.Add(1, -inf, m), -inf},
				{"Inf - Inf", f.Add(inf, -inf, m), nan},
				{"NaN + 1", f.Add(nan, 1, m), nan},
				{"-0 + -0", f.Add(minus0, minus0, m), minus0},
				{"0 + 0", f.Add(0, 0, m), 0},
				{"-0 + 0", f.Add(minus0, 0, m), zeroOf(minus0, 0, m)},
				{"Inf * 2", f.Mul(inf, -2, m), -inf},
				{"Inf * 0", f.Mul(inf, 0, m), nan},
				{"NaN * 0", f.Mul(nan, 0, m), nan},
				{"0 * -1", f.Mul(0, -1, m), minus0},
				{"Inf * 1 + 1", f.FMA(inf, 1, 1, m), inf},
				{"Inf * 1 - Inf", f.FMA(inf, 1, -inf, m), nan},
				{"Inf * 0 + 1", f.FMA(inf, 0, 1, m), nan},
				{"1 * 1 - Inf", f.FMA(1, 1, -inf, m), -inf},
				{"1 * 1 + NaN", f.FMA(1, 1, nan, m), nan},
			} {
				if !same(tt.got, tt.want) {
					t.Errorf("%v, %v: %s = %v, want %v", f, m, tt.name, tt.got, tt.want)
				}
			}
		}
	}
}

// TestEncodings goes through every encoding of the 16-bit formats, against the
// definition of IEEE 754, and through random ones of the others.
func TestEncodings(t *testing.T) {
	for _, f := range []Format{Binary16, BFloat16} {
		frac := f.Precision() - 1
		last := math.Inf(-1)
		for i := range 1 << 16 {
			b := uint64(i)
			x := f.FromBits(b)
			e, m := int(b>>frac&(1<<(15-frac)-1)), float64(b&(1<<frac-1))
			want := math.Ldexp(1+math.Ldexp(m, -frac), e-f.MaxExp())
			switch {
			case e == 0:
				want = math.Ldexp(m, f.MinExp()-frac)
			case e == 1<<(15-frac)-1 && m == 0:
				want = math.Inf(1)
			case e == 1<<(15-frac)-1:
				want = math.NaN()
			}
			if b>>15 == 1 {
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
			if i > 0 && b>>15 == 0 && x <= last {
				t.Fatalf("%v: %#x is not above the encoding before it", f, b)
			}
			last = x
		}
		for _, n := range []struct {
			x    float64
			bits uint64
		}{{math.NaN(), 1<<15 - 1<<(frac-1)}, {math.Copysign(math.NaN(), -1), 1<<16 - 1<<(frac-1)}} {
			if got := f.Bits(n.x); got != n.bits {
				t.Errorf("%v.Bits(NaN) = %#x, want %#x", f, got, n.bits)
			}
		}
		for _, x := range []float64{1e300, -1e300, 1e-300, -1e-300, 1.0 / 3} { // not values of the format
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
		if x := Binary32.FromBits(b); x == x && (Binary32.Bits(x) != b&0xffffffff || float32(x) != math.Float32frombits(uint32(b))) {
			t.Fatalf("f32 %#x becomes %#x", b, Binary32.Bits(x))
		}
	}
}

// TestNeighbours walks through all values of the 16-bit formats, and beside
// random ones of the others.
func TestNeighbours(t *testing.T) {
	for _, f := range []Format{Binary16, BFloat16} {
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
				t.Fatalf("%v.Distance(-Inf, %x) = %d, want %d", f, x, f.Distance(math.Inf(-1), x), values)
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
			if up != want || f.Distance(x, up) != 1 || f.Distance(down, up) != 2 || f.ULP(x) != f.ULP(-x) {
				t.Fatalf("%v: %x, %x, %x", f, down, x, up)
			}
		}
	}
	for _, f := range formats {
		minus0, nan, inf := math.Copysign(0, -1), math.NaN(), math.Inf(1)
		if f.NextUp(minus0) != f.Smallest() || f.NextDown(0) != -f.Smallest() || f.NextUp(f.Max()) != inf ||
			f.NextUp(inf) != inf || f.NextUp(-inf) != -f.Max() || !math.IsNaN(f.NextUp(nan)) {
			t.Errorf("%v: ends of NextUp", f)
		}
		if up := f.NextUp(-f.Smallest()); up != 0 || !math.Signbit(up) {
			t.Errorf("%v.NextUp(-Smallest) = %v, want -0", f, up)
		}
		if f.Distance(0, minus0) != 0 || f.Distance(nan, nan) != 0 || f.Distance(nan, 1) != math.MaxUint64 || f.Distance(1, nan) != math.MaxUint64 ||
			f.Distance(-f.Smallest(), f.Smallest()) != 2 || f.Distance(f.Max(), inf) != 1 {
			t.Errorf("%v: ends of Distance", f)
		}
		if f.ULP(0) != f.Smallest() || f.ULP(f.MinNormal()) != f.Smallest() || f.ULP(f.Max()) != f.Max()-f.NextDown(f.Max()) ||
			!math.IsNaN(f.ULP(inf)) || !math.IsNaN(f.ULP(nan)) {
			t.Errorf("%v: ends of ULP", f)
		}
	}
	if got, want := Binary64.Distance(-math.MaxFloat64, math.MaxFloat64), uint64(2*(0x7fefffffffffffff)); got != want {
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
	} {
		if tt.f.Max() != tt.max || tt.f.MinNormal() != tt.minNormal || tt.f.Smallest() != tt.smallest || tt.f.Precision() != tt.prec || tt.f.Bytes() != tt.bytes {
			t.Errorf("%v: %x %x %x %d %d", tt.f, tt.f.Max(), tt.f.MinNormal(), tt.f.Smallest(), tt.f.Precision(), tt.f.Bytes())
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]Format{
		"f64": Binary64, "Float64": Binary64, "double": Binary64, "f32": Binary32, "single": Binary32, "float": Binary32, "FP32": Binary32,
		"f16": Binary16, "half": Binary16, "float16": Binary16, "bf16": BFloat16, "bfloat16": BFloat16,
	} {
		if got, err := Parse(name); got != want || err != nil {
			t.Errorf("Parse(%q) = %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "f8", "none", "double double", "f"} {
		if f, err := Parse(name); err == nil {
			t.Errorf("Parse(%q) = %v", name, f)
		}
	}
	for _, f := range append(formats, 0) {
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
