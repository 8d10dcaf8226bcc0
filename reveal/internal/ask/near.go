package ask

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// IsShort reports whether results are so much shorter than the sums that
// ordinary inputs seldom show how these are rounded.
func IsShort(c *Channel) bool {
	return c.Key.Out.Precision() < fp.Binary32.Precision() && c.Key.Op.Positive() && c.N > 2
}

// nearTries is the number of inputs that NearBoundary chooses from.
const nearTries = 1 << 12

// NearBoundary returns an input of squares whose norm is very close to a
// boundary between two results, such that the rounding of each addition may
// decide which of them it gives. Two summands of an ordinary input are drawn
// again and again.
func NearBoundary(c *Channel) Sample {
	x := c.Inputs.Sample(ReplayKinds()[c.Rand.IntN(8)], nil, nil).X
	top, total := 0, 0.0
	for i, v := range x {
		total += float64(v * v)
		if math.Abs(v) > math.Abs(x[top]) {
			top = i
		}
	}
	in := c.Key.DType
	scale := math.Sqrt(total / float64(c.N))
	if scale == 0 || math.IsInf(total, 0) {
		scale = 1
	}
	for i := range x { // moderate sizes, where no epsilon counts
		x[i] = in.Round(x[i]/scale*64, fp.NearestEven)
	}
	q := c.Rand.Perm(c.N)
	i, j := q[0], q[1]
	if i == top {
		i = q[2]
	} else if j == top {
		j = q[2]
	}
	total = 0
	for k, v := range x {
		if k != i && k != j {
			total += float64(v * v)
		}
	}
	best, least := [2]float64{}, math.Inf(1)
	for range nearTries {
		a := in.Round(x[top]*c.Rand.Float64(), fp.NearestEven)
		b := in.Round(x[top]*c.Rand.Float64(), fp.NearestEven)
		r := math.Sqrt(total + float64(a*a) + float64(b*b))
		if c.Key.Op == probe.RMSNorm {
			r = math.Abs(x[top]) * math.Sqrt(float64(c.N)) / r
		}
		if d := FromBoundary(c.Key.Out, r); d < least {
			least, best = d, [2]float64{a, b}
		}
	}
	x[i], x[j] = best[0], best[1]
	return Sample{Kind: Halfway, X: x}
}

// FromBoundary returns the distance of a result from the nearest tie between
// two numbers of a format, in ULPs.
func FromBoundary(f fp.Format, r float64) float64 {
	places := r / f.ULP(r)
	return math.Abs(places - math.Floor(places) - 0.5)
}
