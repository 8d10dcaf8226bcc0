package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// store puts the mode back, adds up the chains and their lanes, subtracts the
// bits of the constants, and writes the Folds. n holds minus the number of
// empty lanes.
func (k *kernel) store(n reg.GPVirtual) {
	k.restore()
	count, m := Load(Param("n"), GP64()).(reg.GPVirtual), Load(Param("m"), GP64())
	out := Load(Param("f"), GP64())
	SUBQ(n, count)
	c := k.chains[0]
	for _, d := range k.chains[1:] {
		for f := range c.sums {
			VPADDQ(d.sums[f], c.sums[f], c.sums[f])
		}
		k.higher(d.rng, c.rng, c.rng)
		if !k.Abs {
			k.lower(d.lowest, c.lowest, c.lowest)
		}
	}
	for f, s := range c.sums {
		total, bits := k.across(s, k.sum), GP64()
		MOVQ(Mem{Base: m, Disp: 8 * f}, bits)
		IMULQ(count, bits)
		SUBQ(bits, total)
		if k.IsExactDot() && f == 1 {
			SUBQ(bits, total) // the errors went through it too
		}
		MOVQ(total, Mem{Base: out, Disp: gen.FoldsT + 8*f})
	}
	MOVQ(k.rangeOf(c, m), Mem{Base: out, Disp: gen.FoldsRange})
	MOVQ(k.flags, Mem{Base: out, Disp: gen.FoldsInexact})
	MOVQ(k.lowestOf(c), Mem{Base: out, Disp: gen.FoldsLowest})
}

// lowestOf returns Folds.Lowest.
func (k *kernel) lowestOf(c chain) reg.GPVirtual {
	if k.Abs {
		zero := GP64()
		XORQ(zero, zero)
		return zero
	}
	r := k.across(c.lowest, k.lower)
	if k.Wide {
		return r
	}
	high := GP64()
	MOVQ(r, high)
	SHRQ(U8(32), high)
	CMPL(r.As32(), high.As32())
	CMOVLLT(r.As32(), high.As32())
	SHLQ(U8(32), high)
	return high
}

// rangeOf returns Folds.Range.
func (k *kernel) rangeOf(c chain, m reg.Register) reg.GPVirtual {
	r := k.across(c.rng, k.higher)
	if k.Wide {
		return r
	}
	// Compare the larger half with twice the upper half of 2^(e−1), the first
	// value out of range: its exponent is one less than the exponent of M =
	// 1.5·2^e.
	high, limit, out := GP64(), GP32(), GP64()
	MOVQ(r, high)
	SHRQ(U8(32), high)
	CMPL(r.As32(), high.As32())
	CMOVLHI(r.As32(), high.As32())
	MOVL(Mem{Base: m, Disp: 4}, limit)
	SUBL(U32(1<<20|1<<19+1), limit)
	ADDL(limit, limit)
	XORQ(out, out)
	CMPL(high.As32(), limit)
	SETCC(out.As8())
	SHLQ(U8(63), out)
	return out
}

// sum adds integers.
func (k *kernel) sum(a Op, b, c reg.VecVirtual) { VPADDQ(a, b, c) }

// higher combines two values of chain.rng.
func (k *kernel) higher(a Op, b, c reg.VecVirtual) {
	switch {
	case !k.Wide:
		VPMAXUD(a, b, c)
	case c.Size() == uint(gen.AVX512.Bytes):
		VPORQ(a, b, c)
	default:
		VPOR(a, b, c)
	}
}

// lower combines two values of chain.lowest.
func (k *kernel) lower(a Op, b, c reg.VecVirtual) {
	if k.Wide {
		VPMINSQ(a, b, c)
	} else {
		VPMINSD(a, b, c)
	}
}

// across combines the lanes of r by op.
func (k *kernel) across(r reg.VecVirtual, op func(a Op, b, c reg.VecVirtual)) reg.GPVirtual {
	if k.Wide {
		h := YMM()
		VEXTRACTI64X4(U8(1), r, h)
		op(h, r.AsY().(reg.VecVirtual), h)
		r = h
	}
	h := XMM()
	VEXTRACTI128(U8(1), r.AsY(), h)
	op(h, r.AsX().(reg.VecVirtual), h)
	l := XMM()
	VPSHUFD(U8(0x4e), h, l)
	op(l, h, h)
	g := GP64()
	MOVQ(h, g)
	return g
}
