package directed

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Pown returns x^n rounded in direction m.
func Pown(x float64, n int, m fp.Mode) float64 { return f64.Pown(x, n, m) }

// Compound returns (1+x)^n rounded in direction m.
func Compound(x float64, n int, m fp.Mode) float64 { return f64.Compound(x, n, m) }

// Rootn returns x^(1/n) rounded in direction m.
func Rootn(x float64, n int, m fp.Mode) float64 { return f64.Rootn(x, n, m) }
