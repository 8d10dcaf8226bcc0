package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Asinh returns asinh x rounded in direction m.
func Asinh(x float64, m fp.Mode) float64 { return f64.Asinh(x, m) }

// Acosh returns acosh x rounded in direction m.
func Acosh(x float64, m fp.Mode) float64 { return f64.Acosh(x, m) }

// Atanh returns atanh x rounded in direction m.
func Atanh(x float64, m fp.Mode) float64 { return f64.Atanh(x, m) }
