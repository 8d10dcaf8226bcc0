package signs

import (
	"math"
	"testing"
)

// infinity is a variable, so that no compiler computes with it.
var infinity = math.Inf(1)

// TestGoldenNumbers compares the functions with package math, and takes NaN of
// either sign for positive numbers.
func TestGoldenNumbers(t *testing.T) {
	nan := math.Float64frombits(0xfff8_0000_0000_0001)
	made := infinity - infinity
	numbers := []float64{0, math.Copysign(0, -1), 0x1p-1074, -0x1p-1074, 1.5, -1.5, infinity,
		-infinity}
	for _, x := range numbers {
		if Signbit(x) != math.Signbit(x) {
			t.Errorf("Signbit(%v) = %v", x, Signbit(x))
		}
		for _, f := range numbers {
			got, want := Copysign(f, x), math.Copysign(f, x)
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("Copysign(%v, %v) = %v", f, x, got)
			}
		}
		for _, n := range []float64{nan, -nan, made, -made} {
			if got := Copysign(x, n); math.Float64bits(got) != math.Float64bits(math.Abs(x)) {
				t.Errorf("Copysign(%v, %#x) = %v", x, math.Float64bits(n), got)
			}
			if got := Copysign(n, x); !math.IsNaN(got) {
				t.Errorf("Copysign(%#x, %v) = %v", math.Float64bits(n), x, got)
			}
		}
	}
	for _, n := range []float64{nan, -nan, made, -made} {
		if Signbit(n) {
			t.Errorf("Signbit(%#x) is true", math.Float64bits(n))
		}
	}
}
