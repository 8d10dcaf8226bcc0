package proof

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// Where products of long weights enter their additions unrounded, no two of
// them cancel in general, so there are no masks. Rooted triples by rounding
// need no product that is exact: a large one B on leaf k, near to a number of
// the accumulator, and two small ones of about 0.35 of its last place u. Each
// alone is lost beside B, and both together make B + u.

// Tilted holds a tilted product for every leaf: a large product, near enough to
// a number B of the accumulator that two small summands together round it up,
// and one alone does not. It asks rooted triples by rounding.
type Tilted struct {
	w    *Weighting
	in   fp.Format
	all  []tilted
	last []float64 // of the large products
}

// tilted is the large summand x of a leaf, and the two outputs: low for B, high
// for B + u.
type tilted struct{ x, low, high float64 }

// The limits of the search for large products: their exponent, numbers tried,
// and the distance from a number of the accumulator in last places.
const (
	tiltedExponent = 12
	maxTiltedTries = 400
	maxTilt        = 0.08
)

// FindTilted returns the large products of all leaves, nil where results do not
// show one of them to the last place.
func FindTilted(c *ask.Channel, w *Weighting) *Tilted {
	if w.acc != c.Key.Out {
		return nil
	}
	x := &Tilted{w: w, in: c.Key.DType}
	rng := ask.RandApart(c, "tilted")
	for _, f := range w.Factors {
		q, ok := x.large(f, func() float64 { return 1 + float64(0.999*rng.Float64()) })
		if !ok {
			return nil
		}
		x.all = append(x.all, q)
		x.last = append(x.last, w.acc.ULP(w.acc.Round(q.x*f, fp.NearestEven)))
	}
	return x
}

// large draws a large product of a weight.
func (t *Tilted) large(f float64, draw func() float64) (tilted, bool) {
	acc, out := t.w.acc, t.w.Last
	for range maxTiltedTries {
		x := t.in.Round(math.Ldexp(draw()/f, tiltedExponent), fp.NearestEven)
		b := acc.Round(x*f, fp.NearestEven)
		u := acc.ULP(b)
		if off := math.FMA(x, f, -b) / u; math.Abs(off) > maxTilt {
			continue
		}
		q := tilted{x: x, low: out.apply(acc, b), high: out.apply(acc, b+u)}
		if q.low != q.high && acc.ULP(b+u) == u && b > 0 {
			return q, true
		}
	}
	return tilted{}, false
}

// Fill writes the question whether i and j meet before either meets k.
func (t *Tilted) Fill(row []float64, i, j, k int) {
	row[k] = t.all[k].x
	for _, l := range []int{i, j} {
		row[l] = t.in.Round(0.35*t.last[k]/t.w.Factors[l], fp.NearestEven)
	}
}

// Answer reads the output for a leaf k; ok is false where the output is not an
// answer.
func (t *Tilted) Answer(k int, out float64) (yes, ok bool) {
	return out == t.all[k].high, out == t.all[k].high || out == t.all[k].low
}
