package f32

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Functions by way of float64: its result, rounded to odd, is rounded to
// nearest once more, which gives the value rounded once (Boldo2008). A call
// takes as long as that of package crmath, whose special cases hold.

// Pown returns x^n, correctly rounded.
func Pown(x float32, n int) float32 { return float32(f64.Pown(float64(x), n, fp.ToOdd)) }

// Compound returns (1+x)^n, correctly rounded.
func Compound(x float32, n int) float32 { return float32(f64.Compound(float64(x), n, fp.ToOdd)) }

// Rootn returns x^(1/n), correctly rounded.
func Rootn(x float32, n int) float32 { return float32(f64.Rootn(float64(x), n, fp.ToOdd)) }
