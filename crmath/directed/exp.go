package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Exp returns e^x rounded in direction m.
func Exp(x float64, m fp.Mode) float64 { return f64.Exp(x, m) }

// Exp2 returns 2^x rounded in direction m.
func Exp2(x float64, m fp.Mode) float64 { return f64.Exp2(x, m) }

// Exp10 returns 10^x rounded in direction m.
func Exp10(x float64, m fp.Mode) float64 { return f64.Exp10(x, m) }

// Expm1 returns e^x - 1 rounded in direction m.
func Expm1(x float64, m fp.Mode) float64 { return f64.Expm1(x, m) }
