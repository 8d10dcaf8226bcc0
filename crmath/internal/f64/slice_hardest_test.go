package f64

import (
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/hardest"
)

// TestHardestSlices compares every kernel with its function on the hardest
// arguments, of both signs.
func TestHardestSlices(t *testing.T) {
	for _, v := range levels() {
		for _, f := range unaryRows {
			x, _ := hardest.Arguments(f.name)
			if len(x) == 0 {
				t.Errorf("%s has no list", f.name)
			}
			for _, v := range x {
				x = append(x, -v)
			}
			dst := make([]float64, len(x))
			vector.Map(f.name, dst, x, f.one, f.kernel(&v))
			vectortest.Same(t, v.name+" "+f.name, dst, x, f.one)
		}
		for _, f := range pairRows {
			x, y := hardest.Arguments(f.name)
			if len(x) == 0 {
				t.Errorf("%s has no list", f.name)
			}
			dst := make([]float64, len(x))
			for range 2 { // also with the arguments exchanged
				vector.Map2(f.name, dst, x, y, f.one, f.kernel(&v))
				vectortest.Same2(t, v.name+" "+f.name, dst, x, y, f.one)
				x, y = y, x
			}
		}
	}
	for _, f := range integerRows {
		x, y := hardest.Arguments(f.name)
		if len(x) == 0 {
			t.Errorf("%s has no list", f.name)
		}
		dst := make([]float64, len(x))
		for i := range x {
			n := int(y[i])
			f.slice(dst, x, n)
			vectortest.Same(t, f.name, dst, x,
				func(x float64) float64 { return f.one(x, n, fp.NearestEven) })
		}
	}
}
