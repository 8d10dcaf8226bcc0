package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// A filter looks at one vector of each operand. It returns a vector whose sign
// bits are set in suspicious lanes.
type filter struct {
	name     string
	operands int
	factor   float64
	vector   func(k *kernel, v []reg.VecVirtual, factor reg.VecVirtual) reg.VecVirtual
}

var filters = []filter{
	{"stochSpread", 3, 8, (*kernel).spread},
	{"stochDropSum", 2, 1024, (*kernel).dropSum},
	{"stochDropDiff", 2, 1024, (*kernel).dropDiff},
	{"stochDropFused", 3, 1024, (*kernel).dropFused},
}

func (k *kernel) dropSum(v []reg.VecVirtual, factor reg.VecVirtual) reg.VecVirtual {
	s := k.Reg()
	k.ins.add(v[1], v[0], s)
	return k.dropped(v[0], v[1], s, factor)
}

func (k *kernel) dropDiff(v []reg.VecVirtual, factor reg.VecVirtual) reg.VecVirtual {
	s := k.Reg()
	k.ins.sub(v[1], v[0], s)
	return k.dropped(v[0], v[1], s, factor)
}

func (k *kernel) dropFused(v []reg.VecVirtual, factor reg.VecVirtual) reg.VecVirtual {
	s, p := k.Reg(), k.Reg()
	k.ins.move(v[2], s)
	k.ins.fma(v[1], v[0], s)
	k.ins.mul(v[1], v[0], p)
	return k.dropped(p, v[2], s, factor)
}

// filter writes the function of a filter.
func (k *kernel) filter(f filter) {
	name := gen.Stub(f.name, k.size, k.Level)
	gen.Begin(name, NOSPLIT, "func"+gen.StochFilterSignature(k.size),
		name+" "+gen.StochDoc(f.name, k.size, k.Level, "stochamd64"))
	var from [3]reg.Register
	for i, n := range []string{"x", "y", "z"}[:f.operands] {
		from[i] = Load(Param(n), GP64())
	}
	rows := Load(Param("rows"), GP64())
	k.sign = k.lanes(1<<(8*k.size-1) - 1) // here all other bits
	bits := math.Float64bits(f.factor)
	if k.size == 4 {
		bits = uint64(math.Float32bits(float32(f.factor)))
	}
	factor, found, at := k.lanes(bits), k.Zero(), GP64()
	XORQ(at, at)
	Label("row")
	for i := range k.parts() {
		var v []reg.VecVirtual
		for _, p := range from[:f.operands] {
			r := k.Reg()
			k.ins.move(Mem{Base: p, Index: at, Scale: 1, Disp: i * k.Bytes}, r)
			v = append(v, r)
		}
		k.ins.or(f.vector(k, v, factor), found, found)
	}
	ADDQ(U8(gen.StochRowBytes), at)
	DECQ(rows)
	JNZ(LabelRef("row"))
	result := GP64()
	if k.Wide {
		m := K()
		k.ins.toMask(found, m)
		KMOVQ(m, result)
	} else {
		k.ins.signs(found, result.As32())
	}
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// absolute makes VRANGEPD return the larger magnitude, without its sign.
const absolute = 0xb

// abs returns |x|.
func (k *kernel) abs(x reg.VecVirtual) reg.VecVirtual {
	r := k.Reg()
	k.ins.and(k.sign, x, r)
	return r
}

// spread sets the sign where 8·|y - x| or 8·|z - x| is more than |x|, and where
// one of them is infinite.
func (k *kernel) spread(v []reg.VecVirtual, factor reg.VecVirtual) reg.VecVirtual {
	x := k.abs(v[0])
	k.ins.sub(v[0], v[1], v[1])
	k.ins.sub(v[0], v[2], v[2])
	if k.Wide {
		k.ins.largest(Imm(absolute), v[2], v[1], v[1])
		k.ins.fmaNegated(factor, v[1], x)
		return x
	}
	first, second := x, k.Reg()
	k.ins.move(x, second)
	k.ins.fmaNegated(factor, k.abs(v[1]), first)
	k.ins.fmaNegated(factor, k.abs(v[2]), second)
	k.ins.or(first, second, second)
	return second
}

// dropped sets the sign where 1024·|s| is less than |x| or |y|.
func (k *kernel) dropped(x, y, s, factor reg.VecVirtual) reg.VecVirtual {
	larger, r := k.Reg(), k.abs(s)
	if k.Wide {
		k.ins.largest(Imm(absolute), x, y, larger)
	} else {
		k.ins.max(k.abs(x), k.abs(y), larger)
	}
	k.ins.fmsub(larger, factor, r) // r = r·factor - larger
	return r
}
