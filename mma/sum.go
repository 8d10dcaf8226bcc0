package mma

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

// group adds the products of one group to c. scales holds the products of the
// scales of the group's blocks; it is nil for a unit without scales.
func (a *Arithmetic) group(x, y []factor, c float64, scales []factor) float64 {
	switch a.Structure {
	case Pairwise:
		return a.pairwise(x, y, c)
	case PairChain:
		return a.pairChain(x, y, c)
	case TwoChains:
		return a.twoChains(x, y, c)
	case FusedPairs:
		return a.fusedPairs(x, y, c)
	}
	if s := a.notFinite(x, y, c, scales); s != 0 {
		return s
	}
	switch a.Structure {
	case FusedThenAdded:
		sum, exp := a.align(x, y, noExponent, 0)
		return a.added(a.rounded(sum, exp-a.Bits), c)
	case TwoStage, Interleaved:
		if s := overflowing(x, y); s != 0 {
			return s
		}
		if a.Structure == Interleaved {
			return a.interleaved(x, y, c)
		}
		sum, exp := a.align(x, y, noExponent, 0)
		return a.staged(factor{sig: sum, exp: exp, frac: a.Bits}, c)
	case GroupScaled:
		return a.groupScaled(x, y, c, scales)
	}
	acc := split(c, fp.Binary32)
	if acc.sig == 0 {
		acc.exp = a.Zero
	}
	extra := 0
	if a.Structure == Scaled {
		extra = scales[0].exp
	}
	sum, exp := a.align(x, y, acc.exp, extra)
	return a.rounded(sum+acc.aligned(exp, a.Bits, a.Align), exp-a.Bits)
}

// notFinite returns the sum of the terms that are not finite, or 0 if all are
// finite.
func (a *Arithmetic) notFinite(x, y []factor, c float64, scales []factor) float64 {
	s := c - c // 0 or NaN
	if s != s {
		s = c
	}
	for i := range x {
		if p := float64(x[i].value * y[i].value); p-p != 0 {
			s += p
		}
	}
	for _, scale := range scales {
		s += scale.value - scale.value // 0 or NaN
	}
	return s
}

// align returns the sum of the products and the largest exponent among them and
// least. Each product is rounded to Bits fraction bits below that exponent.
// extra is added to the exponents of the products.
func (a *Arithmetic) align(x, y []factor, least, extra int) (sum int64, exp int) {
	exp = least
	if len(x) < a.Terms {
		exp = max(exp, a.Zero)
	}
	y = y[:len(x)]
	for i := range x {
		switch p, q := &x[i], &y[i]; {
		case p.sig == 0 || q.sig == 0:
			exp = max(exp, a.Zero)
		case a.Normalise:
			exp = max(exp, p.times(q).normalised().exp+extra)
		default:
			exp = max(exp, p.exp+q.exp+extra)
		}
	}
	for i := range x {
		if p, q := &x[i], &y[i]; p.sig != 0 && q.sig != 0 {
			sum += p.times(q).aligned(exp-extra, a.Bits, a.Align)
		}
	}
	return sum, exp
}

// staged adds c to the sum of the products as CDNA3 does.
func (a *Arithmetic) staged(products factor, c float64) float64 {
	acc := split(c, fp.Binary32)
	exp := max(products.exp, acc.exp) // even if the products cancel
	total := products.aligned(exp, a.SumBits, fp.Down)
	if a.Structure != Interleaved || acc.exp >= exp-a.Bits-1 {
		total += acc.aligned(exp, a.AccBits, fp.Down) << (a.SumBits - a.AccBits)
	}
	exp -= a.SumBits
	if a.LateBits > 0 {
		top := max(bits.Len64(uint64(max(total, -total)))-1+exp, fp.Binary32.MinExp())
		if drop := top - a.LateBits - exp; drop > 0 {
			total, exp = shiftRight(total, drop, fp.Down), exp+drop
		}
	}
	return fp.Binary32.Round(math.Ldexp(float64(total), exp), a.Round)
}

// interleaved sums even and odd products, and then all.
func (a *Arithmetic) interleaved(x, y []factor, c float64) float64 {
	var parts [2]factor
	for part := range parts {
		var px, py [maxTerms]factor
		n := 0
		for i := part; i < len(x); i += 2 {
			px[n], py[n] = x[i], y[i]
			n++
		}
		parts[part].sig, parts[part].exp = a.align(px[:n], py[:n], noExponent, 0)
		parts[part].frac = a.Bits
	}
	exp := max(parts[0].exp, parts[1].exp)
	sum := parts[0].aligned(exp, a.Bits, fp.Down) + parts[1].aligned(exp, a.Bits, fp.Down)
	return a.staged(factor{sig: sum, exp: exp, frac: a.Bits}, c)
}

// groupScaled sums exact products of ScaleGroup elements, times their scales.
func (a *Arithmetic) groupScaled(x, y []factor, c float64, scales []factor) float64 {
	acc := split(c, fp.Binary32)
	if acc.sig == 0 {
		acc.exp = a.Zero
	}
	var terms [maxTerms]factor
	exp, n := acc.exp, 0
	if len(x) < a.Terms {
		exp = max(exp, a.Zero)
	}
	for from := 0; from < len(x); from += a.ScaleGroup {
		p, zero := factor{}, true
		for i := from; i < min(from+a.ScaleGroup, len(x)); i++ {
			t := x[i].times(&y[i])
			// Products of E2M1 are multiples of 2^-2.
			p.sig += t.aligned(0, exactFraction, fp.TowardZero)
			zero = zero && t.sig == 0
		}
		s := scales[from/a.Block]
		t := factor{sig: p.sig * s.sig, exp: s.exp, frac: exactFraction + s.frac}
		if zero || s.sig == 0 {
			t.exp = a.Zero
		}
		exp = max(exp, t.exp)
		terms[n] = t
		n++
	}
	sum := acc.aligned(exp, a.Bits, a.Align)
	for _, t := range terms[:n] {
		if t.sig != 0 {
			sum += t.aligned(exp, a.Bits, a.Align)
		}
	}
	return a.rounded(sum, exp-a.Bits)
}

// exactFraction is the number of fraction bits of an exact sum of products of
// E2M1: each factor is a multiple of 1/2.
const exactFraction = 2

// overflowing returns the infinity of products of 2^128 and more, NaN if there
// are both infinities, and 0 if there are no infinities.
func overflowing(x, y []factor) float64 {
	s := 0.0
	for i := range x {
		if p := float64(x[i].value * y[i].value); math.Abs(p) >= 0x1p128 {
			s += math.Inf(int(math.Copysign(1, p)))
		}
	}
	return s
}
