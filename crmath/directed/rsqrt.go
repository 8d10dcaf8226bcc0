package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Rsqrt returns 1/√x rounded in direction m.
func Rsqrt(x float64, m fp.Mode) float64 { return f64.Rsqrt(x, m) }
