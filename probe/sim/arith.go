package sim

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

// factor is a value as significand and exponent: ±sig·2^(exp−frac), where frac
// is the number of fraction bits of its format. A subnormal number has the
// least exponent of the format.
type factor struct {
	value float64
	sig   int64 // with the sign
	exp   int
	frac  int
}

// decode splits values of the format into factors.
func decode(dst []factor, src []float64, f fp.Format) {
	for i, v := range src {
		dst[i] = split(v, f)
	}
}

// split returns the factor of a value of the format. The significand of zero,
// of an infinity and of NaN is 0.
func split(v float64, f fp.Format) factor {
	const fraction, bias = 52, 1023 // of binary64
	p := factor{value: v, exp: f.MinExp(), frac: f.Precision() - 1}
	b := math.Float64bits(v)
	e := int(b>>fraction&0x7ff) - bias
	if e == -bias || e == bias+1 { // no value of a narrower format is subnormal in binary64
		return p
	}
	p.exp = max(e, p.exp)
	p.sig = int64((b&(1<<fraction-1) | 1<<fraction) >> (fraction - p.frac + p.exp - e))
	if v < 0 {
		p.sig = -p.sig
	}
	return p
}

// times returns the product, exact and not normalised.
func (p factor) times(q factor) factor {
	return factor{sig: p.sig * q.sig, exp: p.exp + q.exp, frac: p.frac + q.frac}
}

// scaled returns the significand in units of 2^(exp−frac), truncated towards
// zero where bits are lost.
func (p factor) scaled(exp, frac int) int64 {
	if s := p.shift(exp, frac); s < 0 {
		magnitude := shiftRight(max(p.sig, -p.sig), -s)
		if p.sig < 0 {
			return -magnitude
		}
		return magnitude
	} else {
		return p.sig << s
	}
}

// floored returns the significand in units of 2^(exp−frac), rounded down where
// bits are lost.
func (p factor) floored(exp, frac int) int64 {
	if s := p.shift(exp, frac); s < 0 {
		return shiftRight(p.sig, -s)
	} else {
		return p.sig << s
	}
}

func (p factor) shift(exp, frac int) int { return frac - p.frac - (exp - p.exp) }

func shiftRight(v int64, by int) int64 { return v >> min(by, 63) }

// sum adds the products to an accumulator, group by group.
func (m model) sum(x, y []factor) float64 {
	c := 0.0
	for from := 0; from < len(x); from += m.group {
		to := min(from+m.group, len(x))
		switch m.kind {
		case fused:
			c = m.fused(x[from:to], y[from:to], c)
		case twoStage:
			c = m.twoStage(x[from:to], y[from:to], c)
		default:
			c = m.pairwise(x[from:to], y[from:to], c)
		}
	}
	return c
}

// notFinite returns the sum of the terms that are not finite, or 0 if all are
// finite.
func notFinite(x, y []factor, c float64) float64 {
	s := c - c // 0 or NaN
	if s != s {
		s = c
	}
	for i := range x {
		if p := float64(x[i].value * y[i].value); p-p != 0 {
			s += p
		}
	}
	return s
}

// align returns the sum of the products and the largest exponent among them and
// least. Each product is truncated to m.bits fraction bits below that exponent.
func (m model) align(x, y []factor, least int) (sum int64, exp int) {
	var terms [16]factor
	exp = least
	for i := range x {
		terms[i] = x[i].times(y[i])
		if terms[i].sig != 0 {
			exp = max(exp, terms[i].exp)
		}
	}
	for _, t := range terms[:len(x)] {
		sum += t.scaled(exp, m.bits)
	}
	return sum, exp
}

func (m model) fused(x, y []factor, c float64) float64 {
	if s := notFinite(x, y, c); s != 0 {
		return s
	}
	acc := split(c, fp.Binary32)
	sum, exp := m.align(x, y, acc.exp)
	return truncate(sum+acc.scaled(exp, m.bits), exp-m.bits)
}

// truncate returns sig·2^exp truncated towards zero to binary32. From 2^128 on
// it returns an infinity, and +0 for zero.
func truncate(sig int64, exp int) float64 {
	const precision, least = 24, -149
	magnitude := max(sig, -sig)
	drop := max(bits.Len64(uint64(magnitude))-precision, least-exp, 0)
	magnitude = shiftRight(magnitude, drop)
	switch {
	case magnitude == 0:
		return 0
	case bits.Len64(uint64(magnitude))+exp+drop > 128:
		return math.Inf(int(sig))
	}
	return math.Copysign(math.Ldexp(float64(magnitude), exp+drop), float64(sig))
}

// noExponent is less than the exponent of any product.
const noExponent = -1 << 16

// twoStage computes a group as CDNA3 does: the sum of products first, then the
// accumulator.
func (m model) twoStage(x, y []factor, c float64) float64 {
	if s := notFinite(x, y, c); s != 0 {
		return s
	}
	if s := overflowing(x, y); s != 0 {
		return s
	}
	const sumBits, accBits = 31, 24
	acc := split(c, fp.Binary32)
	sum, exp := m.align(x, y, noExponent)
	products := factor{sig: sum, exp: exp, frac: m.bits}
	exp = max(exp, acc.exp) // even if the products cancel
	total := products.floored(exp, sumBits) + acc.floored(exp, accBits)<<(sumBits-accBits)
	return fp.Binary32.Round(math.Ldexp(float64(total), exp-sumBits), fp.NearestEven)
}

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

// pairwise computes a group as CDNA1 and CDNA2 do: the group's products
// pairwise, then the accumulator.
func (m model) pairwise(x, y []factor, c float64) float64 {
	const f, rne = fp.Binary32, fp.NearestEven
	var s [4]float64
	for i := range x {
		s[i] = m.flushed(f.FMA(m.flushed(x[i].value), m.flushed(y[i].value), 0, rne))
	}
	for width := m.group; width > 1; width /= 2 {
		for i := range width / 2 {
			s[i] = m.flushed(f.Add(s[2*i], s[2*i+1], rne))
		}
	}
	return m.flushed(f.Add(c, s[0], rne))
}

func (m model) flushed(v float64) float64 {
	if m.flush && math.Abs(v) < 0x1p-126 {
		return math.Copysign(0, v)
	}
	return v
}
