package ask

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// scaledTies returns levels for squares of float32 that are added in float64
// and divided, where the quotient, or the root of it, is rounded to float32.
// The squares of the large summand and of the rest add up to a sum whose
// quotient is a tie: an odd number of 25 bits, or the square of one. One last
// place more of the sum is another quotient.
func scaledTies(c *Channel, acc fp.Format) []Levels {
	k, d := c.Key, c.divisor
	if k.Op != probe.SumSq || acc != fp.Binary64 || k.DType != fp.Binary32 ||
		k.Out != fp.Binary32 || !(d > 1) || d != math.Floor(d) {
		return nil
	}
	var all []Levels
	for draw := 0; draw < maxTieDraws && len(all) < 2*maxRootTies; draw++ {
		m := minTieRoot + math.Floor((maxTieRoot-minTieRoot)*c.Rand.Float64())
		tie := m + 1 - math.Mod(m, 4)
		if draw%2 == 0 {
			tie *= tie
		}
		sum := largestOf(acc, tie, d)
		squares := shortSquares(sum)
		if len(squares) == 0 || len(squares) > min(c.N-3, maxRest)+1 ||
			math.Ilogb(squares[0]*squares[0]) != math.Ilogb(sum) {
			continue
		}
		unit := acc.ULP(sum)
		if !showsScaledTie(c, squares, unit) {
			continue
		}
		part := (0.31 + float64(0.08*c.Rand.Float64())) * unit
		x := fp.Binary32.Round(math.Sqrt(part), fp.NearestEven)
		all = append(all, Levels{Acc: acc, Big: squares[0], Rest: squares[1:], Small: x,
			Double: x, None: noneOf(c), Speck: noneOf(c), atBoundary: true})
	}
	return all
}

// largestOf returns the largest number of a format whose quotient by d is
// rounded to q in that format.
func largestOf(f fp.Format, q, d float64) float64 {
	quotient := func(v float64) float64 { return f.Round(v/d, fp.NearestEven) }
	sum := f.Round(q*d, fp.NearestEven)
	for quotient(sum) > q {
		sum = f.NextDown(sum)
	}
	for {
		next := f.NextUp(sum)
		if quotient(next) > q {
			return sum
		}
		sum = next
	}
}

// showsScaledTie reports whether squares give one result, also with a third of
// a last place of their sum, and the next one with two of it.
func showsScaledTie(c *Channel, squares []float64, unit float64) bool {
	var out [3]float64
	for k, part := range []float64{0, 0.35, 2} {
		got, err := c.AskMain(nil, func(row []float64) {
			copy(row, squares)
			row[c.N-1] = fp.Binary32.Round(math.Sqrt(part*unit), fp.NearestEven)
		})
		if err != nil {
			return false // the next question has the error, too
		}
		out[k] = got[0]
	}
	return out[0] == out[1] && out[2] > out[1] && isNext(c.Key.Out, out[1], out[2])
}
