package mma

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

const single = fp.Binary32

// pairwise computes a group as CDNA1, CDNA2 and Arm's BFDOT do: the group's
// products pairwise, then the accumulator.
func (a *Arithmetic) pairwise(x, y []factor, c float64) float64 {
	var few [4]float64
	s := few[:]
	if a.Terms > len(s) {
		s = make([]float64, a.Terms)
	}
	for i := range x {
		p := float64(a.input(&x[i]) * a.input(&y[i]))
		switch abs := math.Abs(p); {
		case abs == 0 && a.Flush:
			// It keeps its sign; in CDNA1's sum it is +0.
		case float64(float32(p)) != p, abs < 0x1p-126, abs > math.MaxFloat32:
			p = a.added(p, 0)
		}
		s[i] = p
	}
	for width := a.Terms; width > 1; width = (width + 1) / 2 {
		for i := range width / 2 {
			s[i] = a.added(s[2*i], s[2*i+1])
		}
		if width%2 != 0 {
			s[width/2] = s[width-1]
		}
	}
	return a.added(a.flushed(c), s[0])
}

// added returns p + q rounded to binary32 in direction Round, and flushed. In
// mode ToOdd a sum of 2^128 or more is infinite.
func (a *Arithmetic) added(p, q float64) float64 {
	r := single.Add(p, q, a.Round)
	if a.Round == fp.ToOdd && math.Abs(r) == math.MaxFloat32 {
		if exact := fp.Binary64.Add(p, q, fp.TowardZero); math.Abs(exact) >= 0x1p128 {
			return math.Inf(int(math.Copysign(1, r)))
		}
	}
	return a.flushed(r)
}

// input returns the value of a factor, and ±0 for a number that is subnormal in
// its format where the unit flushes.
func (a *Arithmetic) input(p *factor) float64 {
	if a.Flush && p.sig != 0 && max(p.sig, -p.sig) < 1<<p.frac {
		return math.Copysign(0, p.value)
	}
	return p.value
}

// flushed returns ±0 for a subnormal number where the unit flushes.
func (a *Arithmetic) flushed(v float64) float64 {
	if a.Flush && math.Abs(v) < 0x1p-126 {
		return math.Copysign(0, v)
	}
	return v
}

// chained returns x·y + c as a fused multiply-add of x86 with DAZ and FTZ does:
// a result is flushed if it is below the normal numbers when it is rounded to
// 24 bits whatever its exponent.
func (a *Arithmetic) chained(x, y, c float64) float64 {
	p, c := float64(a.flushed(x)*a.flushed(y)), a.flushed(c)
	r := single.Add(p, c, a.Round)
	if a.Flush && math.Abs(r) <= 0x1p-126 {
		const least = 0x1p-126 - 0x1p-151 // rounds to 2^-126
		if exact := fp.Binary64.Add(p, c, fp.ToOdd); math.Abs(exact) < least {
			return math.Copysign(0, r)
		}
	}
	return r
}

// pairChain adds the later product of each pair first.
func (a *Arithmetic) pairChain(x, y []factor, c float64) float64 {
	for i := 0; i < len(x); i += 2 {
		if i+1 < len(x) {
			c = a.chained(a.input(&x[i+1]), a.input(&y[i+1]), c)
		} else {
			c = a.chained(0, 0, c)
		}
		c = a.chained(a.input(&x[i]), a.input(&y[i]), c)
	}
	return c
}

// twoChains adds even and odd products apart.
func (a *Arithmetic) twoChains(x, y []factor, c float64) float64 {
	var s [2]float64
	for i := range x {
		s[i%2] = a.chained(a.input(&x[i]), a.input(&y[i]), s[i%2])
	}
	return a.chained(1, c, a.chained(1, s[0], s[1]))
}

// fusedPairs rounds the exact sum of each two products.
func (a *Arithmetic) fusedPairs(x, y []factor, c float64) float64 {
	for i := 0; i < len(x); i += 2 {
		p, q := float64(a.input(&x[i])*a.input(&y[i])), 0.0
		if i+1 < len(x) {
			q = float64(a.input(&x[i+1]) * a.input(&y[i+1]))
		}
		c = a.added(c, a.added(p, q))
	}
	return c
}
