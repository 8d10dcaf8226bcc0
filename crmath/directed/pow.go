package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Pow returns x^y rounded in direction m.
func Pow(x, y float64, m fp.Mode) float64 { return f64.Pow(x, y, m) }
