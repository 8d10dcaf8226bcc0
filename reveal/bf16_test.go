package reveal_test

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestShortDotOfTwo reveals a dot product of two bfloat16 pairs in float32.
func TestShortDotOfTwo(t *testing.T) {
	key := probe.Key{Target: "dot", Op: probe.Dot, DType: fp.BFloat16, Out: fp.BFloat16, N: 2,
		Threads: 1}
	target := &counting{Target: revealtest.DotOf(key, func(x, y []float64) float64 {
		p, q := float64(float32(x[0]*y[0])), float64(float32(x[1]*y[1]))
		return fp.BFloat16.Round(float64(float32(p)+float32(q)), fp.NearestEven)
	})}
	f := revealtest.Find(t, target, 1)
	if !f.Verified || target.calls > 3000 {
		t.Errorf("%d calls", target.calls)
		revealtest.Wrong(t, f)
	}
}
