package ask

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// A root M of 25 bits is a tie between two float32. Its square is the sum of
// squares of float32: of (M − 1)² and q² for M = (q² + 1)/2, and of up to five
// squares of 12 bits, which float32 holds exactly.
const (
	minTieRoot  = 0x1.6a0ap24 // above √2·2^24
	maxTieRoot  = 0x1p25 - 1
	tieUnit     = 0x1p-3 // the last place of M² in float64
	maxRootTies = 24     // of each kind
	maxTieDraws = 1 << 12
	squareBits  = 12
)

// rootTies returns levels for squares of float32 that are added in float64,
// where the root of the sum is rounded to float32 once. The squares of the
// large summand and of the rest add up to M², and even is the lower one of the
// two results. The root of M² + 2^-3 is another float64 than M.
func rootTies(c *Channel, acc fp.Format) []Levels {
	k := c.Key
	if k.Op != probe.SumSq || acc != fp.Binary64 || k.DType != fp.Binary32 ||
		k.Out != fp.Binary32 {
		return nil
	}
	var all []Levels
	shows := map[int]bool{} // by the number of squares
	add := func(squares []float64) {
		if len(squares) == 0 || len(squares) > min(c.N-3, maxRest)+1 {
			return
		}
		is, asked := shows[len(squares)]
		if !asked {
			is = showsTie(c, squares)
			shows[len(squares)] = is
		}
		if !is {
			return
		}
		part := (0.31 + float64(0.08*c.Rand.Float64())) * tieUnit
		x := fp.Binary32.Round(math.Sqrt(part), fp.NearestEven)
		all = append(all, Levels{Acc: acc, Big: squares[0], Rest: squares[1:], Small: x,
			Double: x, None: noneOf(c), Speck: noneOf(c), atBoundary: true})
	}
	for range maxRootTies {
		least := math.Ceil(math.Sqrt(2*minTieRoot - 1))
		q := least + math.Floor((math.Sqrt(2*maxTieRoot-1)-least)*c.Rand.Float64())
		if math.Mod(q, 2) == 0 {
			q++
		}
		add([]float64{(float64(q*q) - 1) / 2, q})
	}
	for k := 0; k < maxTieDraws && len(all) < 2*maxRootTies; k++ {
		m := minTieRoot + math.Floor((maxTieRoot-minTieRoot)*c.Rand.Float64())
		m += 1 - math.Mod(m, 4)
		add(shortSquares(float64(m * m)))
	}
	return all
}

// shortSquares returns numbers of up to 12 bits whose squares add up to a sum,
// the largest first. There are none for most sums.
func shortSquares(sum float64) []float64 {
	var all []float64
	for left := sum; left > 0; {
		if len(all) > maxRest {
			return nil
		}
		root := math.Floor(math.Sqrt(left))
		_, e := math.Frexp(root)
		step := math.Ldexp(1, max(0, e-squareBits))
		root = step * math.Floor(root/step)
		all, left = append(all, root), left-float64(root*root)
	}
	return all
}

// showsTie reports whether squares that add up to M² give the lower neighbour
// of M, also with a third of tieUnit, and the upper one with two of it. Other
// accumulators, and other roundings, do not.
func showsTie(c *Channel, squares []float64) bool {
	var sum float64
	for _, v := range squares {
		sum += float64(v * v)
	}
	var out [3]float64
	for k, part := range []float64{0, 0.35, 2} {
		got, err := c.AskMain(nil, func(row []float64) {
			copy(row, squares)
			row[c.N-1] = fp.Binary32.Round(math.Sqrt(part*tieUnit), fp.NearestEven)
		})
		if err != nil {
			return false // the next question has the error, too
		}
		out[k] = got[0]
	}
	m := math.Sqrt(sum)
	return out == [3]float64{m - 1, m - 1, m + 1}
}
