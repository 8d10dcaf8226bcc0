package f32

import (
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
)

// TestInverse tries the row of a function that TestAddsAFunction adds.
func TestInverse(t *testing.T) {
	for _, f := range functions {
		if f.name != "inverse" {
			continue
		}
		x := f.drawn(rand.New(rand.NewPCG(1, 2)), 1000)
		dst := make([]float32, len(x))
		f.slice(dst, x)
		vectortest.Same(t, "InverseSlice", dst, x, func(x float32) float32 { return 1 / x })
		for _, v := range levels() {
			clear(dst)
			vector.Map(f.name, dst, x, f.plain, f.kernel(&v))
			vectortest.Same(t, v.name, dst, x, f.f)
		}
		return
	}
	t.Error("there is no row")
}
