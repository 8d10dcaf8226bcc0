package explain

import (
	"math"

	"github.com/lastbit/lastbit/fp"
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

// runningMean returns Welford's mean, each operation rounded to binary32 or
// binary64: m ← m + (x − m)/k for the k-th number x. The order is a chain. A
// quotient that is rounded to binary64 first has the same binary32.
func runningMean(f fp.Format) func(t *sumtree.Tree, x, y []float64) float64 {
	return func(_ *sumtree.Tree, x, _ []float64) float64 {
		m := 0.0
		for i, v := range x {
			step := f.Round(f.Add(v, -m, fp.NearestEven)/float64(i+1), fp.NearestEven)
			m = f.Add(m, step, fp.NearestEven)
		}
		return m
	}
}
