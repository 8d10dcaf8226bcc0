package ask

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// The limits of pairTies: the most summands, and draws and levels of each kind.
const (
	maxPairTied  = 1 << 4
	maxPairDraws = 1 << 14
	maxPairTies  = 12
)

// pairTies returns levels for a few squares of float32 that are added in
// float64, where no leaf is left for a rest. Two equal squares and a large one
// add up to 0.7 of a last place more than a tie: a sum whose root, quotient or
// root of the quotient is halfway between two results. One by one, each of the
// two loses its 0.35.
func pairTies(c *Channel, acc fp.Format) []Levels {
	k, d := c.Key, max(1, c.divisor)
	if k.Op != probe.SumSq || acc != fp.Binary64 || k.DType != fp.Binary32 ||
		k.Out != fp.Binary32 || d != math.Floor(d) || c.N > maxPairTied {
		return nil
	}
	var all [2][]Levels
	for draw := range maxPairDraws {
		kind := draw % 2
		if len(all[kind]) == maxPairTies {
			continue
		}
		m := minTieRoot + math.Floor((maxTieRoot-minTieRoot)*c.Rand.Float64())
		tie := m + 1 - math.Mod(m, 4)
		if kind == 1 {
			tie *= tie
		}
		if big, small, ok := pairBeyond(largestOf(tie, d)); ok {
			all[kind] = append(all[kind], Levels{Acc: acc, Big: big, Small: small, Double: small,
				None: noneOf(c), Speck: noneOf(c), atBoundary: true})
		}
	}
	return append(all[0], all[1]...)
}

// pairBeyond returns the factors of a large square and of two equal ones whose
// sum in float64 is sum, where they are added one after the other, and the next
// number, where the equal ones are added first.
func pairBeyond(sum float64) (big, small float64, ok bool) {
	big = fp.Binary32.Round(math.Sqrt(sum), fp.TowardZero)
	if float64(big*big) >= sum {
		big = fp.Binary32.NextDown(big)
	}
	square := float64(big * big)
	rest := float64((sum-square)/2) + float64(0.35*fp.Binary64.ULP(sum))
	small = fp.Binary32.Round(math.Sqrt(rest), fp.NearestEven)
	one := float64(small * small)
	next := math.Nextafter(sum, math.Inf(1))
	return big, small, (square+one)+one == sum && square+float64(2*one) == next
}
