package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Sin returns sin x, x in radians, rounded in direction m.
func Sin(x float64, m fp.Mode) float64 { return f64.Sin(x, m) }

// Cos returns cos x, x in radians, rounded in direction m.
func Cos(x float64, m fp.Mode) float64 { return f64.Cos(x, m) }

// Sincos returns Sin(x, m) and Cos(x, m), in less time than two calls.
func Sincos(x float64, m fp.Mode) (sin, cos float64) { return f64.Sincos(x, m) }

// Tan returns tan x, x in radians, rounded in direction m.
func Tan(x float64, m fp.Mode) float64 { return f64.Tan(x, m) }
