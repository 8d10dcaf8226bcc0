package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Cbrt returns the cube root of x rounded in direction m. The roots of cubes
// are exact.
func Cbrt(x float64, m fp.Mode) float64 { return f64.Cbrt(x, m) }

// Hypot returns √(x²+y²) rounded in direction m. It is exact where the sum is a
// square.
func Hypot(x, y float64, m fp.Mode) float64 { return f64.Hypot(x, y, m) }
