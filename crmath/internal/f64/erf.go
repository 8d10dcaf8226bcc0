package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// From erfLarge on, erfc x is below 2^-55: erf x is 1, and erfc -x is 2, less a
// number below a quarter of an ulp. From erfcLarge on, erfc x is below 2^-1080.
const (
	erfLarge  = 6
	erfcLarge = 27.3
)

// Erf is directed.Erf, and crmath.Erf to nearest.
func Erf(x float64, m fp.Mode) float64 {
	if !(math.Abs(x) < erfLarge) || x == 0 {
		return erfRare(x, m)
	}
	return erfAccurate(x, m)
}

// erfRare is Erf where |x| ≥ erfLarge, or x is 0 or NaN.
func erfRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0 || x != x:
		return x
	case math.IsInf(x, 0):
		return math.Copysign(1, x)
	}
	return beside(math.Copysign(1, x), -x, m)
}

// erfAccurate is Erf for 0 < |x| < erfLarge. No result is known to be
// representable or a midpoint, and none is expected to be: the precision grows
// until the result is decided.
func erfAccurate(x float64, m fp.Mode) float64 { return wide.Erf.Rounded(x, 0, m) }

// Erfc is directed.Erfc, and crmath.Erfc to nearest.
func Erfc(x float64, m fp.Mode) float64 {
	if !(-erfLarge < x && x < erfcLarge) || math.Abs(x) < 0x1p-55 {
		return erfcRare(x, m)
	}
	return erfcAccurate(x, m)
}

// erfcRare is Erfc where x ≤ -erfLarge, x ≥ erfcLarge, |x| < 2^-55, or x is
// NaN. In the third case the result differs from 1 by less than 2^-54.
func erfcRare(x float64, m fp.Mode) float64 {
	switch {
	case x != x:
		return x
	case x == 0:
		return 1
	case math.Abs(x) < 1:
		return beside(1, -x, m)
	case math.IsInf(x, 0):
		return 1 - math.Copysign(1, x)
	case x < 0:
		return beside(2, x, m)
	}
	return underflow(1, m)
}

// erfcAccurate is Erfc for the other arguments, whose results are as those of
// erfAccurate.
func erfcAccurate(x float64, m fp.Mode) float64 { return wide.Erfc.Rounded(x, 0, m) }
