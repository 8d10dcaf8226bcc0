package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Gamma returns Γ(x) rounded in direction m.
func Gamma(x float64, m fp.Mode) float64 { return f64.Gamma(x, m) }

// Lgamma returns ln |Γ(x)| rounded in direction m, and the sign (-1 or +1) of
// Γ(x).
func Lgamma(x float64, m fp.Mode) (lgamma float64, sign int) { return f64.Lgamma(x, m) }
