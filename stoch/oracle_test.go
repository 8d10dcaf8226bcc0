package stoch_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/stoch"
)

// next returns the number of the format T above v, as a float64.
func next[T stoch.Float](v float64) float64 {
	var t T
	if _, single := any(t).(float32); single {
		return float64(math.Nextafter32(float32(v), float32(math.Inf(1))))
	}
	return math.Nextafter(v, math.Inf(1))
}

// isNeighbour reports whether r is the greatest number of T at or below the
// exact value, or the least at or above it. sign returns the sign of v minus
// the exact value, for a finite v.
func isNeighbour[T stoch.Float](r float64, sign func(v float64) int) bool {
	if math.IsNaN(r) {
		return false
	}
	largest := -next[T](math.Inf(-1))
	if math.IsInf(r, 0) {
		return sign(math.Copysign(largest, r))*int(math.Copysign(1, r)) < 0
	}
	switch s := sign(r); {
	case s < 0:
		above := next[T](r)
		return math.IsInf(above, 0) || sign(above) > 0
	case s > 0:
		below := -next[T](-r)
		return math.IsInf(below, 0) || sign(below) < 0
	}
	return true
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// signTo returns the sign function of an exact rational result.
func signTo(exact *big.Rat) func(v float64) int {
	return func(v float64) int { return rat(v).Cmp(exact) }
}

// operand draws a finite number: of any exponent, or near others.
func operand[T stoch.Float](rng *rand.Rand, near T) T {
	var t T
	_, single := any(t).(float32)
	switch rng.IntN(8) {
	case 0:
		return near * T(1+float64(rng.IntN(9)-4)*0x1p-20)
	case 1:
		return -near
	case 2:
		return T(rng.IntN(20) - 10)
	case 3:
		return near * T(math.Ldexp(float64(rng.IntN(100)), rng.IntN(60)-30))
	case 4:
		return T(rng.NormFloat64())
	}
	for {
		v := T(math.Float64frombits(rng.Uint64()))
		if single {
			v = T(math.Float32frombits(rng.Uint32()))
		}
		if v-v == 0 {
			return v
		}
	}
}

// finite replaces a number that is not finite.
func finite[T stoch.Float](v T) T {
	if v-v != 0 {
		return 1
	}
	return v
}

// operations are the operations with a rational result, and their results: nil
// where the operation has none.
type operation[T stoch.Float] struct {
	name  string
	run   func(a *stoch.Arithmetic[T], x, y, z stoch.Number[T]) stoch.Number[T]
	exact func(x, y, z float64) func(v float64) int
}

func operations[T stoch.Float]() []operation[T] {
	type number = stoch.Number[T]
	type arithmetic = *stoch.Arithmetic[T]
	return []operation[T]{
		{"Add", func(a arithmetic, x, y, z number) number { return a.Add(x, y) },
			func(x, y, z float64) func(float64) int {
				return signTo(new(big.Rat).Add(rat(x), rat(y)))
			}},
		{"Sub", func(a arithmetic, x, y, z number) number { return a.Sub(x, y) },
			func(x, y, z float64) func(float64) int {
				return signTo(new(big.Rat).Sub(rat(x), rat(y)))
			}},
		{"Mul", func(a arithmetic, x, y, z number) number { return a.Mul(x, y) },
			func(x, y, z float64) func(float64) int {
				return signTo(new(big.Rat).Mul(rat(x), rat(y)))
			}},
		{"Div", func(a arithmetic, x, y, z number) number { return a.Div(x, y) },
			func(x, y, z float64) func(float64) int {
				if y == 0 {
					return nil
				}
				return signTo(new(big.Rat).Quo(rat(x), rat(y)))
			}},
		{"Sqrt", func(a arithmetic, x, y, z number) number { return a.Sqrt(x.Abs()) },
			func(x, y, z float64) func(float64) int {
				return func(v float64) int {
					if v < 0 {
						return -1
					}
					return new(big.Rat).Mul(rat(v), rat(v)).Cmp(rat(math.Abs(x)))
				}
			}},
		{"FMA", func(a arithmetic, x, y, z number) number { return a.FMA(x, y, z) },
			func(x, y, z float64) func(float64) int {
				p := new(big.Rat).Mul(rat(x), rat(y))
				return signTo(p.Add(p, rat(z)))
			}},
	}
}

// TestNeighbours compares every sample with the exact result: it is R- or R+.
func TestNeighbours(t *testing.T) {
	t.Run("float64", testNeighbours[float64])
	t.Run("float32", testNeighbours[float32])
}

func testNeighbours[T stoch.Float](t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 1))
	a := stoch.New[T](stoch.Options{Seed: seed})
	free := stoch.New[T](stoch.Options{Seed: seed, Free: true, Independent: true})
	draw := func(near T) stoch.Number[T] {
		v := finite(operand(rng, near))
		return stoch.FromSamples([3]T{v, finite(operand(rng, v)), finite(operand(rng, v))})
	}
	for _, op := range operations[T]() {
		up, down := 0, 0
		for range 1000 {
			x := draw(1)
			y := draw(x.Samples()[0])
			z := draw(T(-x.Samples()[0] * y.Samples()[0]))
			for _, arithmetic := range []*stoch.Arithmetic[T]{a, free} {
				r := op.run(arithmetic, x, y, z)
				for i, got := range r.Samples() {
					u, v, w := float64(x.Samples()[i]), float64(y.Samples()[i]),
						float64(z.Samples()[i])
					sign := op.exact(u, v, w)
					if sign == nil {
						continue
					}
					if !isNeighbour[T](float64(got), sign) {
						t.Fatalf("seed %d: %s(%x, %x, %x) = %x in sample %d", seed, op.name, u, v,
							w, float64(got), i)
					}
					switch g := float64(got); {
					case math.IsInf(g, 1) || !math.IsInf(g, 0) && sign(g) > 0:
						up++
					case math.IsInf(g, -1) || sign(g) < 0:
						down++
					}
				}
			}
		}
		// 3 of 4 results are inexact: six deviations of a fair coin are 300.
		if d := up - down; up < 500 || d*d > 36*(up+down) {
			t.Errorf("%s rounds up %d and down %d times", op.name, up, down)
		}
	}
}

// TestExactOperations holds that exact results have equal samples, with the
// zeros of IEEE 754.
func TestExactOperations(t *testing.T) {
	a := stoch.New[float64](stoch.Options{Seed: 1})
	zero := math.Copysign(0, -1)
	of := stoch.Of[float64]
	for _, c := range []struct {
		name string
		got  stoch.Float64
		want float64
	}{
		{"1-1", a.Sub(of(1), of(1)), 0},
		{"-0 + -0", a.Add(of(zero), of(zero)), zero},
		{"-0 + 0", a.Add(of(zero), of(0)), 0},
		{"-0 · 5", a.Mul(of(zero), of(5)), zero},
		{"0 / -5", a.Div(of(0), of(-5)), zero},
		{"1 / -0", a.Div(of(1), of(zero)), math.Inf(-1)},
		{"√-0", a.Sqrt(of(zero)), zero},
		{"√9", a.Sqrt(of(9)), 3},
		{"3·4 - 12", a.FMA(of(3), of(4), of(-12)), 0},
		{"-0·1 + -0", a.FMA(of(zero), of(1), of(zero)), zero},
		{"0·1 + -0", a.FMA(of(0), of(1), of(zero)), 0},
		{"3·4 + ∞", a.FMA(of(3), of(4), of(math.Inf(1))), math.Inf(1)},
		{"∞ + 1", a.Add(of(math.Inf(1)), of(1)), math.Inf(1)},
		{"∞ · -2", a.Mul(of(math.Inf(1)), of(-2)), math.Inf(-1)},
		{"1 / ∞", a.Div(of(1), of(math.Inf(1))), 0},
		{"√∞", a.Sqrt(of(math.Inf(1))), math.Inf(1)},
		{"ln 1", a.Log(of(1)), 0},
		{"2^10", a.Exp2(of(10)), 1024},
		{"sin -0", a.Sin(of(zero)), zero},
		{"ldexp", a.Ldexp(of(3), 5), 96},
		{"ldexp -0", a.Ldexp(of(zero), 5), zero},
	} {
		for _, s := range c.got.Samples() {
			if math.Float64bits(s) != math.Float64bits(c.want) {
				t.Errorf("%s = %v, want %v", c.name, c.got.Samples(), c.want)
			}
		}
	}
	for name, got := range map[string]stoch.Float64{
		"∞ - ∞": a.Sub(of(math.Inf(1)), of(math.Inf(1))),
		"0 / 0": a.Div(of(0), of(0)),
		"0 · ∞": a.Mul(of(0), of(math.Inf(1))),
		"√-1":   a.Sqrt(of(-1)),
		"NaN":   a.Add(of(math.NaN()), of(1)),
		"0·∞+1": a.FMA(of(0), of(math.Inf(1)), of(1)),
		"ln -1": a.Log(of(-1)),
	} {
		if !got.IsNaN() || got.Digits() != 0 {
			t.Errorf("%s = %v with %v digits, want NaN with none", name, got, got.Digits())
		}
	}
}
