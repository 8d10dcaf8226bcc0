package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Asinpi returns arcsin(x)/π rounded in direction m.
func Asinpi(x float64, m fp.Mode) float64 { return f64.Asinpi(x, m) }

// Acospi returns arccos(x)/π rounded in direction m.
func Acospi(x float64, m fp.Mode) float64 { return f64.Acospi(x, m) }

// Atanpi returns arctan(x)/π rounded in direction m.
func Atanpi(x float64, m fp.Mode) float64 { return f64.Atanpi(x, m) }
