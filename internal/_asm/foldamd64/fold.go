package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// roundedAdd returns a + b, without setting the inexact flag on AVX-512.
func (k *kernel) roundedAdd(a, b reg.VecVirtual) reg.VecVirtual {
	t := k.Reg()
	if k.Wide {
		VADDPD_RN_SAE(a, b, t)
	} else {
		VADDPD(a, b, t)
	}
	return t
}

// fold splits v at the constant of fold f. It adds the contribution to the
// chain, leaves the residual in v, and returns t. The last subtraction is a
// fused multiplication by one, which runs on another port.
func (k *kernel) fold(v reg.VecVirtual, c chain, f int) reg.VecVirtual {
	t, q := k.roundedAdd(k.m[f], v), k.Reg()
	VPADDQ(t, c.sums[f], c.sums[f])
	VSUBPD(k.m[f], t, q)
	VFMSUB213PD(q, k.one, v)
	return t
}

// last adds v, which must be a multiple of ulp(M), to the sum of fold f.
func (k *kernel) last(v Op, c chain, f int) {
	t := k.Reg()
	VADDPD(v, k.m[f], t)
	VPADDQ(t, c.sums[f], c.sums[f])
}

// step takes the vectors i through all folds except the last, and returns the
// residuals of each.
func (k *kernel) step(i []int, tail reg.Register) (rest [][]reg.VecVirtual) {
	if len(i) == k.group() {
		k.prefetch(i)
	}
	v, e := k.values(k.offsets(i), tail)
	k.signs(v, k.chain(i[0]/2))
	var t []reg.VecVirtual
	for i := range v {
		c := k.chain(i)
		r := []reg.VecVirtual{v[i]}
		t = append(t, k.fold(v[i], c, 0))
		if k.IsExactDot() {
			k.fold(e[i], c, 1)
			r = append(r, e[i])
		} else if k.Folds == 3 {
			k.fold(v[i], c, 1)
		}
		rest = append(rest, r)
	}
	if k.Wide {
		k.binades(t, k.chains[0])
	}
	return rest
}

// signs keeps the lowest summand: as a signed integer −0 is the lowest of all.
// AVX2 compares integers of 32 bits only. There the upper halves of two vectors
// are compared at a time, and the largest magnitude is kept too.
func (k *kernel) signs(v []reg.VecVirtual, c chain) {
	if k.Wide {
		for i, v := range v {
			if c := k.chain(i); !k.Abs {
				VPMINSQ(c.lowest, v, c.lowest)
			}
		}
		return
	}
	h := YMM()
	VSHUFPS(U8(0xdd), v[len(v)-1], v[0], h)
	if !k.Abs {
		VPMINSD(c.lowest, h, c.lowest)
	}
	VPADDD(h, h, h) // without the sign
	VPMAXUD(c.rng, h, c.rng)
}

// binades collects in c.rng whether every t is in the binade of M₁. It may
// overwrite t.
func (k *kernel) binades(t []reg.VecVirtual, c chain) {
	const (
		orXor  = 0xf6 // a | b^c
		xorXor = 0x7e // a^c | b^c
		orOr   = 0xfe // a | b | c
	)
	if len(t) != unroll {
		for _, t := range t {
			VPTERNLOGQ(U8(orXor), t, k.m[0], c.rng)
		}
		return
	}
	VPTERNLOGQ(U8(xorXor), k.m[0], t[1], t[0])
	VPTERNLOGQ(U8(xorXor), k.m[0], t[3], t[2])
	VPTERNLOGQ(U8(orOr), t[0], t[2], c.rng)
}

// finish takes the residuals of a vector through the last folds.
func (k *kernel) finish(rest []Op, c chain) {
	for i, r := range rest {
		k.last(r, c, k.Folds-len(rest)+i)
	}
}
