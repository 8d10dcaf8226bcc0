package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Log2p1 returns log2(1+x) rounded in direction m.
func Log2p1(x float64, m fp.Mode) float64 { return f64.Log2p1(x, m) }

// Log10p1 returns log10(1+x) rounded in direction m.
func Log10p1(x float64, m fp.Mode) float64 { return f64.Log10p1(x, m) }
