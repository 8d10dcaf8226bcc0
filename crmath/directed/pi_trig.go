package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Sinpi returns sin πx rounded in direction m. It is exact where 2x is an
// integer.
func Sinpi(x float64, m fp.Mode) float64 { return f64.Sinpi(x, m) }

// Cospi returns cos πx rounded in direction m. It is exact where 2x is an
// integer.
func Cospi(x float64, m fp.Mode) float64 { return f64.Cospi(x, m) }

// Tanpi returns tan πx rounded in direction m. It is exact where 4x is an
// integer.
func Tanpi(x float64, m fp.Mode) float64 { return f64.Tanpi(x, m) }
