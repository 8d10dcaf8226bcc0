package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMPPD.
const (
	lessThan    = 0x11 // quiet
	greaterThan = 0x1e
)

// lowerWide returns low in the lanes that round down where it is less than
// high, and high elsewhere: AVX-512. Of two zeros, and beside NaN, the minimum
// is its last source, here the first operand.
func (k *kernel) lowerWide(low, high reg.VecVirtual, down Op) reg.VecVirtual {
	k.ins.min(high, low, down, high)
	return high
}

func (k *kernel) addWide(v []reg.VecVirtual, down Op) reg.VecVirtual {
	high, low := k.Reg(), k.Reg()
	k.ins.addUp(v[1], v[0], high)
	k.ins.addDown(v[1], v[0], low)
	return k.lowerWide(low, high, down)
}

func (k *kernel) subWide(v []reg.VecVirtual, down Op) reg.VecVirtual {
	high, low := k.Reg(), k.Reg()
	k.ins.subUp(v[1], v[0], high)
	k.ins.subDown(v[1], v[0], low)
	return k.lowerWide(low, high, down)
}

func (k *kernel) mulWide(v []reg.VecVirtual, down Op) reg.VecVirtual {
	r := k.Reg()
	k.ins.mulUp(v[1], v[0], r)
	k.ins.mulDown(v[1], v[0], down, r)
	return r
}

// divWide divides once, by RD(x/y) = -RU(-x/y).
func (k *kernel) divWide(v []reg.VecVirtual, down Op) reg.VecVirtual {
	x, r := v[0], k.Reg()
	k.ins.xor(k.sign, x, down, x)
	k.ins.divUp(v[1], x, r)
	k.ins.xor(k.sign, r, down, r)
	return r
}

// sqrtWide subtracts an ULP from the root rounded up where its square is more
// than x. The difference is rounded up, so that it is 0 only if it is exact.
func (k *kernel) sqrtWide(v []reg.VecVirtual, down Op) reg.VecVirtual {
	r, square, m, ones, zero := k.Reg(), k.Reg(), K(), k.Reg(), k.Zero()
	k.ins.sqrtUp(v[0], r)
	k.ins.move(r, square)
	k.ins.squareLessUp(v[0], square, square)
	k.ins.compare(Imm(greaterThan), zero, square, down, m)
	VPTERNLOGQ(Imm(0xff), ones, ones, ones)
	k.ins.addInt(ones, r, m, r)
	return r
}

func (k *kernel) fmaWide(v []reg.VecVirtual, down Op) reg.VecVirtual {
	high, low := v[2], k.Reg()
	k.ins.move(high, low)
	k.ins.fmaUp(v[1], v[0], high)
	k.ins.fmaDown(v[1], v[0], low)
	return k.lowerWide(low, high, down)
}

// The kernels of AVX2 round up. A lane rounds down where the sign bit of its
// coin is set.

// lowerNarrow is lowerWide, with -low.
func (k *kernel) lowerNarrow(negated, high, coin reg.VecVirtual) reg.VecVirtual {
	m, r := k.Reg(), k.Reg()
	VXORPD(k.sign, negated, negated)
	k.ins.compare(Imm(lessThan), high, negated, m)
	VANDPD(coin, m, m)
	k.ins.blend(m, negated, high, r)
	return r
}

func (k *kernel) addNarrow(v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	high, low := k.Reg(), k.Reg()
	k.ins.add(v[1], v[0], high)
	VXORPD(k.sign, v[0], low)
	k.ins.sub(v[1], low, low)
	return k.lowerNarrow(low, high, coin)
}

func (k *kernel) subNarrow(v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	high, low := k.Reg(), k.Reg()
	k.ins.sub(v[1], v[0], high)
	k.ins.sub(v[0], v[1], low)
	return k.lowerNarrow(low, high, coin)
}

func (k *kernel) mulNarrow(v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	return k.flipped(k.ins.mul, v, coin)
}

func (k *kernel) divNarrow(v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	return k.flipped(k.ins.div, v, coin)
}

// flipped flips the sign of x and of the result where the coin rounds down.
func (k *kernel) flipped(f func(...Op), v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	s, r := k.Reg(), k.Reg()
	VANDPD(k.sign, coin, s)
	VXORPD(s, v[0], r)
	f(v[1], r, r)
	VXORPD(s, r, r)
	return r
}

func (k *kernel) sqrtNarrow(v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	r, square, m, low, zero := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Zero()
	k.ins.sqrt(v[0], r)
	k.ins.move(r, square)
	k.ins.fmsub(v[0], square, square)
	k.ins.compare(Imm(greaterThan), zero, square, m)
	k.ins.addInt(m, r, low)
	k.ins.blend(coin, low, r, r)
	return r
}

func (k *kernel) fmaNarrow(v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	high, low := v[2], k.Reg()
	VXORPD(k.sign, high, low)
	k.ins.fma(v[1], v[0], high)
	k.ins.fmaNegated(v[1], v[0], low) // low - x·y
	return k.lowerNarrow(low, high, coin)
}
