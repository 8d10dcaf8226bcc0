package proof

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// orderReasons are the reasons whose witness is an input that is added in
// another order.
const orderReasons = verdict.SignsMatter | verdict.HugeHides | verdict.AnotherOrder |
	verdict.ClassesMatter | verdict.ZerosMatter | verdict.SizesMatter

// OrderShows returns f, or nil where f claims that an input is added in another
// order and no order gives the result of its witness: its sum is exact in every
// order, or the result is farther off than roundings add up to. When it makes a
// witness smaller, an order still explains the result.
func OrderShows(c *ask.Channel, f *verdict.Fact) *verdict.Fact {
	if f == nil || f.Reason&orderReasons == 0 || f.Witness == nil || c.Key.Op.Positive() ||
		c.Key.Mean {
		return f
	}
	explains := func(x, y []float64, out float64) bool {
		return !isExactInAnyOrder(c, x, y) && isWithinRoundings(c, x, y, out)
	}
	if !explains(f.Witness.X, f.Witness.Y, f.Witness.Seen[0]) {
		return nil
	}
	if shows := f.Shows; shows != nil {
		f.Shows = func(x, y []float64, out float64) (want float64, shown bool) {
			want, shown = shows(x, y, out)
			return want, shown && explains(x, y, out)
		}
	}
	return f
}

// isWithinRoundings reports whether some order may give a result. Each addition
// and each product is off by at most one ULP of Σ|x|, or Σ|x·y|. A larger error
// may come from flushing, which shows no order. y may be nil.
func isWithinRoundings(c *ask.Channel, x, y []float64, out float64) bool {
	s := ask.Sample{X: x, Y: y}
	exact, total := exactSum(c, &s), absoluteSum(&s)
	if exact-exact != 0 || out-out != 0 || total > c.Key.Out.Max()/2 {
		return true // partial sums may overflow
	}
	off := 0.0 // of one operation
	for _, acc := range ask.Accumulators(c.Key) {
		off = max(off, acc.ULP(total))
	}
	return math.Abs(out-exact) <= float64(2*len(x)+2)*2*off
}

// isExactInAnyOrder reports whether all summands are multiples of a power of
// two, and their sizes add up to a multiple of it that the format of results
// holds with all smaller ones. y may be nil.
func isExactInAnyOrder(c *ask.Channel, x, y []float64) bool {
	if countNonzero(x) < 3 {
		return true // two summands have one order
	}
	unit, total := math.Inf(1), 0.0
	for i, v := range x {
		if y != nil {
			if p := float64(v * y[i]); math.FMA(v, y[i], -p) == 0 {
				v = p
			} else {
				return false // the product is rounded
			}
		}
		if v-v != 0 {
			return false
		}
		if v != 0 {
			unit = min(unit, lastBit(v))
			total += math.Abs(v)
		}
	}
	return total <= math.Ldexp(unit, c.Key.Out.Precision()) && total <= c.Key.Out.Max()
}

// lastBit returns the power of two that v is an odd multiple of.
func lastBit(v float64) float64 {
	m, e := math.Frexp(math.Abs(v))
	//lastbit:ignore floatconv a significand of at most 53 bits
	n := uint64(math.Ldexp(m, 53))
	return math.Ldexp(1, e-53+bits.TrailingZeros64(n))
}
