package stoch_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/stoch"
)

// TestFormats compares arithmetic in short formats, rounded to nearest, with
// package fp.
func TestFormats(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, c := range []struct {
		format              fp.Format
		precision, exponent int
	}{{fp.Binary16, 11, 5}, {fp.BFloat16, 8, 8}, {fp.Binary32, 24, 8}} {
		a := stoch.New[float64](stoch.Options{Rounding: stoch.Nearest, Precision: c.precision,
			ExponentBits: c.exponent})
		draw := func() float64 {
			v := math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
			return c.format.Round(v, fp.NearestEven)
		}
		for range 5000 {
			x, y, z := draw(), draw(), draw()
			of := stoch.Of[float64]
			for name, got := range map[string][2]stoch.Float64{
				"Add": {a.Add(of(x), of(y)), of(c.format.Add(x, y, fp.NearestEven))},
				"Mul": {a.Mul(of(x), of(y)), of(c.format.Mul(x, y, fp.NearestEven))},
				"FMA": {a.FMA(of(x), of(y), of(z)), of(c.format.FMA(x, y, z, fp.NearestEven))},
				"Exp": {a.Exp(of(x)), of(directed.In(c.format, directed.Exp, x, fp.NearestEven))},
			} {
				if !sameNumber(got[0], got[1]) {
					t.Fatalf("seed %d: %s of %v, %v, %v in %v is %v, want %v", seed, name, x, y, z,
						c.format, got[0].Samples(), got[1].Samples())
				}
			}
		}
	}
}

// TestNearness holds that the mean of stochastic rounding is the exact result.
func TestNearness(t *testing.T) {
	a := stoch.New[float64](stoch.Options{Rounding: stoch.Nearness, Precision: 4, Free: true,
		Independent: true})
	const n = 20000
	for _, v := range []float64{1.03125, -1.1, 13.7, 5e-309} {
		up, low, high := 0, math.Inf(1), math.Inf(-1)
		for range n {
			for _, s := range a.Mul(stoch.Of(v), stoch.Of(1.0)).Samples() {
				low, high = min(low, s), max(high, s)
				if s > v {
					up++
				}
			}
		}
		share := (v - low) / (high - low)
		deviation := math.Abs(float64(up)/(3*n) - share)
		if low >= v || high <= v || deviation > 6*math.Sqrt(share*(1-share)/(3*n)) {
			t.Errorf("%v is rounded to %v and %v, up in %v of cases, want %v", v, low, high,
				float64(up)/(3*n), share)
		}
	}
}

// TestMonteCarlo holds that noise is uniform and of the size of the virtual
// precision, and that numbers of that precision stay.
func TestMonteCarlo(t *testing.T) {
	for _, r := range []stoch.Rounding{stoch.MonteCarlo, stoch.MonteCarloOperands,
		stoch.MonteCarloResults} {
		a := stoch.New[float64](stoch.Options{Rounding: r, Precision: 20, Free: true,
			Independent: true})
		if x := a.Add(stoch.Of(1.0), stoch.Of(0.5)); x != stoch.Of(1.5) {
			t.Errorf("%v: 1 + 0.5 = %v", r, x.Samples())
		}
		v := 1 + 0x1p-30 // 31 bits
		low, high := math.Inf(1), math.Inf(-1)
		for range 2000 {
			for _, s := range a.Mul(stoch.Of(v), stoch.Of(1.0)).Samples() {
				low, high = min(low, s-v), max(high, s-v)
			}
		}
		// 1 is 1/2·2^1: noise is up to 2^(1-20)/2, in operand and result.
		unit, reached := 0x1p-20, 0.9
		if r == stoch.MonteCarlo { // the sum of two
			unit, reached = 2*unit, 0.6
		}
		if low < -unit || high > unit || low > -reached*unit || high < reached*unit {
			t.Errorf("%v: noise from %g to %g, want ±%g", r, low, high, unit)
		}
	}
}

// TestFunctions holds that functions give R- or R+, and both.
func TestFunctions(t *testing.T) {
	type (
		arithmetic = *stoch.Arithmetic[float64]
		number     = stoch.Float64
	)
	single := stoch.New[float32](stoch.Options{Seed: 4})
	a, rng := stoch.New[float64](stoch.Options{Seed: 4}), rand.New(rand.NewPCG(3, 3))
	for name, c := range map[string]struct {
		run  func(a arithmetic, x number) number
		real directed.Function
	}{
		"Acos": {arithmetic.Acos, directed.Acos}, "Asin": {arithmetic.Asin, directed.Asin},
		"Asinh": {arithmetic.Asinh, directed.Asinh}, "Atan": {arithmetic.Atan, directed.Atan},
		"Atanh": {arithmetic.Atanh, directed.Atanh}, "Cbrt": {arithmetic.Cbrt, directed.Cbrt},
		"Cos": {arithmetic.Cos, directed.Cos}, "Cosh": {arithmetic.Cosh, directed.Cosh},
		"Erf": {arithmetic.Erf, directed.Erf}, "Erfc": {arithmetic.Erfc, directed.Erfc},
		"Exp": {arithmetic.Exp, directed.Exp}, "Exp2": {arithmetic.Exp2, directed.Exp2},
		"Expm1": {arithmetic.Expm1, directed.Expm1}, "Gamma": {arithmetic.Gamma, directed.Gamma},
		"Log": {arithmetic.Log, directed.Log}, "Log10": {arithmetic.Log10, directed.Log10},
		"Log1p": {arithmetic.Log1p, directed.Log1p}, "Log2": {arithmetic.Log2, directed.Log2},
		"Sin": {arithmetic.Sin, directed.Sin}, "Sinh": {arithmetic.Sinh, directed.Sinh},
		"Tan": {arithmetic.Tan, directed.Tan}, "Tanh": {arithmetic.Tanh, directed.Tanh},
		"Pow": {func(a arithmetic, x number) number { return a.Pow(x, stoch.Of(0.7)) },
			func(x float64, m fp.Mode) float64 { return directed.Pow(x, 0.7, m) }},
		"Hypot": {func(a arithmetic, x number) number { return a.Hypot(x, stoch.Of(0.7)) },
			func(x float64, m fp.Mode) float64 { return directed.Hypot(x, 0.7, m) }},
		"Lgamma": {func(a arithmetic, x number) number { l, _ := a.Lgamma(x); return l },
			func(x float64, m fp.Mode) float64 { l, _ := directed.Lgamma(x, m); return l }},
	} {
		up, down := 0, 0
		for range 300 {
			x := rng.Float64()
			low, high := c.real(x, fp.Down), c.real(x, fp.Up)
			for _, s := range c.run(a, stoch.Of(x)).Samples() {
				switch s {
				case low:
					down++
				case high:
					up++
				default:
					t.Fatalf("%s(%v) = %v, want %v or %v", name, x, s, low, high)
				}
			}
			v := float32(x)
			for _, s := range single.Apply(c.real, stoch.Of(v)).Samples() {
				low := directed.In(fp.Binary32, c.real, float64(v), fp.Down)
				if high := directed.In(fp.Binary32, c.real, float64(v), fp.Up); float64(s) != low &&
					float64(s) != high {
					t.Fatalf("%s(%v) = %v in float32, want %v or %v", name, v, s, low, high)
				}
			}
		}
		if up < 300 || down < 300 {
			t.Errorf("%s rounds up %d and down %d times", name, up, down)
		}
	}
}

// TestOptions holds that impossible options panic.
func TestOptions(t *testing.T) {
	for _, o := range []stoch.Options{
		{Precision: 1}, {Precision: 25}, {ExponentBits: 9}, {ExponentBits: 1}, {Rounding: 99},
		{Precision: -1},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", o)
				}
			}()
			stoch.New[float32](o)
		}()
	}
}

// TestCoins holds that operands that change in steps toss fair coins, whose
// neighbours are independent.
func TestCoins(t *testing.T) {
	a := stoch.New[float64](stoch.Options{Seed: 1})
	const n = 1 << 16
	for name, next := range map[string]func(x stoch.Float64) stoch.Float64{
		"x + 0.1": func(x stoch.Float64) stoch.Float64 { return a.Add(x, stoch.Of(0.1)) },
		"x·1.1":   func(x stoch.Float64) stoch.Float64 { return a.Mul(x, stoch.Of(1.0001)) },
	} {
		up, alike, inexact, last := 0, 0, 0, false
		x := 1.0
		for range n {
			r := next(stoch.Of(x)).Samples()
			if r[1] == r[2] {
				x = r[0]
				continue
			}
			inexact++
			isUp := r[0] > min(r[1], r[2])
			if isUp {
				up++
			}
			if isUp == last {
				alike++
			}
			last, x = isUp, min(r[1], r[2])
		}
		for _, count := range []int{up, alike} {
			if d := 2*count - inexact; inexact < n/2 || d*d > 36*inexact {
				t.Errorf("%s: of %d coins %d are up, %d like the one before", name, inexact, up,
					alike)
			}
		}
	}
}
