package crmath_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
)

// The functions of package math that docs/use/functions.md lists as exact or
// correctly rounded are compared with package math/big here, so that a
// processor whose instructions or assembly give other bits is found.

// wholePrecision is enough, in bits, for any sum or product of two numbers.
const wholePrecision = 4400

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(wholePrecision).SetFloat64(x) }

// units returns |x| in units of the smallest number, 2^-1074.
func units(x float64) *big.Int {
	i, _ := new(big.Float).SetMantExp(exactly(math.Abs(x)), 1074).Int(nil)
	return i
}

// ofUnits returns n·2^-1074 with the sign of a number.
func ofUnits(n *big.Int, sign float64) float64 {
	f := new(big.Float).SetPrec(wholePrecision).SetInt(n)
	y, _ := f.SetMantExp(f, -1074).Float64()
	return math.Copysign(math.Abs(y), math.Copysign(1, sign)*float64(n.Sign()|1))
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && x == x }

var wholeKinds = []args.Kind{args.AnyBits, args.Magnitudes(-3, 60), args.Multiples(0.5, 1<<20),
	args.Near(1), args.Magnitudes(-1074, -1000)}

// eachWhole calls a test with finite arguments, of all kinds.
func eachWhole(t *testing.T, test func(rng *rand.Rand, x, y float64)) {
	t.Helper()
	rng := args.Generator(t.Name())
	for i := range 20_000 {
		x := wholeKinds[i%len(wholeKinds)](rng)
		y := wholeKinds[rng.IntN(len(wholeKinds))](rng)
		if isFinite(x) && isFinite(y) {
			test(rng, x, y)
		}
	}
}

func same(t *testing.T, name string, got, want float64, arguments ...any) {
	t.Helper()
	if !args.Identical(got, want) {
		t.Errorf("%s%x = %x, want %x", name, arguments, got, want)
	}
}

// TestMathRoundsToIntegers tests Floor, Ceil, Trunc, Round, RoundToEven and
// Modf.
func TestMathRoundsToIntegers(t *testing.T) {
	eachWhole(t, func(_ *rand.Rand, x, _ float64) {
		one := new(big.Int).Lsh(big.NewInt(1), 1074)
		whole, rest := new(big.Int).QuoRem(units(x), one, new(big.Int))
		up := new(big.Int).Add(whole, big.NewInt(1))
		result := func(up1 bool) float64 {
			n := whole
			if up1 {
				n = up
			}
			return ofUnits(new(big.Int).Mul(n, one), x)
		}
		inexact, half := rest.Sign() != 0, rest.Cmp(new(big.Int).Rsh(one, 1))
		same(t, "Trunc", math.Trunc(x), result(false), x)
		same(t, "Floor", math.Floor(x), result(inexact && x < 0), x)
		same(t, "Ceil", math.Ceil(x), result(inexact && x > 0), x)
		same(t, "Round", math.Round(x), result(half >= 0), x)
		same(t, "RoundToEven", math.RoundToEven(x),
			result(half > 0 || half == 0 && whole.Bit(0) == 1), x)
		n, f := math.Modf(x)
		same(t, "Modf", n, result(false), x)
		same(t, "the fraction of Modf", f, ofUnits(rest, x), x)
	})
}

// TestMathDivides tests Mod and Remainder.
func TestMathDivides(t *testing.T) {
	eachWhole(t, func(_ *rand.Rand, x, y float64) {
		if y == 0 {
			return
		}
		divisor := units(y)
		quotient, rest := new(big.Int).QuoRem(units(x), divisor, new(big.Int))
		same(t, "Mod", math.Mod(x, y), ofUnits(rest, x), x, y)
		twice := new(big.Int).Lsh(rest, 1).Cmp(divisor)
		if twice > 0 || twice == 0 && quotient.Bit(0) == 1 {
			rest.Sub(rest, divisor)
		}
		same(t, "Remainder", math.Remainder(x, y), ofUnits(rest, x), x, y)
	})
}

// TestMathRoundsOnce tests Sqrt, FMA, Dim and Ldexp.
func TestMathRoundsOnce(t *testing.T) {
	eachWhole(t, func(rng *rand.Rand, x, y float64) {
		z := wholeKinds[rng.IntN(len(wholeKinds))](rng)
		if sum := exactly(x); isFinite(z) {
			sum.Mul(sum, exactly(y)).Add(sum, exactly(z))
			if want, _ := sum.Float64(); want != 0 || sum.Sign() != 0 {
				same(t, "FMA", math.FMA(x, y, z), want, x, y, z)
			}
		}
		difference, _ := new(big.Float).Sub(exactly(x), exactly(y)).Float64()
		same(t, "Dim", math.Dim(x, y), max(difference, 0), x, y)
		e := rng.IntN(4400) - 2200
		scaled, _ := new(big.Float).SetMantExp(exactly(x), e).Float64()
		same(t, "Ldexp", math.Ldexp(x, e), scaled, x, e)
		if x > 0 {
			r := math.Sqrt(x)
			low := midpoint(math.Nextafter(r, 0), r)
			high := midpoint(r, math.Nextafter(r, math.Inf(1)))
			if low.Mul(low, low).Cmp(exactly(x)) > 0 || high.Mul(high, high).Cmp(exactly(x)) < 0 {
				t.Errorf("Sqrt(%x) = %x", x, r)
			}
		}
	})
}

// midpoint returns (a+b)/2.
func midpoint(a, b float64) *big.Float {
	sum := new(big.Float).Add(exactly(a), exactly(b))
	return sum.Quo(sum, exactly(2))
}

// TestMathTakesApart tests Frexp, Logb, Ilogb, Nextafter, Abs, Copysign,
// Signbit, Max and Min.
func TestMathTakesApart(t *testing.T) {
	eachWhole(t, func(_ *rand.Rand, x, y float64) {
		bits := math.Float64bits(x)
		same(t, "Abs", math.Abs(x), math.Float64frombits(bits&^(1<<63)), x)
		sign := math.Float64bits(y) & (1 << 63)
		same(t, "Copysign", math.Copysign(x, y), math.Float64frombits(bits&^(1<<63)|sign), x, y)
		if math.Signbit(y) != (sign != 0) {
			t.Errorf("Signbit(%x) = %t", y, math.Signbit(y))
		}
		if x == 0 {
			return
		}
		m, e := math.Frexp(x)
		mantissa := new(big.Float)
		exponent := exactly(x).MantExp(mantissa)
		want, _ := mantissa.Float64()
		same(t, "Frexp", m, want, x)
		same(t, "the exponent of Frexp", float64(e), float64(exponent), x)
		same(t, "Logb", math.Logb(x), float64(exponent-1), x)
		same(t, "Ilogb", float64(math.Ilogb(x)), float64(exponent-1), x)
		away, back := math.Float64frombits(bits+1), math.Float64frombits(bits-1)
		same(t, "Nextafter", math.Nextafter(x, math.Copysign(math.Inf(1), x)), away, x)
		same(t, "Nextafter", math.Nextafter(x, 0), back, x)
		if single := float32(x); single > 0 {
			same(t, "Nextafter32", float64(math.Nextafter32(single, 0)),
				float64(math.Float32frombits(math.Float32bits(single)-1)), x)
		}
		if x != y {
			larger, smaller := x, y
			if exactly(x).Cmp(exactly(y)) < 0 {
				larger, smaller = y, x
			}
			same(t, "Max", math.Max(x, y), larger, x, y)
			same(t, "Min", math.Min(x, y), smaller, x, y)
		}
	})
}

// TestMathSpecials tests zeros, infinities and NaN of the functions above.
func TestMathSpecials(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Sqrt(-0)", math.Sqrt(zero), zero}, {"Sqrt(-1)", math.Sqrt(-1), nan},
		{"Sqrt(+Inf)", math.Sqrt(inf), inf}, {"FMA(Inf, 0, 1)", math.FMA(inf, 0, 1), nan},
		{"FMA(-0, 1, -0)", math.FMA(zero, 1, zero), zero}, {"FMA(1, 1, -1)", math.FMA(1, 1, -1), 0},
		{"Floor(-0)", math.Floor(zero), zero}, {"Floor(-Inf)", math.Floor(-inf), -inf},
		{"Round(-0.4)", math.Round(-0.4), zero}, {"Max(0, -0)", math.Max(0, zero), 0},
		{"Min(0, -0)", math.Min(0, zero), zero}, {"Max(Inf, NaN)", math.Max(inf, nan), inf},
		{"Max(1, NaN)", math.Max(1, nan), nan}, {"Dim(Inf, Inf)", math.Dim(inf, inf), nan},
		{"Mod(-0, 1)", math.Mod(zero, 1), zero}, {"Mod(1, 0)", math.Mod(1, 0), nan},
		{"Mod(1, Inf)", math.Mod(1, inf), 1}, {"Remainder(1, Inf)", math.Remainder(1, inf), 1},
		{"Logb(0)", math.Logb(0), -inf}, {"Logb(Inf)", math.Logb(-inf), inf},
	} {
		same(t, c.name, c.got, c.want)
	}
}
