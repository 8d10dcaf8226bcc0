// Package ranks holds what one of several ranks computes of a sum that they
// share: its part of the summands, and its partial sum.
package ranks

import "github.com/lastbit/lastbit/fp"

// Cut returns the summands [from, to) of a rank. The parts are contiguous, in
// the order of the ranks, and the first n mod ranks have one summand more. A
// part is empty where there are more ranks than summands.
func Cut(n, ranks, rank int) (from, to int) {
	size, more := n/ranks, n%ranks
	from = rank*size + min(rank, more)
	to = from + size
	if rank < more {
		to++
	}
	return from, to
}

// Partial returns the sum of x, or of the products x[i]·y[i] where y is not
// nil, in the order of a loop with one accumulator of the format acc. Sums
// begin with the first summand, and are +0 without one. Products are added by
// fused multiply-adds, to an accumulator that begins with +0; they are binary64
// values unless acc is binary64.
func Partial(acc fp.Format, x, y []float64) float64 {
	s := 0.0
	if y != nil {
		for i, v := range x {
			s = acc.FMA(v, y[i], s, fp.NearestEven)
		}
		return s
	}
	for i, v := range x {
		if i == 0 {
			s = v
			continue
		}
		s = acc.Add(s, v, fp.NearestEven)
	}
	return s
}
