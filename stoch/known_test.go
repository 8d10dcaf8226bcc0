package stoch_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/stoch"
)

// seeds are those that the known computations run with.
const seeds = 20

// rump returns Rump's polynomial at (77617, 33096). The real value is
// -0.827396…; the terms cancel in every double-precision format.
func rump(a *stoch.Arithmetic[float64]) stoch.Float64 {
	of := stoch.Of[float64]
	x, y := of(77617), of(33096)
	x2, y2 := a.Mul(x, x), a.Mul(y, y)
	y4 := a.Mul(y2, y2)
	y6 := a.Mul(y4, y2)
	y8 := a.Mul(y4, y4)
	inner := a.Sub(a.Sub(a.Sub(a.Mul(of(11), a.Mul(x2, y2)), y6), a.Mul(of(121), y4)), of(2))
	sum := a.Add(a.Mul(of(333.75), y6), a.Mul(x2, inner))
	return a.Add(a.Add(sum, a.Mul(of(5.5), y8)), a.Div(x, a.Mul(of(2), y)))
}

// maxLuck bounds the seeds that may make three samples agree by luck. Samples
// of Rump's polynomial are small multiples of 2^70, so that three often agree.
const maxLuck = 3

func TestRump(t *testing.T) {
	luck := 0
	for seed := range uint64(seeds) {
		a := stoch.New[float64](stoch.Options{Seed: seed})
		if r := rump(a); r.String() != "@.0" || a.Report().Count(stoch.Cancellation) == 0 {
			t.Logf("seed %d: %v of %v, with\n%v", seed, r, r.Samples(), a.Report())
			luck++
		}
	}
	if luck > maxLuck {
		t.Errorf("%d of %d seeds do not show that no digit is right", luck, seeds)
	}
}

// TestMuller follows Muller's recurrence, whose limit is 6. In floating-point
// arithmetic it converges to 100, with any rounding: only samples that are
// computed side by side show, on the way, that nothing is right.
func TestMuller(t *testing.T) {
	of, luck := stoch.Of[float64], 0
	for seed := range uint64(seeds) {
		a := stoch.New[float64](stoch.Options{Seed: seed})
		u, v, lost := of(5.5), a.Div(of(61), of(11)), false
		for range 60 {
			w := a.Add(a.Sub(of(111), a.Div(of(1130), v)), a.Div(of(3000), a.Mul(v, u)))
			u, v = v, w
			lost = lost || w.IsZero()
		}
		if !lost || a.Report().IsReliable() {
			t.Logf("seed %d: ends with %v and no warning: lost %v\n%v", seed, v, lost, a.Report())
			luck++
		}
	}
	if luck > maxLuck {
		t.Errorf("%d of %d seeds do not warn", luck, seeds)
	}
}

// TestEstimates compares estimates with the digits that results have.
func TestEstimates(t *testing.T) {
	of := stoch.Of[float64]
	type arithmetic = *stoch.Arithmetic[float64]
	for _, c := range []struct {
		name string
		real float64
		run  func(a arithmetic) stoch.Float64
	}{
		{"1/3", 1.0 / 3, func(a arithmetic) stoch.Float64 { return a.Div(of(1), of(3)) }},
		{"e^1e-10 - 1", 1.00000000005e-10, func(a arithmetic) stoch.Float64 {
			return a.Sub(a.Exp(of(1e-10)), of(1))
		}},
		{"(1 - cos 1e-5)/1e-10", 0.4999999999958333333, func(a arithmetic) stoch.Float64 {
			return a.Div(a.Sub(of(1), a.Cos(of(1e-5))), of(1e-10))
		}},
		{"harmonic sum", 7.485470860550345, func(a arithmetic) stoch.Float64 {
			s := of(0)
			for i := range 1000 {
				s = a.Add(s, a.Div(of(1), of(float64(i+1))))
			}
			return s
		}},
		{"e^-20 by its series", math.Exp(-20), func(a arithmetic) stoch.Float64 {
			sum, term := of(1), of(1)
			for i := range 100 {
				term = a.Div(a.Mul(term, of(-20)), of(float64(i+1)))
				sum = a.Add(sum, term)
			}
			return sum
		}},
	} {
		over := 0
		for seed := range uint64(seeds) {
			r := c.run(stoch.New[float64](stoch.Options{Seed: seed}))
			right := -math.Log10(math.Abs(r.Mean()-c.real) / math.Abs(c.real))
			if r.Digits() > max(right, 0)+1 {
				over++
			}
		}
		// Confidence is 95 %, and more by a digit.
		if over > 1 {
			t.Errorf("%s: %d of %d estimates are more than a digit too high", c.name, over, seeds)
		}
	}
}

// TestNoise holds that no relation is true of noise and both signs, that the
// quick test agrees with the definition, and that a comparison is counted.
func TestNoise(t *testing.T) {
	const seed = 8
	rng := rand.New(rand.NewPCG(seed, 1))
	a, noise := stoch.New[float64](stoch.Options{Seed: seed}), 0
	for i := range 20000 {
		scale := math.Ldexp(1, rng.IntN(2000)-1000)
		x := stoch.FromSamples([3]float64{
			scale * (rng.NormFloat64() + float64(i%7)), scale * (rng.NormFloat64() + float64(i%7)),
			scale * (rng.NormFloat64() + float64(i%7)),
		})
		if x.IsNoise() != isNoise(x) {
			t.Fatalf("seed %d: isNoise(%v) = %v", seed, x.Samples(), x.IsNoise())
		}
		zero := stoch.Float64{}
		less, equal, more := a.Less(x, zero), a.Equal(x, zero), a.Less(zero, x)
		if x.IsNoise() {
			noise++
		}
		if equal != x.IsNoise() || less && more || (less || more) == equal ||
			a.Cmp(x, zero) != -a.Cmp(zero, x) || a.LessEqual(x, zero) != (less || equal) {
			t.Fatalf("seed %d: %v: less %v, equal %v, more %v", seed, x.Samples(), less, equal,
				more)
		}
	}
	// Less, Equal, Less, Cmp, Cmp and LessEqual counted each.
	if n := a.Report().Count(stoch.Branching); noise < 1000 || n != uint64(6*noise) {
		t.Errorf("%d unstable branches for %d noise values", n, noise)
	}
}

// isNoise is the definition: C ≤ 0, from exact sums of squares.
func isNoise(x stoch.Float64) bool {
	s, sum := x.Samples(), new(big.Rat)
	if s[0] == s[1] && s[1] == s[2] {
		return false
	}
	for _, v := range s {
		sum.Add(sum, rat(v))
	}
	squares, three := new(big.Rat), big.NewRat(3, 1)
	for _, v := range s {
		d := new(big.Rat).Mul(three, rat(v))
		d.Sub(d, sum)
		squares.Add(squares, d.Mul(d, d))
	}
	const tau = 4.302652729911275
	bound := new(big.Rat).SetFloat64(6 / (tau * tau))
	return squares.Cmp(bound.Mul(bound, sum.Mul(sum, sum))) >= 0
}

// TestCheapLogarithm is property 3.1 of [Eberhart2015]: the cheap logarithm is
// at most one below the integer part of the logarithm, and never above.
func TestCheapLogarithm(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	check := func(x float64) {
		// x lies between 10^e and 10^(e+1).
		e := -324
		for power(e+1).Cmp(rat(x)) <= 0 {
			e++
		}
		if got := stoch.FloorLog10(x); got != e && got != e-1 {
			t.Fatalf("floorLog10(%g) = %d, want %d or one less", x, got, e)
		}
	}
	for range 300 {
		check(math.Ldexp(0.5+rng.Float64()/2, rng.IntN(2098)-1073))
	}
	for e := -1074; e < 1024; e++ {
		want := math.Floor(float64(e) * math.Log10(2))
		if got := stoch.FloorLog10(math.Ldexp(1, e)); float64(got) != want {
			t.Errorf("floorLog10(2^%d) = %d, want %v", e, got, want)
		}
	}
	a := stoch.New[float64](stoch.Options{})
	for range 2000 {
		x := a.Add(stoch.Of(rng.NormFloat64()*1e5), stoch.Of(rng.NormFloat64()))
		x = a.Sub(x, stoch.Of(x.Mean()*(1+math.Ldexp(1, -rng.IntN(50)))))
		if whole, d := x.WholeDigits(), int(x.Digits()); whole != d && whole != d-1 {
			t.Fatalf("%v: %d digits, by the cheap logarithm %d", x.Samples(), d, whole)
		}
	}
}

// power returns 10^e.
func power(e int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// TestReport names the line of an instability.
func TestReport(t *testing.T) {
	a := stoch.New[float64](stoch.Options{})
	noise := stoch.FromSamples([3]float64{1, -1, 0.5})
	a.Mul(noise, noise)
	a.Div(stoch.Of(1.0), noise)
	a.Log(noise)
	a.Less(noise, stoch.Float64{})
	a.Sub(stoch.FromSamples([3]float64{1 + 0x1p-40, 1, 1}), stoch.Of(1.0))
	r := a.Report()
	lines := map[int]bool{}
	for _, i := range r.Instabilities {
		if !strings.HasSuffix(i.File, "known_test.go") || i.Count != 1 ||
			!strings.HasSuffix(i.Function, "TestReport") {
			t.Errorf("%+v", i)
		}
		lines[i.Line] = true
	}
	if len(lines) != 5 || r.Count(stoch.SelfValidation) != 2 || r.Count(stoch.Mathematical) != 1 ||
		r.Count(stoch.Branching) != 1 || r.Count(stoch.Cancellation) != 1 || r.IsReliable() {
		t.Errorf("%v", r)
	}
	if a.Reset(); a.Report().String() != "No instability detected.\n" {
		t.Errorf("after Reset: %v", a.Report())
	}
	off := stoch.New[float64](stoch.Options{Ignore: []stoch.Kind{stoch.SelfValidation}})
	if off.Mul(noise, noise); !off.Report().IsReliable() {
		t.Error("an ignored kind is counted")
	}
}
