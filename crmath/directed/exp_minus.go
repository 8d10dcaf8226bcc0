package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Exp2m1 returns 2^x - 1 rounded in direction m.
func Exp2m1(x float64, m fp.Mode) float64 { return f64.Exp2m1(x, m) }

// Exp10m1 returns 10^x - 1 rounded in direction m.
func Exp10m1(x float64, m fp.Mode) float64 { return f64.Exp10m1(x, m) }
