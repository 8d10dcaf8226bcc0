package explain

import (
	"math"

	"github.com/lastbit/lastbit/sumtree"
)

// neumaier sums binary64 numbers as Python's sum does from version 3.12 on: it
// adds the error of every addition to a sum of errors, which is added last. The
// order is a chain.
func neumaier(_ *sumtree.Tree, x, _ []float64) float64 {
	s, c := 0.0, 0.0
	for _, v := range x {
		t := s + v
		if math.Abs(s) >= math.Abs(v) {
			c += (s - t) + v
		} else {
			c += (v - t) + s
		}
		s = t
	}
	if c != 0 && c-c == 0 {
		return s + c
	}
	return s
}
