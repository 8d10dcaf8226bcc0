package stoch_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/stoch"
)

// TestQuickDetections holds that products on the fast path find the factors
// that are noise as the accurate path does, which Options.Free takes: samples
// close together and far apart, in one binade and around a power of two,
// subnormal ones too.
func TestQuickDetections(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testQuickDetections[float64](t, 0x1p-1070, 0x1p600) })
	t.Run("float32", func(t *testing.T) { testQuickDetections[float32](t, 0x1p-147, 0x1p100) })
}

func testQuickDetections[T stoch.Float](t *testing.T, small, large T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 1))
	fast := stoch.New[T](stoch.Options{Seed: seed})
	accurate := stoch.New[T](stoch.Options{Seed: seed, Free: true})
	draw := func(scale T) stoch.Number[T] {
		v := scale * T(1+float64(rng.IntN(16))/4)
		spread := scale * T(math.Ldexp(4, -rng.IntN(8)))
		off := func() T { return v + spread*T(rng.IntN(9)-4) }
		return stoch.FromSamples([3]T{v, off(), off()})
	}
	noise := 0
	for i := range 20000 {
		scale := [][2]T{{1, 1}, {1, -3}, {small, large}, {large, small}}[i%4]
		x, y := draw(scale[0]), draw(scale[1])
		fast.Reset()
		accurate.Reset()
		fast.Mul(x, y)
		accurate.Mul(x, y)
		got, want := fast.Report().Count(stoch.SelfValidation),
			accurate.Report().Count(stoch.SelfValidation)
		if isNoise := x.IsNoise() && y.IsNoise(); got != want || isNoise != (want == 1) {
			t.Fatalf("seed %d: %x · %x: %d detections, %d on the accurate path, noise: %v", seed,
				x.Samples(), y.Samples(), got, want, isNoise)
		}
		noise += int(want)
	}
	if noise < 1000 || noise > 19000 {
		t.Errorf("seed %d: %d of 20000 products of noise", seed, noise)
	}
}

// TestCancellationOfEitherOperand holds that a sum is found whichever summand
// is first, by the number of bits that it loses.
func TestCancellationOfEitherOperand(t *testing.T) {
	for lost := 1; lost <= 40; lost++ {
		s := math.Ldexp(1, -lost)
		// x and y have 15 digits, and their sum 15 - lost/3.32 of them.
		x := stoch.FromSamples([3]float64{1, 1 + 0x1p-52, 1 - 0x1p-52})
		y := stoch.Of(-(1 - s))
		for _, sign := range []float64{1, -1} {
			u, v := x, y
			if sign < 0 {
				u, v = x.Neg(), y.Neg()
			}
			fast := stoch.New[float64](stoch.Options{Seed: 3})
			accurate := stoch.New[float64](stoch.Options{Seed: 3, Free: true})
			for _, a := range []*stoch.Arithmetic[float64]{fast, accurate} {
				a.Add(u, v)
				a.Add(v, u)
			}
			got, want := fast.Report().Count(stoch.Cancellation),
				accurate.Report().Count(stoch.Cancellation)
			if got != want || got%2 != 0 || lost < 10 && got != 0 || lost > 16 && got != 2 {
				t.Errorf("%d bits lost: %d cancellations, %d on the accurate path", lost, got, want)
			}
		}
	}
}

// TestSpecialSums holds that fast paths leave infinities, NaN and overflow to
// the accurate path, in any sample.
func TestSpecialSums(t *testing.T) {
	inf, big, nan := math.Inf(1), math.MaxFloat64, math.NaN()
	for i := range 3 {
		with := func(v float64) stoch.Float64 {
			s := [3]float64{1, 1, 1}
			s[i] = v
			return stoch.FromSamples(s)
		}
		for seed := range uint64(16) { // as many coins
			a := stoch.New[float64](stoch.Options{Seed: seed})
			if got := a.Add(with(inf), stoch.Of(2.5)).Samples()[i]; got != inf {
				t.Errorf("∞ + 2.5 = %v in sample %d", got, i)
			}
			if got := a.Mul(with(-inf), stoch.Of(2.5)).Samples()[i]; got != -inf {
				t.Errorf("-∞ · 2.5 = %v in sample %d", got, i)
			}
			if got := a.Add(with(nan), stoch.Of(2.5)).Samples()[i]; got == got {
				t.Errorf("NaN + 2.5 = %v in sample %d", got, i)
			}
			if got := a.Add(with(big), with(big)).Samples()[i]; got != inf && got != big {
				t.Errorf("%g + %g = %v in sample %d", big, big, got, i)
			}
		}
	}
}
