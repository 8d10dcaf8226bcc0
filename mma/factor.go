package mma

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

// Bounds of an Arithmetic. The sum of the terms of a group, below
// (maxTerms+1)·2^(maxBits+2), fits into an int64.
const (
	maxTerms = 64
	maxBits  = 40
)

// noExponent is less than the exponent of any product.
const noExponent = -1 << 16

// factor is a value as significand and exponent: ±sig·2^(exp−frac), where frac
// is the number of fraction bits of its format. A subnormal number has the
// least exponent of the format. The significand of zero, of an infinity and of
// NaN is 0.
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

// split returns the factor of a value of the format.
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
func (p *factor) times(q *factor) factor {
	return factor{sig: p.sig * q.sig, exp: p.exp + q.exp, frac: p.frac + q.frac}
}

// normalised returns the factor with a significand in [1, 2). It is not zero.
func (p factor) normalised() factor {
	by := bits.Len64(uint64(max(p.sig, -p.sig))) - 1 - p.frac
	p.exp, p.frac = p.exp+by, p.frac+by
	return p
}

// aligned returns the significand in units of 2^(exp−frac), rounded in
// direction m where bits are lost.
func (p factor) aligned(exp, frac int, m fp.Mode) int64 {
	if s := frac - p.frac - (exp - p.exp); s < 0 {
		return shiftRight(p.sig, -s, m)
	} else {
		return p.sig << s
	}
}

// shiftRight returns v/2^by for by > 0, rounded toward zero, down, up or to
// nearest even.
func shiftRight(v int64, by int, m fp.Mode) int64 {
	by = min(by, 62)
	floor := v >> by
	rest := v - floor<<by // in [0, 2^by)
	switch half := int64(1) << (by - 1); {
	case rest == 0 || m == fp.Down:
	case m == fp.TowardZero:
		if v < 0 {
			floor++
		}
	case m == fp.Up:
		floor++
	case m == fp.ToOdd:
		floor |= 1
	case rest > half || rest == half && floor&1 != 0:
		floor++
	}
	return floor
}

// rounded returns sig·2^exp rounded in direction Round to Precision bits. From
// 2^128 on it is infinite, and zero is +0.
func (a *Arithmetic) rounded(sig int64, exp int) float64 {
	least := fp.Binary32.MinExp() - (a.Precision - 1)
	magnitude := uint64(max(sig, -sig))
	if drop := max(bits.Len64(magnitude)-a.Precision, least-exp); drop > 0 {
		sig, exp = shiftRight(sig, drop, a.Round), exp+drop
		magnitude = uint64(max(sig, -sig))
	}
	switch {
	case sig == 0:
		return 0
	case bits.Len64(magnitude)+exp > fp.Binary32.MaxExp()+1:
		return math.Inf(int(sig))
	}
	return math.Ldexp(float64(sig), exp)
}
