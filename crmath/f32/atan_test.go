package f32

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/tables"
)

// TestAtanExpansions recomputes the errors of the expansions of the arctangent,
// with their rounded coefficients. The bound counts the errors of c0 and c1
// separately.
func TestAtanExpansions(t *testing.T) {
	check := func(e *expansion, c, a float64) {
		t.Helper()
		poly := []float64{e.c0, e.c1, e.c2, e.c3, e.c4, e.c5, e.c6, e.c7}
		series, rounded := tables.AtanSeriesAt(c, 40), math.Abs(e.c0)+math.Abs(e.c1)*a
		least := math.Atan(math.Abs(c) - a)
		if c == 0 { // relative to h
			series, poly, rounded, least = series[1:], poly[1:], 0, 1
			if e.c0 != 0 || e.c1 != 1 || e.c2 != 0 || e.c4 != 0 || e.c6 != 0 {
				t.Errorf("the row of 0 is %v", e)
			}
		}
		if got, want := tables.Bound(series, poly, a), least*0x1p-57+rounded*0x1p-53; got > want {
			t.Errorf("the polynomial at %v is off by up to %g, where %g is reckoned with", c, got,
				want)
		}
	}
	for i := -64; i <= 64; i += 4 {
		check(&atanNear[i+64], float64(i)/64, tables.F32AtanNear)
	}
	check(&atanNear[65], 1.0/64, tables.F32AtanNear)
	for i := 0; i < len(atanFar[0]); i += 7 {
		scale := math.Ldexp(1, i>>atanFarBits)
		c := scale * (1 + (float64(i%(1<<atanFarBits))+0.5)/(1<<atanFarBits))
		check(&atanFar[0][i], c, scale*tables.F32AtanFar)
		check(&atanFar[1][i], -c, scale*tables.F32AtanFar)
	}
}
