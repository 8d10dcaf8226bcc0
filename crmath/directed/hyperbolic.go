package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Sinh returns sinh x rounded in direction m.
func Sinh(x float64, m fp.Mode) float64 { return f64.Sinh(x, m) }

// Cosh returns cosh x rounded in direction m.
func Cosh(x float64, m fp.Mode) float64 { return f64.Cosh(x, m) }

// Tanh returns tanh x rounded in direction m.
func Tanh(x float64, m fp.Mode) float64 { return f64.Tanh(x, m) }
