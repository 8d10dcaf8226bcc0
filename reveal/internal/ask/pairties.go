package ask

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// The limits of pairTies: the most summands, the largest divisor, and draws and
// levels of each kind.
const (
	maxPairTied  = 1 << 4
	maxPairedBy  = 1 << 20
	maxPairDraws = 1 << 15
	maxPairTies  = 12
)

// pairTies returns levels for a few squares, where no leaf is left for a rest.
// Their accumulator has at least twice the precision of the summands, so that
// the squares are exact. Two equal squares and a large one add up to 0.7 of a
// last place more than a tie: a sum whose root, quotient or root of the
// quotient is halfway between two results. One by one, each of the two loses
// its 0.35.
func pairTies(c *Channel, acc fp.Format) []Levels {
	k, d := c.Key, max(1, c.divisor)
	p := k.DType.Precision()
	if k.Op != probe.SumSq || acc.Precision() < 2*p || k.Out != k.DType ||
		d != math.Floor(d) || d > maxPairedBy || c.N > maxPairTied {
		return nil
	}
	least, most := math.Ldexp(math.Sqrt2, p), math.Ldexp(1, p+1)
	var all [2][]Levels
	for draw := range maxPairDraws {
		kind := draw % 2
		if len(all[kind]) == maxPairTies {
			continue
		}
		m := math.Floor((least + float64((most-least)*c.Rand.Float64())) / 4)
		tie := 1 + float64(4*m)
		if kind == 1 {
			tie *= tie
		}
		x := pairTie{in: k.DType, acc: acc, sum: largestOf(acc, tie, d)}
		if x.draw(1 - c.Rand.Float64()/4) {
			all[kind] = append(all[kind], Levels{Acc: acc, Big: x.big, Small: x.small,
				Double: x.small, None: noneOf(c), Speck: noneOf(c), atBoundary: true})
		}
	}
	return append(all[0], all[1]...)
}

// pairTie is the factors of a large square and of two equal ones whose sum is
// sum, where they are added one after the other, and the next number, where the
// equal ones are added first.
type pairTie struct {
	in, acc         fp.Format
	sum, big, small float64
}

// draw looks for the factors. The large one is about part of the root of the
// sum, or next to the root in formats with many numbers there.
func (x *pairTie) draw(part float64) bool {
	if x.in.Precision() > fp.Binary16.Precision() {
		part = 1
	}
	x.big = x.in.Round(part*math.Sqrt(x.sum), fp.TowardZero)
	if float64(x.big*x.big) >= x.sum {
		x.big = x.in.NextDown(x.big)
	}
	large := float64(x.big * x.big)
	rest := float64((x.sum-large)/2) + float64(0.35*x.acc.ULP(x.sum))
	x.small = x.in.Round(math.Sqrt(rest), fp.NearestEven)
	one := float64(x.small * x.small)
	add := func(a, b float64) float64 { return x.acc.Add(a, b, fp.NearestEven) }
	return add(add(large, one), one) == x.sum && add(large, 2*one) == x.acc.NextUp(x.sum)
}
