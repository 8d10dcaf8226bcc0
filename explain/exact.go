package explain

import (
	"math"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// truth computes correctly rounded results. It is not safe for concurrent use.
type truth struct {
	p   *Problem
	out fp.Format
	acc exact.Accumulator
}

// correct returns the correctly rounded result of an element.
func (t *truth) correct(e int) float64 {
	t.sum(e)
	if t.p.Op == Mean {
		if t.out == fp.Binary32 {
			return float64(t.acc.Mean32())
		}
		return t.out.Round(t.acc.Mean(), fp.NearestEven)
	}
	return t.rounded()
}

// sum adds the summands of an element.
func (t *truth) sum(e int) {
	t.acc.Reset()
	x, y := t.p.Element(e)
	if y == nil {
		t.acc.AddSlice(x)
	} else {
		t.acc.AddDot(x, y)
	}
}

// rounded returns the sum rounded once to the format of the results. A format
// shorter than binary64 takes it from the binary64 number that the sum is
// rounded to odd to (fp.ToOdd), which loses nothing.
func (t *truth) rounded() float64 {
	v := t.acc.Float64()
	if t.out == fp.Binary64 || v-v != 0 {
		return v
	}
	t.acc.Add(-v)
	left := t.acc.Sign()
	if left != 0 && math.Float64bits(v)&1 == 0 {
		v = math.Nextafter(v, math.Inf(left))
	}
	return t.out.Round(v, fp.NearestEven)
}

// nearer returns a negative number if the first of two results is nearer to the
// true one of an element, which is finite, a positive number if the second is,
// and 0 for neither.
func (t *truth) nearer(e int, got [2]float64) int {
	switch first, second := math.IsInf(got[0], 0), math.IsInf(got[1], 0); {
	case first && second:
		return 0
	case first:
		return 1
	case second:
		return -1
	}
	weight := -0.5 // of a result in the distance from the middle of the two
	if t.p.Op == Mean {
		weight *= float64(t.p.N)
	}
	t.sum(e)
	t.acc.AddDot([]float64{weight, weight}, got[:])
	if got[0] > got[1] {
		return -t.acc.Sign()
	}
	return t.acc.Sign()
}

// magnitude returns the sum of the magnitudes of the summands of an element,
// about.
func (t *truth) magnitude(e int) float64 {
	x, y := t.p.Element(e)
	s := 0.0
	for i, v := range x {
		if y != nil {
			v = float64(v * y[i])
		}
		s += math.Abs(v)
	}
	return s
}
