package perturb

import (
	"math"
	"testing"
)

// TestResultsThatLookExact moves results of few bits, and results that equal
// the argument, to the side of the real value, and leaves exact ones alone.
func TestResultsThatLookExact(t *testing.T) {
	up, down := math.Nextafter(1, 2), math.Nextafter(1, 0)
	for _, c := range []struct {
		name  string
		f     func(float64) float64
		x     float64
		other float64 // the neighbour on the side of the real value; NaN for none
	}{
		{"cos", math.Cos, 1e-9, down}, {"cos", math.Cos, 0, math.NaN()},
		{"exp", math.Exp, 1e-20, up}, {"exp", math.Exp, -1e-20, down},
		{"tanh", math.Tanh, 20, down}, {"tanh", math.Tanh, math.Inf(1), math.NaN()},
		{"erf", math.Erf, -6, -down}, {"erfc", math.Erfc, -7, math.Nextafter(2, 0)},
		{"erfc", math.Erfc, 1e-20, down}, {"cosh", math.Cosh, 1e-9, up},
		{"exp2", math.Exp2, 1e-20, up}, {"exp2", math.Exp2, 3, math.NaN()},
		{"sin", math.Sin, 1e-10, math.Nextafter(1e-10, 0)},
		{"tan", math.Tan, -1e-10, math.Nextafter(-1e-10, -1)},
		{"log1p", math.Log1p, -1e-20, math.Nextafter(-1e-20, -1)},
		{"cbrt", math.Cbrt, 27, math.NaN()}, {"log", math.Log, 1, math.NaN()},
		{"hypot", func(x float64) float64 { return Func2(math.Hypot, x, 1e-10, 0) }, 1, up},
		{"hypot", func(x float64) float64 { return Func2(math.Hypot, x, 4, 0) }, 3, math.NaN()},
		{"pow", func(x float64) float64 { return Func2(math.Pow, x, 1e-20, 0) }, 0.5, down},
	} {
		active = false
		want := c.f(c.x)
		f := func(x float64) float64 { return Func1(c.f, x, 0) }
		if c.name == "hypot" || c.name == "pow" {
			f = c.f
		}
		seen := map[float64]bool{}
		for seed := range uint64(64) {
			start(t, seed)
			seen[f(c.x)] = true
		}
		if delete(seen, want); c.other == c.other {
			if !seen[c.other] {
				t.Errorf("%s(%v) is never %v", c.name, c.x, c.other)
			}
			delete(seen, c.other)
		}
		if len(seen) > 0 {
			t.Errorf("%s(%v) is %v and never exact", c.name, c.x, seen)
		}
	}
}
