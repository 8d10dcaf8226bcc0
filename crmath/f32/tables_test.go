package f32

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/tables"
)

// checkRow fails where a polynomial of rounded coefficients is farther than
// bound from a function, given by its Taylor series, over the function's value.
func checkRow(t *testing.T, what string, at float64, series []*big.Float, poly []float64, low,
	high, bound float64) {
	t.Helper()
	if got := tables.Deviation(series, poly, low, high); !(got <= bound) {
		t.Errorf("%s at %v: the polynomial is off by up to 2^%.1f, where 2^%.1f is reckoned with",
			what, at, math.Log2(got), math.Log2(bound))
	}
}

func (t *quintic) coefficients() []float64 { return []float64{t.c0, t.c1, t.c2, t.c3, t.c4, t.c5} }

func (t *expansion) coefficients() []float64 {
	return []float64{t.c0, t.c1, t.c2, t.c3, t.c4, t.c5, t.c6, t.c7}
}

// TestAtanRows recomputes the errors of the expansions of the arctangent.
// Around 0 the error is relative to h.
func TestAtanRows(t *testing.T) {
	for i := 0; i < len(atanRows); i += 1 + i/16 {
		c, low, high := tables.F32AtanRow(i)
		series, poly := tables.AtanSeriesAt(c, 40), atanRows[i].coefficients()
		if i == 0 {
			if poly[0] != 0 {
				t.Errorf("arctan 0 is %v", poly[0])
			}
			series, poly = series[1:], poly[1:]
		}
		checkRow(t, "arctan", c, series, poly, low, high, 0x1p-46)
	}
}

// TestArcRows recomputes the errors of the expansions of arccos(x)/√(1-x).
func TestArcRows(t *testing.T) {
	const half = tables.F32ArcStep / 2
	for i := 0; i <= 64; i += 4 {
		c := float64(i) * tables.F32ArcStep
		series := tables.AcosSeriesAt(c, 40)
		checkRow(t, "arccos", c, series, acosTable[i].coefficients(), -half, half, 0x1p-52)
	}
}

// TestErfRows recomputes the errors of the expansions of erf x and e^x²·erfc x.
// For erf around 0 the error is relative to h.
func TestErfRows(t *testing.T) {
	const half, halfScaled = tables.F32ErfStep / 2, tables.F32ErfcStep / 2
	for i := 0; i <= 64; i += 1 + i/4 {
		c, poly := float64(i)*tables.F32ErfStep, erfTable[i].coefficients()
		series := tables.ErfSeriesAt(c, 40)
		if i == 0 {
			series, poly = series[1:], poly[1:]
		}
		checkRow(t, "erf", c, series, poly, -half, half, 0x1p-48)
	}
	for i := 0; i <= 81; i += 1 + i/4 {
		c := float64(i) * tables.F32ErfcStep
		checkRow(t, "erfc", c, tables.ErfcSeriesFrom0(c, 50), erfcTable[i].coefficients(),
			-halfScaled, halfScaled, 0x1p-43)
	}
}

// TestGammaRows recomputes the errors of the expansions of gamma functions.
func TestGammaRows(t *testing.T) {
	gamma, quotient, _ := tables.GammaSeries()
	for n := 2.0; n <= 35; n += 3 {
		checkRow(t, "Γ", n, gamma(n, 32), gammaTable[int(n)][:], -0.5, 0.5, 0x1p-43)
	}
	for i := 0; i <= 112; i += 4 {
		c := 1 + float64(i)/16
		checkRow(t, "ln Γ", c, quotient(c, 30), lgammaTable[i].coefficients(), -0x1p-5, 0x1p-5,
			0x1p-45)
	}
}
