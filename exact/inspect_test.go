package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDecimal compares Decimal with package big.
func TestDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for round := range 300 {
		var a Accumulator
		want := new(big.Rat)
		for range rng.IntN(5) {
			x, y := anyBits(rng), anyBits(rng)
			if round%2 == 0 {
				x, y = math.Ldexp(float64(rng.IntN(1000)), rng.IntN(80)-40), 1
			}
			if x-x != 0 || y-y != 0 {
				continue
			}
			a.AddProduct(x, y)
			p := new(big.Rat).SetFloat64(x)
			want.Add(want, p.Mul(p, new(big.Rat).SetFloat64(y)))
		}
		s := a.Decimal()
		got, ok := new(big.Rat).SetString(s)
		if !ok || got.Cmp(want) != 0 || a.Sign() != want.Sign() {
			t.Fatalf("%s, with the sign %d, want %v", s, a.Sign(), want)
		}
		digits := strings.TrimLeft(strings.Replace(s, ".", "", 1), "-0")
		hasTail := strings.Contains(s, ".") && strings.HasSuffix(s, "0")
		if hasTail || len(digits) > 2830 {
			t.Errorf("%s has zeros at its end, or %d digits", s, len(digits))
		}
	}
	for want, x := range map[string][]float64{
		"0": {}, "-0": {math.Copysign(0, -1)}, "NaN": {math.NaN(), 1}, "+Inf": {math.Inf(1), -1},
		"-Inf": {math.Inf(-1)},
		"0.5":  {0.5}, "-0.0625": {-0.0625}, "1.5": {1.5}, "-12": {-12},
		"9007199254740993": {1 << 53, 1},
		"0.1000000000000000055511151231257827021181583404541015625": {0.1},
	} {
		var a Accumulator
		a.AddSlice(x)
		if got := a.Decimal(); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
	var most Accumulator
	most.AddProduct(-math.MaxFloat64, math.MaxFloat64)
	most.AddProduct(math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64)
	if got := most.Decimal(); len(got) > 2830 || got[0] != '-' {
		t.Errorf("a number with the most digits has %d", len(got))
	}
}

func TestCounts(t *testing.T) {
	var a, b Accumulator
	a.AddSlice([]float64{1, math.Copysign(0, -1), 0, math.NaN(), math.Inf(1), math.Inf(1),
		math.Inf(-1)})
	if got, want := a.Counts(), (Counts{All: 7, NegZero: 1, NaN: 1, PosInf: 2,
		NegInf: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := a.Sign(); got != 1 {
		t.Errorf("the sign of the finite summands is %d", got)
	}
	b.Sub(&a)
	if got, want := b.Counts(), (Counts{-7, -1, -1, -2, -1}); got != want || b.Sign() != -1 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestSqrt compares roots of sums of squares with Nrm2.
func TestSqrt(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	rounds(rng, 40, func(name string, x []float64) {
		var a Accumulator
		a.AddDot(x, x)
		if got, want := a.Sqrt(), Nrm2(x); !same(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		got32, want32 := float64(a.Sqrt32()), float64(float32(a.Sqrt()))
		if math.Abs(got32-want32) > math.Abs(want32)*0x1p-23 { // half an ULP and a rounding
			t.Errorf("%s: %v in float32, and %v rounded twice", name, got32, want32)
		}
		if again := a.Sqrt(); !same(again, Nrm2(x)) {
			t.Errorf("%s: %v the second time", name, again)
		}
	})
	for _, c := range []struct{ x, want float64 }{
		{-1, math.NaN()}, {math.Inf(-1), math.NaN()}, {math.Inf(1), math.Inf(1)},
		{math.NaN(), math.NaN()},
		{0, 0}, {math.Copysign(0, -1), math.Copysign(0, -1)}, {2, math.Sqrt2},
		{0x1p-1074, 0x1p-537},
	} {
		var a Accumulator
		a.Add(c.x)
		if got := a.Sqrt(); !same(got, c.want) {
			t.Errorf("√%v is %v, want %v", c.x, got, c.want)
		}
	}
	// In float32 the root is rounded once: √(1 + 2^-22 + 2^-60) is above a tie.
	var a Accumulator
	a.AddSlice([]float64{1, 0x1p-23, 0x1p-48, 0x1p-80}) // (1 + 2^-24)² and a speck
	if got := a.Sqrt32(); got != 1+0x1p-23 {
		t.Errorf("a root just above a tie is %v", got)
	}
}

// TestVarianceOf compares variances from two sums with variances of slices.
func TestVarianceOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 3))
	rounds(rng, 40, func(name string, x []float64) {
		var s, ss Accumulator
		s.AddSlice(x)
		ss.AddDot(x, x)
		var m Moments
		m.AddSlice(x)
		for what, pair := range map[string][2]float64{
			"variance":   {VarianceOf[float64](&s, &ss, 1), m.Variance()},
			"deviation":  {StdDevOf[float64](&s, &ss, 1), m.StdDev()},
			"population": {VarianceOf[float64](&s, &ss, 0), m.PopVariance()},
			"its root":   {StdDevOf[float64](&s, &ss, 0), m.PopStdDev()},
		} {
			if !same(pair[0], pair[1]) {
				t.Errorf("%s, %s: %v, want %v", name, what, pair[0], pair[1])
			}
		}
		x32 := single(x)
		var s32, ss32 Accumulator
		s32.AddSlice32(x32)
		ss32.AddDot32(x32, x32)
		if got, want := VarianceOf[float32](&s32, &ss32, 1),
			Variance(x32, nil); !same32(got, want) {
			t.Errorf("%s: %v in float32, want %v", name, got, want)
		}
	})
	var empty, one Accumulator
	one.Add(3)
	for _, ddof := range []int64{0, 1} {
		if v := VarianceOf[float64](&empty, &empty, ddof); v == v {
			t.Errorf("the variance of nothing is %v", v)
		}
	}
	if v := VarianceOf[float64](&one, &one, 1); v == v { // Σx² cannot be 3, and still
		t.Errorf("the variance of one number is %v", v)
	}
	var x, xx Accumulator
	x.AddSlice([]float64{1, 2})
	xx.AddDot([]float64{1, 2}, []float64{1, 2})
	if v := VarianceOf[float64](&x, &xx, math.MinInt64); v != 0x1p-64 {
		t.Errorf("the variance of 1 and 2 over 2 + 2^63 is %v", v)
	}
	defer func() {
		if recover() == nil {
			t.Error("sums of different counts are taken")
		}
	}()
	VarianceOf[float64](&empty, &one, 1)
}
