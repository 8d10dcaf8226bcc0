package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Log returns ln x rounded in direction m.
func Log(x float64, m fp.Mode) float64 { return f64.Log(x, m) }

// Log2 returns log2 x rounded in direction m.
func Log2(x float64, m fp.Mode) float64 { return f64.Log2(x, m) }

// Log10 returns log10 x rounded in direction m.
func Log10(x float64, m fp.Mode) float64 { return f64.Log10(x, m) }

// Log1p returns ln(1+x) rounded in direction m.
func Log1p(x float64, m fp.Mode) float64 { return f64.Log1p(x, m) }
