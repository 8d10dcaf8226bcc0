package reveal_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestWeightedSumsThatDeviate holds that a weighted sum is not verified that
// deviates where ordinary numbers do not show it: where it overflows, at
// infinities, in one addition, or for few inputs.
func TestWeightedSumsThatDeviate(t *testing.T) {
	const n = 12
	inf := float32(math.Inf(1))
	limit := func(v float32) float32 { return min(max(v, -math.MaxFloat32), math.MaxFloat32) }
	add := func(_ int, s, v float32) float32 { return s + v }
	same := func(s float32) float32 { return s }
	weights := map[string]func(i int) float32{
		"halved ends": ends(n, 0.5, 1),
		"halves":      ends(n, 0.5, 0.5),
		"tenths":      func(i int) float32 { return 0.1 * float32(i+1) },
		"negative":    func(i int) float32 { return 3 - 2*float32(i%2) - 0.25*float32(i) },
	}
	for name, c := range map[string]struct {
		add  func(i int, s, v float32) float32
		last func(s float32) float32
	}{
		"the result saturates": {add, limit},
		"one sum saturates": {func(i int, s, v float32) float32 {
			if i == 7 {
				return limit(s + v)
			}
			return s + v
		}, same},
		"infinities are left out": {func(_ int, s, v float32) float32 {
			if v == inf || v == -inf {
				return s
			}
			return s + v
		}, same},
		"infinite sums are zero": {add, func(s float32) float32 {
			if s == inf {
				return 0
			}
			return s
		}},
		"one sum is rounded down": {func(i int, s, v float32) float32 {
			if i == 10 && v > 0 && s > 0 {
				down := float64(s) + float64(v)
				if r := float32(down); float64(r) > down {
					return math.Nextafter32(r, 0)
				}
			}
			return s + v
		}, same},
	} {
		for kind, weight := range weights {
			target := revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
				var s float32
				for i, v := range x {
					s = c.add(i, s, float32(weight(i)*float32(v)))
				}
				return float64(c.last(s))
			})
			if g := revealtest.Find(t, target, 1); g.Verified {
				t.Errorf("%s, %s:", name, kind)
				revealtest.Wrong(t, g)
			}
		}
	}
}
