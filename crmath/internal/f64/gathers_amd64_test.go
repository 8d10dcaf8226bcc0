//go:build !purego

package f64

import (
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
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
	set := kernelsAVX512()
	for _, f := range unaryRows {
		kernel, x := f.kernel(&set), drawn(args.Generator(f.name), n, f.kinds)
		vectortest.Ways(t, f.name, n, choose, func(dst *float64, at int) uint64 {
			return kernel(dst, &x[at], vector.Most)
		})
	}
	for _, f := range pairRows {
		kernel := f.kernel(&set)
		x, y := drawnPairs(args.Generator(f.name), n, f.kinds, f.hardPairs(t))
		vectortest.Ways(t, f.name, n, choose, func(dst *float64, at int) uint64 {
			return kernel(dst, &x[at], &y[at], vector.Most)
		})
	}
}
