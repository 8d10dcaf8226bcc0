package fp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

var formats = []Format{Binary64, Binary32, Binary16, BFloat16, E5M2, TF32}
var modes = []Mode{NearestEven, TowardZero, Up, Down, ToOdd, NearestAway}

// exactBits is enough for the sum of a product of two binary64 values and a
// third.
const exactBits = 6000

func exact(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }

// rounded rounds an exact value to the format: to the precision of its binade,
// subnormals included, and then looks at overflow. An exact zero gives zero.
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
		above := new(big.Float).Abs(x).Cmp(half)
		if m == NearestEven && above > 0 || m == NearestAway && above >= 0 ||
			m == Up && sign > 0 || m == Down && sign < 0 || m == ToOdd {
			return sign * f.Smallest()
		}
		return math.Copysign(0, sign)
	}
	bigMode := map[Mode]big.RoundingMode{
		NearestEven: big.ToNearestEven, TowardZero: big.ToZero,
		Up: big.ToPositiveInf, Down: big.ToNegativeInf, ToOdd: big.ToZero,
		NearestAway: big.ToNearestAway,
	}[m]
	r := new(big.Float).SetPrec(uint(p)).SetMode(bigMode).Set(x)
	if m == ToOdd && r.Acc() != big.Exact && r.MinPrec() < uint(p) { // its last bit is 0
		r.SetMode(big.AwayFromZero).Set(x)
	}
	if r.MantExp(nil)-1 > f.MaxExp() {
		if m == TowardZero || m == ToOdd || m == Up && sign < 0 || m == Down && sign > 0 {
			return sign * f.Max()
		}
		return math.Inf(int(sign))
	}
	v, acc := r.Float64()
	if acc != big.Exact {
		panic("a value of the format is not a float64")
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
	return f.Round(rng.NormFloat64()*math.Ldexp(1, rng.IntN(2*f.Precision())-f.Precision()),
		NearestEven)
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// zeroOf is the sign rule of a sum that is zero: the sign of both operands
// where they agree, and otherwise +, or − when rounding down.
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
// such that their sum is halfway between two values of the format or next to
// it.
func operands(rng *rand.Rand, f Format) (a, b float64) {
	a, b = random(rng, f), random(rng, f)
	switch rng.IntN(4) {
	case 0: // a sum at or near halfway
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
			case 0: // near a boundary between values of f
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

// TestAddBesideMax adds to the largest numbers, whose sums with smaller ones
// need no number beyond the format.
func TestAddBesideMax(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, f := range formats {
		for range 100_000 {
			a := f.Max() - float64(f.ULP(f.Max())*float64(rng.IntN(4)))
			b := -f.Round(math.Ldexp(1+rng.Float64(), f.MaxExp()-rng.IntN(f.Precision()+4)),
				TowardZero)
			switch rng.IntN(4) {
			case 0:
				a, b = -a, -b
			case 1:
				a, b = b, a
			case 2:
				a, b = -b, -a
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
		got := Binary64.FMA(a, b, c, NearestEven)
		want := rounded(sum, Binary64, NearestEven, zeroOf(p, c, NearestEven))
		if !same(got, want) {
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

// TestRoundBig rounds values that lie between two binary64 numbers, however
// small both are, and however near one of them the value is.
func TestRoundBig(t *testing.T) {
	const tiny = -1200 // far below the smallest binary64
	for _, head := range []float64{
		0, 0x1p-1074, 0x3p-1074, 0x1p-1022 - 0x1p-1074, 0x1p-1022, 0x1p-1021, 1, 1 + 0x1p-52,
	} {
		for _, sign := range []float64{1, -1} {
			for _, rest := range []float64{1, -1} {
				head := sign * head
				x := new(big.Float).SetMantExp(big.NewFloat(rest), tiny)
				x.SetPrec(4000).Add(x, big.NewFloat(head))
				lo, hi := head, Binary64.NextUp(head)
				if rest < 0 {
					lo, hi = Binary64.NextDown(head), head
				}
				for mode, want := range map[Mode]float64{
					NearestEven: head, NearestAway: head, Up: hi, Down: lo, TowardZero: lo,
				} {
					if mode == TowardZero && x.Sign() < 0 {
						want = hi
					}
					if got := Binary64.RoundBig(x, mode); got != want {
						t.Errorf("%v and %v·2^%d, %v: %v, want %v",
							head, rest, tiny, mode, got, want)
					}
				}
			}
		}
	}
}
