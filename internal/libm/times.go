package libm

import (
	"time"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// Times is how long a function takes a call, in nanoseconds, on typical arguments: the
// shortest of many, with all of them taking turns.
type Times struct {
	Right float64 // crmath's
	Go    float64
	C     float64 // negative where it cannot be told
}

// typical is how many arguments are called in turn.
const typical = 1 << 10

// Measure measures a function for about the given time. A call of C takes some hundred
// nanoseconds from here; those of fabs or copysign, which do next to
// nothing, are taken off.
func (f *Function) Measure(budget time.Duration) Times {
	x, y := f.Arguments()
	var tx, ty []float64
	for i := 0; len(tx) < typical; i += 4 {
		tx = append(tx, x[i])
		if y != nil {
			ty = append(ty, y[i])
		}
	}
	kept := make([]float64, 1) // so that the calls are not left out
	each := func(g func(x, y float64) float64) func() {
		return func() {
			sum := 0.0
			for i, v := range tx {
				if ty != nil {
					sum += g(v, ty[i])
				} else {
					sum += g(v, 0)
				}
			}
			kept[0] = sum
		}
	}
	runs := []func(){each(f.right), each(f.golang)}
	if c, empty := f.inC(); c != nil {
		runs = append(runs, each(c), each(empty))
	}
	t := stopwatch.Minima(budget, runs...)
	times := Times{Right: t[0] / typical, Go: t[1] / typical, C: -1}
	if len(t) == 4 {
		times.C = max(t[2]-t[3], 0) / typical
	}
	return times
}

// inC returns the C library's function, and one that does nothing and is called in the
// same way; nil where there is none.
func (f *Function) inC() (function, empty func(x, y float64) float64) {
	for _, name := range cNames {
		lib, err := dl.Open(name)
		if err != nil {
			continue
		}
		if f.binary {
			var g, nothing func(x, y float64) float64
			if lib.Func(f.Name, &g) == nil && lib.Func("copysign", &nothing) == nil {
				return g, nothing
			}
			continue
		}
		var g, nothing func(float64) float64
		if lib.Func(f.Name, &g) == nil && lib.Func("fabs", &nothing) == nil {
			return one(g), one(nothing)
		}
	}
	return nil, nil
}
