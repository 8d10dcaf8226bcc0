package kernel

import (
	"unsafe"

	"github.com/lastbit/lastbit/internal/eft"
)

// compensatedLanes is the number of sums of [Level.CompensatedDot].
const compensatedLanes = chainLanesBytes / 8

// CompensatedDot returns the sum of the products of x and y by Algorithm 5.3 of
// Ogita2005, Dot2, in 8 lanes: it is s, and all errors of products and sums,
// which are exact, are added to c. y is as long as x or longer.
func (l Level) CompensatedDot(x, y []float64) (s, c float64) {
	body := l.bodies().chainCompensatedFloat64
	y = y[:len(x)]
	whole := len(x) - len(x)%compensatedLanes
	if whole > 0 {
		var sums [2 * compensatedLanes]float64
		body(whole, &x[0], &y[0], hidden(&sums[0]))
		for lane, sum := range sums[:compensatedLanes] {
			var d float64
			s, d = eft.TwoSum(s, sum)
			c += d + sums[compensatedLanes+lane]
		}
	}
	for i := whole; i < len(x); i++ {
		s, c = addCompensated(s, c, x[i], y[i])
	}
	return s, c
}

// addCompensated adds x·y to a sum and its correction.
func addCompensated(s, c, x, y float64) (_, _ float64) {
	p, e := eft.TwoProd(x, y)
	s, d := eft.TwoSum(s, p)
	return s, c + (d + e)
}

// chainCompensatedFloat64Generic is the portable body of CompensatedDot.
func chainCompensatedFloat64Generic(n int, px, py, ps *float64) {
	x, y, sums := unsafe.Slice(px, n), unsafe.Slice(py, n), unsafe.Slice(ps, 2*compensatedLanes)
	clear(sums)
	for i, v := range x {
		s, c := &sums[i%compensatedLanes], &sums[compensatedLanes+i%compensatedLanes]
		*s, *c = addCompensated(*s, *c, v, y[i])
	}
}
