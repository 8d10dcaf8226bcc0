package f32

import (
	"math"
	"testing"
)

// TestIntegerPowers computes powers and roots that are exact.
func TestIntegerPowers(t *testing.T) {
	for _, c := range [][2]float32{
		{Pown(3, 4), 81}, {Compound(1, 10), 1024}, {Rootn(-27, 3), -3},
		{Pown(1e30, 2), float32(math.Inf(1))}, {Pown(1e-30, 2), 0},
	} {
		if c[0] != c[1] {
			t.Errorf("%v, want %v", c[0], c[1])
		}
	}
}
