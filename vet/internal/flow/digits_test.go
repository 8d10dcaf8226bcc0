package flow

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExactness checks products of random numbers with bounded digits: an exact
// one has no rounding error, one that is rounded only where it is subnormal or
// overflows has none elsewhere, and some of the others have one.
func TestExactness(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	counts := map[Exactness]int{}
	rounded := 0
	for range 200000 {
		x, dx := number(r)
		y, dy := number(r)
		which := double.exactness(dx, dy)
		counts[which]++
		p := float64(x * y)
		isExact := math.FMA(x, y, -p) == 0 && !math.IsInf(p, 0)
		if p == 0 {
			isExact = x == 0 || y == 0
		}
		isNormal := math.Abs(p) >= 0x1p-960 // its error is a number, too
		switch {
		case which == Inexact && !isExact:
			rounded++
		case isExact || which == Inexact:
		case which == Subnormal && !isNormal, which == Overflow && math.IsInf(p, 0):
		default:
			t.Fatalf("%v: %x * %x, of %v and %v, is rounded", which, x, y, dx, dy)
		}
	}
	for _, which := range []Exactness{Inexact, Subnormal, Overflow, Exact} {
		if counts[which] == 0 {
			t.Errorf("no product has exactness %v", which)
		}
	}
	if rounded == 0 {
		t.Error("no product was rounded")
	}
}

// number returns a random number and bounds of its digits.
func number(r *rand.Rand) (float64, Digits) {
	if r.IntN(4) == 0 { // a constant
		f := math.Ldexp(float64(r.IntN(1<<r.IntN(30)))-3, r.IntN(200)-100)
		return f, constantDigits(f)
	}
	count := 1 + r.IntN(53)
	low := r.IntN(1900) - 1000
	span := count + r.IntN(20)
	if r.IntN(2) == 0 {
		low, span = 0, count
	}
	d := Digits{true, count, low, low + span}
	n := float64(r.Uint64() >> (64 - count))
	return math.Ldexp(n, low+r.IntN(span-count+1)), d
}

// TestConstantDigits checks the digits of constants.
func TestConstantDigits(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want Digits
	}{
		{1, Digits{true, 1, 0, 1}}, {3, Digits{true, 2, 0, 2}}, {-0.75, Digits{true, 2, -2, 0}},
		{1 << 20, Digits{true, 1, 20, 21}}, {0.1, Digits{true, 52, -55, -3}},
		{0x1p-1074, Digits{true, 1, -1074, -1073}}, {0, Digits{true, 1, 0, 0}},
	} {
		if got := constantDigits(c.f); got != c.want {
			t.Errorf("%v: %v, want %v", c.f, got, c.want)
		}
	}
}
