package arithmetic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// pairsOfBfloat returns a dot product of bfloat16 numbers as the matrix
// products of oneDNN compute it: four float32 lanes take two products each, the
// last first, and flush after each. The last block is padded by pad. Additions
// of lanes keep subnormals, and the conversion to the result flushes. zero
// makes the zero of a lane's sum that is flushed.
func pairsOfBfloat(n int, pad []float64, zero func(lane int, s float64) float64) probe.Target {
	key := probe.Key{Target: "pairs", Op: probe.Dot, DType: fp.BFloat16, Out: fp.BFloat16,
		N: n, Threads: 1}
	return revealtest.DotOf(key, func(x, y []float64) float64 {
		products := make([]float64, n, n+len(pad))
		for i := range products {
			products[i] = float64(flushed(x[i]) * flushed(y[i]))
		}
		products = append(products, pad...)
		var lane [4]float64
		for i := range products {
			k := i / 2 % 4
			s := fp.Binary32.Add(lane[k], products[min(i^1, len(products)-1)], fp.NearestEven)
			if lane[k] = flushed(s); lane[k] == 0 {
				lane[k] = zero(k, s)
			}
		}
		a := fp.Binary32.Add(lane[0], lane[2], fp.NearestEven)
		b := fp.Binary32.Add(lane[1], lane[3], fp.NearestEven)
		return fp.BFloat16.Round(flushed(fp.Binary32.Add(a, b, fp.NearestEven)), fp.NearestEven)
	})
}

// tinyProducts fills x and y with products that are zeros of both signs, tiny
// ones, or flushed in a float32. y may be nil.
func tinyProducts(rng *rand.Rand, x, y []float64) {
	zeros := rng.Float64()
	for i := range y {
		if y[i] = 1; rng.IntN(2) == 0 {
			y[i] = 0.5
		}
	}
	for i := range x {
		x[i] = []float64{1, 1.25, 1.5, 2}[rng.IntN(4)] * 0x1p-126
		if rng.Float64() < zeros {
			x[i] = 0
		}
		if rng.IntN(4) > 0 {
			x[i] = -x[i]
		}
	}
}

// missesZeros returns the number of tiny inputs whose replay does not give the
// bits of the target.
func missesZeros(t *testing.T, target probe.Target, f *reveal.Finding) (missed int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	b := probe.NewBatch(target)
	for range 2000 {
		tinyProducts(rng, b.X, b.Y)
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		y := b.Y
		if !target.Key().Op.Products() {
			y = nil
		}
		got, err := f.Tree.Replay(*f.Arithmetic, b.X, y)
		if err != nil {
			t.Fatal(err)
		}
		if !revealtest.EqualBits(got, b.Out[0]) {
			missed++
		}
	}
	return missed
}

// TestZerosOfLanes reveals dot products whose lanes flush before additions that
// keep subnormals, and replays sums that leave a zero: its sign depends on the
// lanes that are padded.
func TestZerosOfLanes(t *testing.T) {
	signed := func(_ int, s float64) float64 { return math.Copysign(0, s) }
	for name, pad := range map[string][]float64{
		"one lane padded": {0}, "two lanes padded": {0, 0, 0}, "no lane padded": nil,
		"padded by -0": {math.Copysign(0, -1)},
	} {
		for seed := range revealtest.Everyday(3) {
			target := pairsOfBfloat(40-len(pad), pad, signed)
			f := revealtest.Find(t, target, seed)
			if !f.Verified || f.Verdict != reveal.TreeVerdict {
				t.Errorf("%s, seed %d:", name, seed)
				revealtest.Wrong(t, f)
			} else if missed := missesZeros(t, target, f); missed > 0 {
				t.Errorf("%s, seed %d: %d of 2000 inputs missed", name, seed, missed)
			}
		}
	}
}

// TestLanesWhoseZerosChange holds that a lane whose zeros depend on values is
// not verified.
func TestLanesWhoseZerosChange(t *testing.T) {
	for name, zero := range map[string]func(lane int, s float64) float64{
		"of a size": func(_ int, s float64) float64 {
			if math.Abs(s) > 0x1p-128 {
				return 0
			}
			return math.Copysign(0, s)
		},
		"of one sign": func(_ int, s float64) float64 { return math.Copysign(0, -1) },
		"of one lane": func(lane int, s float64) float64 {
			if lane == 2 && math.Abs(s) > 0x1p-128 {
				return 0
			}
			return math.Copysign(0, s)
		},
	} {
		for seed := range revealtest.Everyday(6) {
			target := pairsOfBfloat(39, []float64{0}, zero)
			if f := revealtest.Find(t, target, seed); f.Verified {
				t.Errorf("%s, seed %d:", name, seed)
				revealtest.Wrong(t, f)
			}
		}
	}
}

// lanesThatStart returns a sum of float32 numbers in four lanes that flush.
// Some begin with +0, and the others with a summand. input is applied to
// summands.
func lanesThatStart(
	n int, starts func(lane int) bool, input func(v float64) float64,
) probe.Target {
	return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
		var lane [4]float64
		for i := range x {
			if k := i % 4; i == k && !starts(k) {
				lane[k] = input(x[i])
			} else {
				lane[k] = flushed(fp.Binary32.Add(lane[k], input(x[i]), fp.NearestEven))
			}
		}
		s := lane[0]
		for _, v := range lane[1:] {
			s = flushed(fp.Binary32.Add(s, v, fp.NearestEven))
		}
		return s
	})
}

// TestLanesThatStart reveals sums of lanes that begin with +0, all or some, and
// replays zeros: a lane of −0 is +0 then, beside one that is flushed to −0.
func TestLanesThatStart(t *testing.T) {
	for _, n := range []int{7, 17, 30} {
		for started := range 5 {
			target := lanesThatStart(n, func(lane int) bool { return lane < started }, flushed)
			f := revealtest.Find(t, target, uint64(n))
			if !f.Verified || f.Verdict != reveal.TreeVerdict {
				t.Errorf("n = %d, %d lanes begin with +0:", n, started)
				revealtest.Wrong(t, f)
			} else if missed := missesZeros(t, target, f); missed > 0 {
				t.Errorf("n = %d, %d lanes begin with +0: %d of 2000 inputs missed", n, started,
					missed)
			}
		}
	}
}

// TestLanesThatFlushSums reveals sums of lanes that flush their sums, the first
// sum of +0 and a summand among them, but no summand as such. Where only some
// lanes begin with +0, a finding that is verified has to replay.
func TestLanesThatFlushSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, starts := range map[string]func(lane int) bool{
		"all": func(int) bool { return true }, "none": func(int) bool { return false },
		"odd ones":  func(lane int) bool { return lane%2 == 1 },
		"the first": func(lane int) bool { return lane == 0 },
		"others":    func(lane int) bool { return lane > 0 },
	} {
		for _, n := range []int{4, 9, 100} {
			target := lanesThatStart(n, starts, func(v float64) float64 { return v })
			f := revealtest.Find(t, target, 0)
			if !f.Verified || f.Verdict != reveal.TreeVerdict {
				if name == "all" || name == "none" {
					t.Errorf("n = %d, %s begin with +0:", n, name)
					revealtest.Wrong(t, f)
				}
				continue
			}
			b := probe.NewBatch(target)
			for range 500 {
				zeros := rng.Float64()
				for i := range b.X {
					b.X[i] = fp.Binary32.Round(rng.NormFloat64()*0x1p-125, fp.NearestEven)
					if rng.Float64() < zeros {
						b.X[i] = math.Copysign(0, -1)
					}
				}
				if err := target.Call(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				got, err := f.Tree.Replay(*f.Arithmetic, b.X, nil)
				if err != nil || !revealtest.EqualBits(got, b.Out[0]) {
					t.Fatalf("n = %d, %s begin with +0: %v, not %v (%v): %+v", n, name, got,
						b.Out[0], err, *f.Arithmetic)
				}
			}
		}
	}
}
