//go:build !static

package crmath

import (
	"math"
	"math/big"
	"testing"
)

// deviationPrecision is enough for what does not underflow: 1 - 2^-2148 has so many bits.
const deviationPrecision = 2400

// bigValue returns MPFR's function of that name.
func bigValue(t *testing.T, f *realFunction) func(x []float64, precision uint) *big.Float {
	t.Helper()
	if f.two != nil {
		g := binaryMPFR(t, f.name)
		return func(x []float64, precision uint) *big.Float { return g.Value(x[0], x[1], precision) }
	}
	g := unaryMPFR(t, f.name)
	return func(x []float64, precision uint) *big.Float { return g.Value(x[0], precision) }
}

// bigDeviation returns the deviation of got from a finite value, which is truncated.
func bigDeviation(got float64, value *big.Float) float64 {
	d := new(big.Float).SetPrec(2 * deviationPrecision)
	if math.IsInf(got, 0) {
		d.SetMantExp(big.NewFloat(math.Copysign(1, got)), 1024)
	} else {
		d.SetFloat64(got)
	}
	d.Sub(d, value)
	if d.Sign() == 0 {
		return 0
	}
	ulp := -1074
	if value.Sign() != 0 {
		ulp = min(max(value.MantExp(nil)-53, -1074), 971)
	}
	r, _ := d.SetMantExp(d, -ulp).Float64()
	return r
}

// TestDeviationAgainstMPFR computes deviations once more, of right results, their neighbours and others.
func TestDeviationAgainstMPFR(t *testing.T) {
	kinds := deviationKinds()
	for i := range allFunctions {
		f := &allFunctions[i]
		t.Run(f.name, func(t *testing.T) {
			value := bigValue(t, f)
			rng := generator("deviation of " + f.name + " in MPFR")
			n := max(1, sampleSize(t)/4000)
			hard := hardArguments(t, f.name)
			compared := 0
			for i := range n + len(hard) {
				x, precision := []float64(nil), uint(400)
				if i < n {
					x = deviationArguments(f, rng, kinds, i)
				} else {
					x = hard[i-n]
				}
				r := f.evaluate(x)
				if extreme(f.name, x) {
					precision = deviationPrecision
				}
				y := value(x, precision)
				if r != r || y == nil || y.IsInf() {
					continue // TestDeviation
				}
				got := r
				switch rng.IntN(8) {
				case 0:
					got = math.Nextafter(r, math.Inf(1))
				case 1:
					got = math.Nextafter(r, math.Inf(-1))
				case 2:
					got = float64(r * (1 + float64((rng.Float64()-0.5)*0x1p-40)))
				case 3:
					got = r + float64(rng.IntN(2000)-1000)*0x1p-1074
				case 4:
					if i%4 == 0 {
						got = anyBits(rng)
					}
				}
				if got != got || got == r && math.IsInf(r, 0) {
					continue // as above; 0
				}
				compared++
				d, want := deviations(t, f.name, got, x...), bigDeviation(got, y)
				// The promise is a relative error, but for underflow.
				if !(d == want || math.Abs(d-want) < math.Abs(want)*0x1p-45 || max(math.Abs(d), math.Abs(want)) < 0x1p-1000) {
					t.Errorf("%s%x, got %x: deviation %v, want %v", f.name, x, got, d, want)
				}
			}
			if compared < n/4+len(hard)/2 {
				t.Errorf("only %d were compared", compared)
			}
		})
	}
}

// extreme reports whether the value may differ from a number by less than 2^-300 of it.
func extreme(name string, x []float64) bool {
	for _, v := range x {
		switch a := math.Abs(v); {
		case a < 0x1p-60:
			return true
		case a > 100:
			return name == "tanh" || name == "expm1" || len(x) == 2
		}
	}
	return false
}
