package ask

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// A result of few bits hides one unit in the last place of the sum, unless it
// is next to a rounding boundary. There, leaves outside of a triple hold
// summands that are whole numbers of such units. They disturb no triple: beside
// the large summand their sums are exact, and among themselves nearly so. Tiny
// summands may then be 0.35 units more than a whole number too.
//
// The large summand, the summands of the rest and the tiny ones are drawn at
// random until the function of the sum, as far as it is known, crosses a
// boundary from one answer to the other. An implementation may round that
// function, and its exponentials, in any way, so many such levels are asked.
const (
	maxBoundaryDraws  = 1 << 20
	maxBoundaryLevels = 96
	boundaryPools     = 24  // large summands of squares
	boundaryInputs    = 768 // inputs that are drawn for each
	maxRest           = 4

	maxOff = 0.03 // a whole number of units, nearly
	offSum = 0.05 // the same for a sum of several
)

// boundaryPool is inputs that go with one large summand.
type boundaryPool struct {
	big, unit   float64 // the large summand, and its last place
	input       float64 // of the large summand
	whole, part []boundaryInput
	specks      []boundaryInput
}

// boundaryInput is an input whose summand is whole units and some off them.
type boundaryInput struct{ x, summand, whole, off float64 }

// boundaryLevels returns levels for an accumulator whose last place results do
// not show, in random order. They are not calibrated.
func boundaryLevels(c *Channel, acc fp.Format) []Levels {
	in, out := c.Key.DType, c.Key.Out
	var pools []boundaryPool
	switch {
	case c.Key.Op == probe.Softmax:
		pools = append(pools, softmaxPool(c, acc))
	default:
		for k := range boundaryPools {
			most := in.MaxExp() - 2
			if c.Key.Op == probe.SumSq && k%2 == 1 {
				most = min(most, out.MaxExp()/2-1) // the sum itself may be rounded to a result
			}
			pools = append(pools, squaresPool(c, acc, most))
		}
	}
	all := slices.Concat(rootTies(c, acc), scaledTies(c, acc), pairTies(c, acc))
	for range maxBoundaryDraws {
		p := &pools[c.Rand.IntN(len(pools))]
		if l, ok := p.draw(c, acc); ok {
			if all = append(all, l); len(all) == maxBoundaryLevels {
				break
			}
		}
	}
	return all
}

// softmaxPool returns inputs beside exp(0) = 1. Summands are not so large that
// an error of their exponential matters, nor so small that the result could be
// subnormal.
func softmaxPool(c *Channel, acc fp.Format) boundaryPool {
	p := boundaryPool{big: 1, unit: acc.ULP(1)}
	//lastbit:ignore libm inputs near a boundary: the last bit is not needed
	least := math.Log(max(c.Key.Out.MinNormal(), fp.Binary32.MinNormal())) + 1
	//lastbit:ignore libm inputs near a boundary: the last bit is not needed
	top, bottom := -3.5, max(math.Log(p.unit)-1.5, least)
	for range 4 * boundaryInputs {
		p.add(c, top+float64(c.Rand.Float64()*(bottom-top)))
	}
	//lastbit:ignore libm inputs near a boundary: the last bit is not needed
	high := math.Log(math.Ldexp(p.unit/float64(c.N), -10))
	for range boundaryInputs {
		if least < high {
			p.addSpeck(c, high+float64(c.Rand.Float64()*(least-high)))
		}
	}
	return p
}

// squaresPool returns inputs beside a large one, so large that what a norm adds
// to the sum does not show. For sums in binary64 whole inputs are integers,
// whose sums can be exact ties between two results.
func squaresPool(c *Channel, acc fp.Format, most int) boundaryPool {
	in, integers := c.Key.DType, acc == fp.Binary64
	m := math.Ldexp(1+c.Rand.Float64(), min(24, (in.MaxExp()+acc.MaxExp())/3, most))
	if integers {
		m = math.Ldexp(1+c.Rand.Float64(), c.Key.Out.Precision()/2)
		m = 2 * math.Floor(m/2) // of so few bits that squares rounded to float32 are exact
	}
	m = in.Round(m, fp.NearestEven)
	p := boundaryPool{input: m, big: float64(m * m), unit: acc.ULP(float64(m * m))}
	for range boundaryInputs {
		//lastbit:ignore libm inputs near a boundary: the last bit is not needed
		x := math.Exp2(-2.6 - float64(8*c.Rand.Float64()))
		if integers {
			x = math.Ceil(m*x) / m
		}
		p.add(c, m*x)
		p.add(c, math.Sqrt((0.31+float64(0.08*c.Rand.Float64()))*p.unit))
	}
	p.addSpeck(c, math.Sqrt(math.Ldexp(p.unit/float64(c.N), -12)))
	return p
}

// summandOf returns the summand of an input.
func summandOf(c *Channel, x float64) float64 {
	switch {
	case c.Key.Op == probe.Softmax:
		return math.Exp(x) //lastbit:ignore libm inputs near a boundary: the last bit is not needed
	case c.Key.Op.Squares():
		return float64(x * x)
	}
	return x
}

// add adds an input near x where its summand is of use.
func (p *boundaryPool) add(c *Channel, x float64) {
	x = c.Key.DType.Round(x, fp.NearestEven)
	v := boundaryInput{x: x, summand: summandOf(c, x)}
	if v.summand > p.big/32 {
		return
	}
	v.whole = math.Round(v.summand / p.unit)
	v.off = v.summand/p.unit - v.whole
	switch {
	case math.Abs(v.off) < maxOff && v.whole > 0:
		p.whole = append(p.whole, v)
	case v.off > 0.31 && v.off < 0.39:
		p.part = append(p.part, v)
	}
}

// addSpeck adds an input near x, so small that no sum shows it.
func (p *boundaryPool) addSpeck(c *Channel, x float64) {
	x = c.Key.DType.Round(x, fp.NearestEven)
	p.specks = append(p.specks, boundaryInput{x: x, summand: summandOf(c, x)})
}

// draw returns levels where the answers are likely to be on both sides of a
// boundary.
func (p *boundaryPool) draw(c *Channel, acc fp.Format) (Levels, bool) {
	room := c.N - 3
	if len(p.part) == 0 {
		return Levels{}, false
	}
	small := p.part[c.Rand.IntN(len(p.part))]
	l := Levels{Acc: acc, Big: p.input, Small: small.x, Double: small.x, atBoundary: true}
	least, low, off := small.summand, p.big+float64(2*small.whole*p.unit), 0.0
	l.None = noneOf(c)
	l.Speck = l.None
	if len(p.specks) > 0 && (c.Key.Op != probe.Softmax || room > 0 && c.Rand.IntN(4) > 0) {
		s := p.specks[c.Rand.IntN(len(p.specks))]
		l.Speck, least = s.x, s.summand
		if c.Key.Op == probe.Softmax { // observed, so always present
			l.Rest = append(l.Rest, s.x)
			room--
		}
	}
	for range c.Rand.IntN(min(room, maxRest) + 1) {
		if len(p.whole) == 0 {
			break
		}
		v := p.whole[c.Rand.IntN(len(p.whole))]
		l.Rest = append(l.Rest, v.x)
		low += float64(v.whole * p.unit)
		off += v.off
		least = min(least, v.summand)
	}
	if math.Abs(off) > offSum {
		return l, false
	}
	return l, p.crosses(c, low, least)
}

// noneOf returns the input whose summand is zero.
func noneOf(c *Channel) float64 {
	if c.Key.Op == probe.Softmax {
		return math.Inf(-1)
	}
	return 0
}

// crosses reports whether the results of the sums low and low + unit are about
// to be rounded to two numbers.
func (p *boundaryPool) crosses(c *Channel, low, least float64) bool {
	out := c.Key.Out
	differ := func(from, to float64, result func(s float64) float64) bool {
		return out.Round(result(from), fp.NearestEven) != out.Round(result(to), fp.NearestEven)
	}
	high := low + p.unit
	three := float64(3 * p.unit)
	switch c.Key.Op {
	case probe.Softmax:
		return differ(low-three, high+three, func(s float64) float64 { return least / s })
	case probe.RMSNorm:
		return differ(low-2*three, high+2*three,
			func(s float64) float64 { return p.input / math.Sqrt(s/float64(c.N)) })
	}
	return differ(low-three, high+three, math.Sqrt) || differ(low, high,
		func(s float64) float64 { return math.Sqrt(out.Round(s, fp.NearestEven)) })
}

// calibrateBoundary asks the three questions of one triple with each of the
// levels, and returns the first whose answers are one yes and two noes, in
// neighbouring results.
func calibrateBoundary(c *Channel, all []Levels) (*Levels, error) {
	var fills []Fill
	for k := range all {
		q := c.Rand.Perm(c.N)[:3]
		for turn := range 3 {
			t := Triple{q[turn], q[(turn+1)%3], q[(turn+2)%3]}
			fills = append(fills, all[k].fill(t, all[k].background(c, t, false)))
		}
	}
	c.ExpectQuestions("levels", len(fills))
	out, err := c.Ask(nil, fills...)
	if err != nil {
		return nil, err
	}
	for k := range all {
		answers := slices.Clone(out[3*k : 3*k+3])
		slices.Sort(answers)
		l := &all[k]
		if l.Low, l.High = answers[1], answers[0]; c.Key.Op == probe.SumSq {
			l.High = answers[2]
		}
		count := 0
		for _, o := range answers {
			if SameBits(o, l.Low) {
				count++
			}
		}
		if count == 2 && isNext(c.Key.Out, l.Low, l.High) {
			return l, nil
		}
	}
	return nil, nil
}

// hasBoundaryLevels reports whether draws can find levels at an accumulator: it
// takes about 2^(acc−out) of them, except where sums of squares are rounded to
// the format of results before their root, and whole numbers give ties.
func hasBoundaryLevels(c *Channel, acc fp.Format) bool {
	out := c.Key.Out.Precision()
	return acc == fp.Binary32 && out < acc.Precision() ||
		acc == fp.Binary64 && out == fp.Binary32.Precision() && c.Key.Op == probe.SumSq
}

// isNext reports whether two numbers are neighbours in a format.
func isNext(f fp.Format, a, b float64) bool { return f.NextUp(min(a, b)) == max(a, b) && a != b }
