package stoch_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/stoch"
)

// TestMath compares functions of exact numbers, whose results are exact, with
// package math.
func TestMath(t *testing.T) {
	a, single := stoch.New[float64](stoch.Options{}), stoch.New[float32](stoch.Options{})
	const seed = 21
	rng := rand.New(rand.NewPCG(seed, 1))
	values := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, 3, 5e-324, -5e-324, 0x1p-1022, 0x1.fffffffffffffp-1023,
		math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
	}
	for range 200 {
		values = append(values, math.Float64frombits(rng.Uint64()))
	}
	of := stoch.Of[float64]
	for _, v := range values {
		x := of(v)
		f, n := a.Frexp(x)
		wantF, wantN := math.Frexp(v)
		if !sameNumber(f, of(wantF)) || n != wantN {
			t.Errorf("Frexp(%v) = %v, %d, want %v, %d", v, f.Samples(), n, wantF, wantN)
		}
		if got := a.Logb(x); !sameNumber(got, of(math.Logb(v))) {
			t.Errorf("Logb(%v) = %v, want %v", v, got.Samples(), math.Logb(v))
		}
		if got := a.Ilogb(x); got != math.Ilogb(v) {
			t.Errorf("Ilogb(%v) = %v, want %v", v, got, math.Ilogb(v))
		}
		if got := a.Signbit(x); got != math.Signbit(v) {
			t.Errorf("Signbit(%v) = %v", v, got)
		}
		for _, sign := range []int{-1, 0, 1} {
			if got := x.IsInf(sign); got != math.IsInf(v, sign) {
				t.Errorf("IsInf(%v, %d) = %v", v, sign, got)
			}
		}
		for _, w := range values[:20] {
			got, want := a.Nextafter(x, of(w)), math.Nextafter(v, w)
			if !sameNumber(got, of(want)) {
				t.Errorf("Nextafter(%v, %v) = %v, want %v", v, w, got.Samples(), want)
			}
			got32 := single.Nextafter(stoch.Of(float32(v)), stoch.Of(float32(w)))
			want32 := math.Nextafter32(float32(v), float32(w))
			if !sameNumber(got32, stoch.Of(want32)) {
				t.Errorf("Nextafter(%v, %v) = %v of float32, want %v", v, w,
					got32.Samples(), want32)
			}
		}
	}
	if r := a.Report(); len(r.Instabilities) != 0 {
		t.Errorf("exact numbers are unstable: %v", r)
	}
}

// TestPow10 holds that powers of ten are exact where a format has them, and
// beside the real value elsewhere.
func TestPow10(t *testing.T) {
	a := stoch.New[float64](stoch.Options{})
	for n := 0; n <= 22; n++ {
		if x := a.Pow10(n); x != stoch.Of(math.Pow10(n)) {
			t.Errorf("Pow10(%d) = %v", n, x.Samples())
		}
	}
	for _, n := range []int{-1, -300, 23, 308} {
		s := a.Pow10(n).Samples()
		low, high := min(s[0], s[1], s[2]), max(s[0], s[1], s[2])
		near := math.Pow10(n)
		if high != math.Nextafter(low, math.Inf(1)) || low != near && high != near {
			t.Errorf("Pow10(%d) = %v", n, s)
		}
	}
	for _, n := range []int{400, math.MaxInt} {
		for _, v := range a.Pow10(n).Samples() {
			if v != math.MaxFloat64 && v != math.Inf(1) {
				t.Errorf("Pow10(%d) has the sample %v", n, v)
			}
		}
		for _, v := range a.Pow10(-n).Samples() {
			if v != 0 && v != 5e-324 {
				t.Errorf("Pow10(%d) has the sample %v", -n, v)
			}
		}
	}
}

// TestApart holds that samples in different binades, or of different signs,
// are instabilities.
func TestApart(t *testing.T) {
	a := stoch.New[float64](stoch.Options{})
	count := func() uint64 { return a.Report().Count(stoch.Branching) }
	x := stoch.FromSamples([3]float64{1 - 0x1p-53, 1, 1 + 0x1p-52})
	f, n := a.Frexp(x)
	if back := a.Ldexp(f, n); back != x || count() != 1 {
		t.Errorf("Frexp gives %v·2^%d, and %d instabilities", f.Samples(), n, count())
	}
	if a.Ilogb(x); count() != 2 {
		t.Errorf("Ilogb gives %d instabilities", count()-1)
	}
	if a.Signbit(stoch.FromSamples([3]float64{-1, 1, 1})) || count() != 3 {
		t.Errorf("Signbit of 1, mostly, with %d instabilities", count()-2)
	}
	short := stoch.New[float64](stoch.Options{Precision: 3, ExponentBits: 4})
	for v, want := range map[float64]float64{1: 1.25, -1: -0.875, 0: 0x1p-8, 224: math.Inf(1)} {
		if got := short.Nextafter(stoch.Of(v), stoch.Of(math.Inf(1))); got != stoch.Of(want) {
			t.Errorf("after %v with 3 bits: %v, want %v", v, got.Samples(), want)
		}
	}
}

// TestFarApart holds that numbers whose difference overflows are not equal,
// although some samples of the difference are infinite and others are not.
func TestFarApart(t *testing.T) {
	a := stoch.New[float64](stoch.Options{})
	x := stoch.FromSamples([3]float64{0x1p1023, 0x1p1023 - 0x1p970, 0x1p1023})
	y := stoch.FromSamples([3]float64{-0x1p1023, -0x1p1023 + 0x1p970, -0x1p1023})
	if a.Equal(x, y) || a.Less(x, y) || !a.Less(y, x) || a.Cmp(x, y) != 1 || a.LessEqual(x, y) {
		t.Error("2^1023 is not more than -2^1023")
	}
	if r := a.Report(); len(r.Instabilities) != 0 {
		t.Errorf("an unstable comparison: %v", r)
	}
}
