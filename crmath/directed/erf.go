package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Erf returns the error function of x, rounded in direction m.
func Erf(x float64, m fp.Mode) float64 { return f64.Erf(x, m) }

// Erfc returns the complementary error function of x, rounded in direction m.
func Erfc(x float64, m fp.Mode) float64 { return f64.Erfc(x, m) }
