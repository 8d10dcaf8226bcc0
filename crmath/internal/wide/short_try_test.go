package wide

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/fp"
)

// TestLost holds results decided with a larger error against the results of
// numbers at both ends of its interval.
func TestLost(t *testing.T) {
	rng := args.Generator("lost bits")
	for range 100_000 {
		lost := rng.IntN(maxLost)
		x := short{rng.IntN(2) == 0, rng.IntN(2200) - 1100, rng.Uint64() | 1<<63, rng.Uint64()}
		if rng.IntN(2) == 0 { // next to a number, or to a midpoint
			keep := max(0, min(53, x.exp+1074)) + rng.IntN(2)
			pattern := -uint64(rng.IntN(2))
			x.hi = (x.hi>>(64-keep)<<(64-keep) | pattern>>keep) | 1<<63
			x.hi ^= uint64(rng.Int64N(1<<lost)) >> min(63, 53+rng.IntN(10))
		}
		unit := short{neg: x.neg, exp: x.exp + lost - 117, hi: math.MaxUint64}
		for m := fp.NearestEven; m <= fp.ToOdd; m++ {
			got, ok := x.rounded(m, lost)
			if !ok {
				continue
			}
			for _, end := range []short{x.minus(unit), x.plus(unit)} {
				want := Float{Neg: x.neg, Exp: end.exp, M: [Words]uint64{end.hi, end.lo, 1}}
				if r, decided := want.Rounded(2, m); decided && !args.Identical(got, r) {
					t.Fatalf("%+v, %d bits lost, to %v: %x, and %x at an end", x, lost, m, got, r)
				}
			}
		}
		if _, ok := x.rounded(fp.NearestEven, maxLost); ok {
			t.Fatalf("%+v without a bit is decided", x)
		}
	}
}

// TestTry compares powers and roots in two words with longer ones, in every
// direction. Nearly all have to be decided.
func TestTry(t *testing.T) {
	rng := args.Generator("powers and roots in two words")
	refused := 0
	compare := func(name string, try func(m fp.Mode) (float64, bool), set func(z *Float)) {
		var z Float
		set(&z)
		for m := fp.NearestEven; m <= fp.ToOdd; m++ {
			want, decided := z.Rounded(4, m)
			got, ok := try(m)
			if !ok {
				refused++
			} else if decided && !args.Identical(got, want) {
				t.Fatalf("%s to %v: %x, want %x", name, m, got, want)
			}
		}
	}
	const n = 2_000
	for range n {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(200)-100)
		k, y := -2-rng.IntN(9), rng.Float64()*20-10
		compare("pow", func(m fp.Mode) (float64, bool) { return TryPow(x, y, m) },
			func(z *Float) { z.SetPow(x, y, 4) })
		compare("pown", func(m fp.Mode) (float64, bool) { return TryPown(x, k, m) },
			func(z *Float) { z.SetPown(x, k, 4) })
		compare("rootn", func(m fp.Mode) (float64, bool) { return TryRootn(x, 7*k, m) },
			func(z *Float) { z.SetRootn(x, 7*k, 4) })
		small := x*0x1p-90 - 0x1p-20
		compare("compound", func(m fp.Mode) (float64, bool) { return TryCompound(small, k, m) },
			func(z *Float) { z.SetCompound(small, k, 4) })
		other := math.Ldexp(1+rng.Float64(), math.Ilogb(x)+rng.IntN(20))
		r := math.Hypot(x, other) //lastbit:ignore libm any estimate leads to the same
		c := off(r, func(z *Float) { z.setHypot(x, other) })
		compare("hypot", func(m fp.Mode) (float64, bool) { return TryHypot(x, other, r, c, m) },
			func(z *Float) { z.setHypot(x, other) })
	}
	if refused > n/100 {
		t.Errorf("%d results are undecided", refused)
	}
}

// off returns the float64 next to a number less r.
func off(r float64, set func(z *Float)) float64 {
	var z, a Float
	set(&z)
	a.SetFloat64(r, 5)
	z.Sub(&z, &a, 5)
	return z.Approx()
}

// setHypot sets z to √(x²+y²) in five words.
func (z *Float) setHypot(x, y float64) {
	var a Float
	z.SetFloat64(x, 5)
	a.SetFloat64(y, 5)
	z.Sqr(z, 5)
	a.Sqr(&a, 5)
	z.Add(z, &a, 5)
	z.Sqrt(z, 5)
}

// TestTryCbrt compares TryCbrt with cubes of the result and of its neighbours.
func TestTryCbrt(t *testing.T) {
	rng := args.Generator("cubic roots in two words")
	refused := 0
	const n = 20_000
	for range n {
		x := 1 + 6*rng.Float64()
		var z, a, y Float // one step of Newton's from math.Cbrt
		r := math.Cbrt(x) //lastbit:ignore libm any estimate leads to the same
		a.SetFloat64(x, 5)
		y.SetFloat64(r, 5)
		z.Sqr(&y, 5)
		a.Div(&a, &z, 5)
		a.Sub(&a, &y, 5)
		c := a.Approx() / 3
		z.SetFloat64(x, 5)
		want := z.NearestRoot(r, 3, 5)
		if got, ok := TryCbrt(math.Ldexp(x, 30), -30, r, c, fp.NearestEven); !ok {
			refused++
		} else if !args.Identical(got, want) {
			t.Fatalf("∛%x = %x, want %x", x, got, want)
		}
	}
	if refused > n/100 {
		t.Errorf("%d of %d results are undecided", refused, n)
	}
}
