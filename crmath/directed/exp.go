package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Exp returns e^x rounded in direction m.
func Exp(x float64, m fp.Mode) float64 { return f64.Exp(x, m) }
