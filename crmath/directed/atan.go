package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Atan returns arctan x rounded in direction m. Atan(±Inf) is ±π/2, rounded.
func Atan(x float64, m fp.Mode) float64 { return f64.Atan(x, m) }

// Atan2 returns the angle of the point (x, y), in [-π, π], rounded in direction
// m. Only angles of ±0 are exact: Atan2(+0, -1, fp.Up) is above π.
func Atan2(y, x float64, m fp.Mode) float64 { return f64.Atan2(y, x, m) }

// Asin returns arcsin x rounded in direction m. Asin(±1) is ±π/2, rounded.
func Asin(x float64, m fp.Mode) float64 { return f64.Asin(x, m) }

// Acos returns arccos x rounded in direction m. Acos(-1) is π, rounded.
func Acos(x float64, m fp.Mode) float64 { return f64.Acos(x, m) }
