package crmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// big returns x in n words.
func (x *wide) big(n int) *big.Float {
	i := new(big.Int)
	for _, w := range x.m[:n] {
		i.Or(i.Lsh(i, 64), new(big.Int).SetUint64(w))
	}
	z := new(big.Float).SetPrec(uint(64 * n)).SetInt(i)
	z.SetMantExp(z, x.exp-64*n)
	if x.neg {
		z.Neg(z)
	}
	return z
}

// randomWide returns a number with long runs of equal bits at times, and an exponent
// near another's.
func randomWide(rng *rand.Rand, n int) *wide {
	x := &wide{neg: rng.IntN(2) == 0, exp: rng.IntN(10) - 5}
	if rng.IntN(4) == 0 {
		x.exp = rng.IntN(200*n) - 100*n
	}
	for i := range n {
		switch rng.IntN(4) {
		case 0:
			x.m[i] = 0
		case 1:
			x.m[i] = math.MaxUint64
		default:
			x.m[i] = rng.Uint64()
		}
	}
	x.m[0] |= 1 << 63
	return x
}

// relative returns |got-want|/|want| as a power of two, rounded up.
func relative(got, want *big.Float) int {
	d := new(big.Float).SetPrec(3000).Sub(got, want)
	if d.Sign() == 0 {
		return math.MinInt
	}
	return new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf).Quo(d.Abs(d), new(big.Float).Abs(want)).MantExp(nil)
}

func TestWideArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= wideWords; n++ {
		for range 1000 {
			x, y, u := randomWide(rng, n), randomWide(rng, n), rng.Uint64()>>rng.IntN(63)|1
			if rng.IntN(3) == 0 { // y close to x
				*y = *x
				y.m[rng.IntN(n)] ^= 1 << rng.IntN(63)
				y.neg = rng.IntN(2) == 0
			}
			a, b, c := x.big(n), y.big(n), new(big.Float).SetUint64(u)
			exact := func() *big.Float { return new(big.Float).SetPrec(5000) }
			abs, absolute := *x, exact().Abs(a)
			abs.neg = false
			for _, op := range []struct {
				name string
				do   func(z *wide)
				want *big.Float
				log  int
			}{
				{"add", func(z *wide) { z.add(x, y, n) }, exact().Add(a, b), 2},
				{"sub", func(z *wide) { z.sub(x, y, n) }, exact().Sub(a, b), 2},
				{"mul", func(z *wide) { z.mul(x, y, n) }, exact().Mul(a, b), 2},
				{"sqr", func(z *wide) { z.sqr(x, n) }, exact().Mul(a, a), 2},
				{"div", func(z *wide) { z.div(x, y, n) }, exact().Quo(a, b), 2},
				{"mulUint", func(z *wide) { z.mulUint(x, u, n) }, exact().Mul(a, c), 2},
				{"divUint", func(z *wide) { z.divUint(x, u, n) }, exact().Quo(a, c), 2},
				{"sqrt", func(z *wide) { z.sqrt(&abs, n) }, exact().Sqrt(absolute), 4},
			} {
				var z wide
				op.do(&z)
				if op.want.Sign() == 0 {
					if !z.isZero() {
						t.Fatalf("%s, %d words: %v and %v: %v, not 0", op.name, n, a, b, z.big(n))
					}
					continue
				}
				if z.m[0]>>63 == 0 || relative(z.big(n), op.want) > op.log-64*n {
					t.Fatalf("%s, %d words: %v and %v (%d): %v, not %v", op.name, n, a, b, u, z.big(n), op.want)
				}
				// The receiver may be an operand.
				keepX, keepY := *x, *y
				x2 := x
				z2 := *x
				x = &z2
				op.do(&z2)
				x = x2
				if op.name != "sqrt" && z2 != z && (z2.exp != z.exp || z2.neg != z.neg || z2.big(n).Cmp(z.big(n)) != 0) {
					t.Fatalf("%s, %d words: in place %v, not %v", op.name, n, z2.big(n), z.big(n))
				}
				if *x != keepX || *y != keepY {
					t.Fatalf("%s wrote to an operand", op.name)
				}
			}
		}
	}
}

// TestWideRounding holds the rounding of exact values against package big, and that of
// inexact ones against the rounding of both ends of their interval.
func TestWideRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 2
	undecided := 0
	for range 500_000 {
		x := randomWide(rng, n+1)
		switch rng.IntN(8) {
		case 0:
			x.exp = 1020 + rng.IntN(6)
		case 1:
			x.exp = -1080 + rng.IntN(60)
		case 2:
			x.exp = 124 + rng.IntN(6)
		case 3:
			x.exp = -155 + rng.IntN(40)
		}
		if rng.IntN(2) == 0 { // around a midpoint, or a number
			keep := max(0, 53+rng.IntN(3)-rng.IntN(20))
			pattern := uint64(0)
			if rng.IntN(2) == 0 {
				pattern = math.MaxUint64
			}
			x.m[0] = (x.m[0]>>(64-keep)<<(64-keep) | pattern>>keep) | 1<<63
			x.m[1], x.m[2] = pattern, pattern
			if rng.IntN(3) == 0 {
				x.m[rng.IntN(3)] ^= 1 << rng.IntN(63)
			}
		}
		x.m[0] |= 1 << 63
		exact := x.big(n + 1)
		want, _ := exact.Float64()
		if got := x.exactFloat64(n + 1); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v: %x, not %x", exact, got, want)
		}
		want32, _ := exact.Float32()
		if got := x.exactFloat32(n + 1); math.Float32bits(got) != math.Float32bits(want32) {
			t.Fatalf("%v: %x, not %x", exact, got, want32)
		}
		unit := new(big.Float).SetMantExp(big.NewFloat(1-0x1p-50), x.exp-64*n) // less than the bound
		lo := new(big.Float).SetPrec(300).Sub(exact, unit)
		hi := new(big.Float).SetPrec(300).Add(exact, unit)
		a, _ := lo.Float64()
		b, _ := hi.Float64()
		got, ok := x.float64(n)
		if ok && (math.Float64bits(a) != math.Float64bits(b) || math.Float64bits(got) != math.Float64bits(a)) {
			t.Fatalf("%v ± 2^%d: %x, but the ends of the interval round to %x and %x", exact, x.exp-64*n, got, a, b)
		}
		a32, _ := lo.Float32()
		b32, _ := hi.Float32()
		got32, ok32 := x.float32(n)
		if ok32 && (math.Float32bits(a32) != math.Float32bits(b32) || math.Float32bits(got32) != math.Float32bits(a32)) {
			t.Fatalf("%v ± 2^%d: %x, but the ends of the interval round to %x and %x", exact, x.exp-64*n, got32, a32, b32)
		}
		if !ok || !ok32 {
			undecided++
			// It is undecided only where it has to be, but for another unit.
			lo.Sub(lo, unit)
			hi.Add(hi, unit)
			a, _ = lo.Float64()
			b, _ = hi.Float64()
			a32, _ = lo.Float32()
			b32, _ = hi.Float32()
			if !ok && a == b || !ok32 && a32 == b32 {
				t.Fatalf("%v ± 2^%d was undecided", exact, x.exp-64*n)
			}
		}
	}
	if undecided < 100 {
		t.Errorf("only %d cases were undecided", undecided)
	}
}
