package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// The second pass of a variance adds the squares of x[i] − m, m being the mean.
// The differences add up to about 0, so no square is large alone. Two are:
// x[k] = B and x[l] = −B, with x[i] = s and x[j] = −s and zeros elsewhere, have
// the mean 0. B² is an odd number of its last places u, s² is less than u/2,
// and 2s² is more. Then the sum of the four squares is 2B², or exceeds it when
// i and j meet first and their sum meets k or l before these meet: B² + u and
// B² make a tie, which goes away from the odd number.
//
// So the first two of four leaves to meet are found, unless the four meet as
// two pairs. Then x[k] = B, x[l] = 1−B, x[i] = −3/4 and x[j] = −1/4 show the
// pairs. B² + (B−1)² is an odd number of u, and the last place of the sum is
// 2u: where k and l meet, their tie goes down, to S, and what i and j add is
// lost. Otherwise the square of 3/4 is rounded up to u at k or l, and the sum
// is S + 2u.

// Quartets asks questions about quartets: four leaves i, j, k and l, and
// whether i and j meet first, or the four meet as two pairs. It holds the
// numbers that the questions are asked with.
type Quartets struct {
	Steps []ask.Step // that the sum may be scaled by
	Root  bool       // the result is the root of that: a standard deviation
	big   float64
	low   float64   // the output where i and j do not meet first
	high  []float64 // the outputs where they do
	tied  []float64 // the outputs of S
}

// quartetSmall is s: s² is 0.39 in units of the last place of B².
const quartetSmall = 0.625

// maxQuartets bounds the numbers B that are tried.
const maxQuartets = 64

// FindQuartets returns the questions about squares of differences from the
// mean, nil where the function adds none. Its error is a Fact, Hidden, where
// results hide the order.
func FindQuartets(c *ask.Channel) (*Quartets, error) {
	if c.N < 4 || c.Key.DType != c.Key.Out || c.Key.Out.Precision() < fp.Binary32.Precision() {
		return nil, nil
	}
	pair := func(i, j int, v float64) ask.Fill {
		return func(row []float64) { row[i], row[j] = v, -v }
	}
	constant := func(row []float64) {
		for i := range row {
			row[i] = 1.5
		}
	}
	out, err := c.AskMain(nil, pair(0, 1, 1), pair(0, 1, 3), pair(c.N-1, c.N/2, 3), constant)
	if err != nil {
		return nil, err
	}
	q := &Quartets{Root: out[1] < 6*out[0]}
	factor := out[0] / 2
	if q.Root {
		factor = out[0] * factor
	}
	q.Steps = ask.StepsOf(c.Key.Out, factor, q.Root, func(s ask.Step) bool {
		return q.result(c, s, 2) == out[0] && q.result(c, s, 18) == out[1]
	})
	if !(out[0] > 0) || out[1] != out[2] || out[3] != 0 || len(q.Steps) == 0 {
		return nil, nil
	}
	p := c.Key.Out.Precision()
	least, most := math.Sqrt(math.Ldexp(1, p-1)), math.Sqrt(math.Ldexp(1, p))
	for k := range maxQuartets {
		q.big = 2*math.Floor((least+float64((most-least)*(float64(k)+0.5)/maxQuartets))/2) + 1
		if ok, err := q.calibrate(c); err != nil || ok {
			return q, err
		}
	}
	return nil, &verdict.Fact{Reason: verdict.Hidden,
		What: "no result shows one unit in the last place of their sum"}
}

// result returns the output for a sum of squares.
func (q *Quartets) result(c *ask.Channel, s ask.Step, sum float64) float64 {
	v := s.Of(c.Key.Out, sum)
	if q.Root {
		return c.Key.Out.Round(math.Sqrt(v), fp.NearestEven)
	}
	return v
}

// calibrate reports whether the outputs of 2B² and of the next number differ.
func (q *Quartets) calibrate(c *ask.Channel) (bool, error) {
	out, err := c.AskMain(nil, func(row []float64) { row[0], row[c.N-1] = q.big, -q.big })
	if err != nil {
		return false, err
	}
	q.low, q.high, q.tied = out[0], nil, nil
	sum := 2 * float64(q.big*q.big)
	f := c.Key.Out
	q.Steps = slices.DeleteFunc(q.Steps, func(s ask.Step) bool {
		return q.result(c, s, sum) != q.low
	})
	tied := sum - 2*q.big // one less than the sum of two squares
	for _, s := range q.Steps {
		high, t := q.result(c, s, f.NextUp(sum)), q.result(c, s, tied)
		if high == q.low || t == q.result(c, s, f.NextUp(tied)) {
			return false, nil
		}
		q.high, q.tied = append(q.high, high), append(q.tied, t)
	}
	return len(q.Steps) > 0, nil
}

// FillPairs writes the question whether i and j are one pair and k and l the
// other, for leaves that meet as two pairs.
func (q *Quartets) FillPairs(row []float64, i, j, k, l int) {
	row[i], row[j] = -0.75, -0.25
	row[k], row[l] = q.big, 1-q.big
}

// ArePairs reads the answer to FillPairs.
func (q *Quartets) ArePairs(out float64) bool { return slices.Contains(q.tied, out) }

// Fill writes the question whether i and j meet first, and then k or l.
func (q *Quartets) Fill(row []float64, i, j, k, l int) {
	row[i], row[j] = quartetSmall, -quartetSmall
	row[k], row[l] = q.big, -q.big
}

// Answer reads an output; ok is false where the output is not an answer.
func (q *Quartets) Answer(out float64) (yes, ok bool) {
	yes = slices.Contains(q.high, out)
	return yes, yes || out == q.low
}

// CentredArithmetics returns the arithmetics of a variance along t, or of its
// root: of the mean and of the squares, which agree in their additions. c asks
// for squares.
func (q *Quartets) CentredArithmetics(
	c *ask.Channel, t *sumtree.Tree,
) ([]sumtree.Arithmetic, error) {
	var all []sumtree.Arithmetic
	for _, flushes := range []bool{false, true} {
		base := baseArithmetic(c)
		base.DAZ, base.FTZ = flushes, flushes
		if q.Root {
			base.After = &sumtree.Epilogue{Kind: sumtree.Root, Format: c.Key.Out}
		}
		uniform, err := Uniform(c, t, base)
		if err != nil {
			return nil, err
		}
		for _, a := range uniform {
			if a.Nodes != (sumtree.NodeArith{Acc: c.Key.Out}) {
				continue
			}
			for _, s := range q.Steps {
				a.Factor, a.Divisor = s.Factor, s.Divisor
				for _, times := range []bool{false, true} {
					if times && c.N&(c.N-1) == 0 {
						continue // 1/n is exact
					}
					mean := sumtree.Plain(c.Key.DType)
					mean.PlusZero, mean.DAZ, mean.FTZ = true, flushes, flushes
					mean.Mean, mean.Reciprocal = true, times
					a.Centre = &mean
					all = append(all, a)
				}
			}
		}
	}
	return all, nil
}
