package wide_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
)

// randomWide returns a number with long runs of equal bits at times, and an
// exponent near another's.
func randomWide(rng *rand.Rand, n int) *wide.Float {
	x := &wide.Float{Neg: rng.IntN(2) == 0, Exp: rng.IntN(10) - 5}
	if rng.IntN(4) == 0 {
		x.Exp = rng.IntN(200*n) - 100*n
	}
	for i := range n {
		switch rng.IntN(4) {
		case 0:
			x.M[i] = 0
		case 1:
			x.M[i] = math.MaxUint64
		default:
			x.M[i] = rng.Uint64()
		}
	}
	x.M[0] |= 1 << 63
	return x
}

func TestWideArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= wide.Words; n++ {
		for range 1000 {
			x, y, u := randomWide(rng, n), randomWide(rng, n), rng.Uint64()>>rng.IntN(63)|1
			if rng.IntN(3) == 0 { // y close to x
				*y = *x
				y.M[rng.IntN(n)] ^= 1 << rng.IntN(63)
				y.Neg = rng.IntN(2) == 0
			}
			a, b, c := widetest.Big(x, n), widetest.Big(y, n), new(big.Float).SetUint64(u)
			exact := func() *big.Float { return new(big.Float).SetPrec(5000) }
			abs, absolute := *x, exact().Abs(a)
			abs.Neg = false
			for _, op := range []struct {
				name string
				do   func(z *wide.Float)
				want *big.Float
				log  int
			}{
				{"add", func(z *wide.Float) { z.Add(x, y, n) }, exact().Add(a, b), 2},
				{"sub", func(z *wide.Float) { z.Sub(x, y, n) }, exact().Sub(a, b), 2},
				{"mul", func(z *wide.Float) { z.Mul(x, y, n) }, exact().Mul(a, b), 2},
				{"sqr", func(z *wide.Float) { z.Sqr(x, n) }, exact().Mul(a, a), 2},
				{"div", func(z *wide.Float) { z.Div(x, y, n) }, exact().Quo(a, b), 2},
				{"mulUint", func(z *wide.Float) { z.MulUint(x, u, n) }, exact().Mul(a, c), 2},
				{"divUint", func(z *wide.Float) { z.DivUint(x, u, n) }, exact().Quo(a, c), 2},
				{"sqrt", func(z *wide.Float) { z.Sqrt(&abs, n) }, exact().Sqrt(absolute), 4},
			} {
				var z wide.Float
				op.do(&z)
				if op.want.Sign() == 0 {
					if !z.IsZero() {
						t.Fatalf("%s, %d words: %v and %v: %v, not 0", op.name, n, a, b,
							widetest.Big(&z, n))
					}
					continue
				}
				if z.M[0]>>63 == 0 ||
					widetest.RelativeError(widetest.Big(&z, n), op.want) > op.log-64*n {
					t.Fatalf("%s, %d words: %v and %v (%d): %v, not %v", op.name, n, a, b, u,
						widetest.Big(&z, n), op.want)
				}
				// The receiver may be an operand.
				keepX, keepY := *x, *y
				x2 := x
				z2 := *x
				x = &z2
				op.do(&z2)
				x = x2
				if op.name != "sqrt" && z2 != z &&
					(z2.Exp != z.Exp || z2.Neg != z.Neg ||
						widetest.Big(&z2, n).Cmp(widetest.Big(&z, n)) != 0) {
					t.Fatalf("%s, %d words: in place %v, not %v", op.name, n, widetest.Big(&z2, n),
						widetest.Big(&z, n))
				}
				if *x != keepX || *y != keepY {
					t.Fatalf("%s wrote to an operand", op.name)
				}
			}
		}
	}
}

// TestWideRounding compares the rounding of exact values with package big, and
// the rounding of inexact ones with the rounding of both ends of their
// interval.
func TestWideRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 2
	undecided := 0
	for range 500_000 {
		x := randomWide(rng, n+1)
		switch rng.IntN(8) {
		case 0:
			x.Exp = 1020 + rng.IntN(6)
		case 1:
			x.Exp = -1080 + rng.IntN(60)
		case 2:
			x.Exp = 124 + rng.IntN(6)
		case 3:
			x.Exp = -155 + rng.IntN(40)
		}
		if rng.IntN(2) == 0 { // around a midpoint, or a number
			keep := max(0, 53+rng.IntN(3)-rng.IntN(20))
			pattern := uint64(0)
			if rng.IntN(2) == 0 {
				pattern = math.MaxUint64
			}
			x.M[0] = (x.M[0]>>(64-keep)<<(64-keep) | pattern>>keep) | 1<<63
			x.M[1], x.M[2] = pattern, pattern
			if rng.IntN(3) == 0 {
				x.M[rng.IntN(3)] ^= 1 << rng.IntN(63)
			}
		}
		x.M[0] |= 1 << 63
		exact := widetest.Big(x, n+1)
		want, _ := exact.Float64()
		if got := x.ExactFloat64(n + 1); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v: %x, not %x", exact, got, want)
		}
		// Less than the bound.
		unit := new(big.Float).SetMantExp(big.NewFloat(1-0x1p-50), x.Exp-64*n)
		lo := new(big.Float).SetPrec(300).Sub(exact, unit)
		hi := new(big.Float).SetPrec(300).Add(exact, unit)
		a, _ := lo.Float64()
		b, _ := hi.Float64()
		got, ok := x.Float64(n)
		if ok && (math.Float64bits(a) != math.Float64bits(b) ||
			math.Float64bits(got) != math.Float64bits(a)) {
			t.Fatalf("%v ± 2^%d: %x, but the ends of the interval round to %x and %x", exact,
				x.Exp-64*n, got, a, b)
		}
		if !ok {
			undecided++
			// It is undecided only where it has to be, except for another unit.
			lo.Sub(lo, unit)
			hi.Add(hi, unit)
			a, _ = lo.Float64()
			b, _ = hi.Float64()
			if a == b {
				t.Fatalf("%v ± 2^%d was undecided", exact, x.Exp-64*n)
			}
		}
	}
	if undecided < 100 {
		t.Errorf("only %d cases were undecided", undecided)
	}
}
