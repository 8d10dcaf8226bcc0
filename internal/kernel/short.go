package kernel

import "math"

// MaxShortDot is the most products of ShortDot.
const MaxShortDot = 8

// ShortDot returns Σ x[i·incX]·y[i·incY] for at most MaxShortDot products, by
// the tree of package ordered, whose lanes have one product or none. Lanes
// without products are −0.
func ShortDot[T float32 | float64](n int, x []T, incX int, y []T, incY int) T {
	var lanes [MaxShortDot]T
	for i, ix, iy := 0, 0, 0; i < n; i, ix, iy = i+1, ix+incX, iy+incY {
		lanes[i] = x[ix] * y[iy]
	}
	zero := T(math.Copysign(0, -1))
	for i := n; i < len(lanes); i++ {
		lanes[i] = zero
	}
	return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
		((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}
