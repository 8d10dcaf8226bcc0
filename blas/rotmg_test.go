package blas

import (
	"math"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
)

// TestRotmgEnds checks that modified Givens transformations of special numbers
// come to an end, with weights that are in their range, 0 or not finite.
func TestRotmgEnds(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 1e300, -1e300, 1e-300, -1e-300, 5e-324,
		math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, d1 := range special {
		for _, d2 := range special {
			for _, x := range special {
				for _, y := range special {
					_, r1, r2, _ := Ordered{}.Drotmg(d1, d2, x, y)
					if y != 0 && (!isScaled(r1) || !isScaled(r2)) && d2 != 0 {
						t.Fatalf("Drotmg(%g, %g, %g, %g): weights %g and %g", d1, d2, x, y, r1, r2)
					}
					f := func(x float64) float32 { return float32(x) }
					OrderedFloat32{}.Srotmg(f(d1), f(d2), f(x), f(y))
				}
			}
		}
	}
	p, _, _, _ := Ordered{}.Drotmg(0, -1, 0, 1e-300) // d2·y² underflows
	if p.Flag != gonum.Rescaling || p.H != [4]float64{} {
		t.Errorf("a negative weight: %v", p)
	}
}

func isScaled(d float64) bool {
	return d == 0 || d-d != 0 || math.Abs(d) >= 0x1p-24 && math.Abs(d) <= 0x1p24
}
