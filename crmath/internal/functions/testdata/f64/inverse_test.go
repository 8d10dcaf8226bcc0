package f64

import (
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
)

var inverseKinds = []args.Kind{args.Between(-10, 10), args.AnyBits}

// TestInverse tries the row of a function that TestAddsAFunction adds.
func TestInverse(t *testing.T) {
	for _, f := range unaryRows {
		if f.name != "inverse" {
			continue
		}
		x := drawn(args.Generator(f.name), 1000, f.kinds)
		dst := make([]float64, len(x))
		f.slice(dst, x)
		vectortest.Same(t, "InverseSlice", dst, x, f.one)
		for _, v := range levels() {
			clear(dst)
			vector.Map(f.name, dst, x, f.one, f.kernel(&v))
			vectortest.Same(t, v.name, dst, x, f.one)
		}
		for _, v := range x {
			r, ok := f.call(v)
			if want := f.one(v); !args.Identical(f.fast(v), want) || ok && r != want {
				t.Errorf("1/%x = %x, %x", v, f.fast(v), r)
			}
		}
		return
	}
	t.Error("there is no row")
}
