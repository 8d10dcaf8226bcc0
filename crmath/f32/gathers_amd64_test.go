//go:build !purego

package f32

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/internal/cpu"
)

// TestGathers holds that kernels of AVX-512 give the same bits with gathers and
// without.
func TestGathers(t *testing.T) {
	if !cpu.AVX512 {
		t.Skip("this processor lacks AVX-512")
	}
	defer func(before bool) { gathers = before }(gathers)
	choose := func(second bool) { gathers = second }
	const n = 1 << 13
	rng := rand.New(rand.NewPCG(7, 8))
	set := kernelsAVX512()
	for _, f := range functions {
		if kernel := f.kernel(&set); kernel != nil {
			x := f.drawn(rng, n)
			vectortest.Ways(t, f.name, n, choose, func(dst *float32, at int) uint64 {
				return kernel(dst, &x[at], vector.Most)
			})
		}
	}
	for _, f := range binaries {
		var x, y []float32
		for range n {
			x = append(x, math.Float32frombits(rng.Uint32()), rng.Float32()*100)
			y = append(y, math.Float32frombits(rng.Uint32()), rng.Float32()*20-10)
		}
		kernel := f.kernel(&set)
		vectortest.Ways(t, f.name, n, choose, func(dst *float32, at int) uint64 {
			return kernel(dst, &x[at], &y[at], vector.Most)
		})
	}
}
