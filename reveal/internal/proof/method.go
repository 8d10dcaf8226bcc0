package proof

import (
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// KahanMethod is the name of Kahan's summation.
const KahanMethod = "Kahan"

// compensated are compensated sums from the first summand to the last. Each
// keeps the error of every addition, so that masks see no order.
var compensated = []struct {
	name string
	sum  func(acc fp.Format, terms []float64) float64
}{
	{"Neumaier", neumaier},
	{"double-double", doubleDouble},
}

// minMethod is the least number of results, among them minInexact that are not
// correctly rounded, that names a compensated sum.
const (
	minMethod  = 8
	minInexact = 2
)

// Method returns the name of the compensated sum that gives every finite result
// of the samples, or "" where none is known to.
func Method(c *ask.Channel, samples []ask.Sample) string {
	if c.Key.Mean {
		return ""
	}
	for _, acc := range ask.Accumulators(c.Key) {
		for _, m := range compensated {
			tried, inexact, fits := 0, 0, true
			for k := range samples {
				s := &samples[k]
				if s.Out-s.Out != 0 {
					continue
				}
				sum := c.Key.Out.Round(m.sum(acc, terms(c.Key.DType, s)), fp.NearestEven)
				if fits = ask.SameBits(sum, s.Out) || sum == 0 && s.Out == 0; !fits {
					break
				}
				tried++
				if s.Out != exactSum(c, s) {
					inexact++
				}
			}
			if fits && tried >= minMethod && inexact >= minInexact {
				return m.name
			}
		}
	}
	return ""
}

// terms returns the summands of a sample, or its products rounded to a format.
func terms(in fp.Format, s *ask.Sample) []float64 {
	if s.Y == nil {
		return s.X
	}
	products := make([]float64, len(s.X))
	for i, x := range s.X {
		products[i] = in.Mul(x, s.Y[i], fp.NearestEven)
	}
	return products
}

// neumaier adds the errors of all additions at the end (Neumaier, 1974).
//
// References:
//   - [Neumaier1974] Arnold Neumaier. Rundungsfehleranalyse einiger Verfahren
//     zur Summation endlicher Summen. Zeitschrift für Angewandte Mathematik und
//     Mechanik 54(1):39–51, 1974.
func neumaier(acc fp.Format, terms []float64) float64 {
	var sum, errors float64
	for _, v := range terms {
		var lost float64
		sum, lost = twoSum(acc, sum, v)
		errors = acc.Add(errors, lost, fp.NearestEven)
	}
	return acc.Add(sum, errors, fp.NearestEven)
}

// doubleDouble keeps the sum as a pair of numbers, renormalised after each
// addition.
func doubleDouble(acc fp.Format, terms []float64) float64 {
	var high, low float64
	for _, v := range terms {
		s, lost := twoSum(acc, high, v)
		lost = acc.Add(lost, low, fp.NearestEven)
		high = acc.Add(s, lost, fp.NearestEven)
		low = acc.Add(lost, -acc.Add(high, -s, fp.NearestEven), fp.NearestEven)
	}
	return acc.Add(high, low, fp.NearestEven)
}

// twoSum returns a + b rounded, and the error of that (Knuth's algorithm).
func twoSum(acc fp.Format, a, b float64) (sum, lost float64) {
	add := func(a, b float64) float64 { return acc.Add(a, b, fp.NearestEven) }
	sum = add(a, b)
	other := add(sum, -a)
	return sum, add(add(a, -add(sum, -other)), add(b, -other))
}
