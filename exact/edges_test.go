package exact

import (
	"math"
	"testing"
)

// TestFullBins adds more NaN, infinities and −0 than a bin holds.
func TestFullBins(t *testing.T) {
	for name, v := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1),
		"−Inf": math.Inf(-1), "−0": math.Copysign(0, -1)} {
		for _, m := range []int{maxBin - 1, maxBin, maxBin + 1, 4096, 8000} {
			x := make([]float64, minBins)
			for i := range x {
				x[i] = math.Ldexp(1, i%1800-900) // too wide for folds
				if i >= 4096 && i < 4096+m {
					x[i] = v
				}
			}
			var one, all Accumulator
			for _, v := range x {
				one.Add(v)
			}
			all.AddSlice(x)
			if one.carried() != all.carried() {
				t.Errorf("%d of %s: Add counts %+v, AddSlice %+v", m, name, one.counts(),
					all.counts())
			}
			if got, want := Sum(x), one.Float64(); !same(got, want) {
				t.Errorf("%d of %s: Sum = %v, want %v", m, name, got, want)
			}
		}
	}
}

// TestEndOfBinade has values that are in the range of the first fold, but whose
// sum with its constant rounds to the next binade.
func TestEndOfBinade(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		x := make([]float64, 2*4096)
		for i := range x {
			x[i] = 1
			if i >= 4096 {
				x[i] = math.Ldexp(1-0x1p-53, margin-1)
			}
		}
		if got, want := Sum(x), sumOf(x); !same(got, want) {
			t.Errorf("Sum = %v, want %v", got, want)
		}
		y := make([]float64, 9)
		for i, sign := range []float64{1, 1, 1, -1, 1, -1, 1, -1, 1} {
			y[i] = sign * 0x1.fffffffffffffp+1021
		}
		if got, want := Sum(y), sumOf(y); !same(got, want) {
			t.Errorf("Sum = %v, want %v", got, want)
		}
		for e := -10; e <= 10; e++ {
			for _, v := range []float64{1 - 0x1p-53, 1, 1 + 0x1p-52, 1 - 0x1p-20, 1 - 0x1p-21} {
				for i := range x {
					x[i] = math.Ldexp(v, e)
					if i < 4096 {
						x[i] = 1
					}
				}
				if got, want := Sum(x), sumOf(x); !same(got, want) {
					t.Fatalf("2^%d·%v: Sum = %v, want %v", e, v, got, want)
				}
				if got, want := Sum(x[:4096+77]), sumOf(x[:4096+77]); !same(got, want) {
					t.Fatalf("2^%d·%v, tail: Sum = %v, want %v", e, v, got, want)
				}
			}
		}
	})
}

// TestWidened compares with the conversion, in the mode that Go has.
func TestWidened(t *testing.T) {
	for _, b := range []uint32{0, 1, 2, 1<<23 - 1, 1 << 23, 1<<23 + 1, 0x7f7fffff, 0x7f800000} {
		for _, sign := range []uint32{0, 1 << 31} {
			x := math.Float32frombits(b | sign)
			if math.Float64bits(widened(x)) != math.Float64bits(float64(x)) {
				t.Errorf("widened(%x) = %x", x, widened(x))
			}
		}
	}
}
