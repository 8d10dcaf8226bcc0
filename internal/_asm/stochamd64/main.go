// Command stochamd64 writes internal/kernel's stochastic kernels for amd64:
// operations whose results are rounded up or down, each as its coin decides.
//
// # Contract
//
//	func(dst, x, y, z *T, rows int, coins *uint64)
//
// dst[i] is R- or R+ of the operation on x[i], y[i] and z[i] for all elements
// of the rows of 64 bytes. coins holds a word of the size of an element for
// each lane of a row; its highest bit decides the first row, the next one the
// second row: 1 rounds down. An exact result is as rounded to nearest, zeros
// included. An operand that an operation does not have is not read. dst may be
// one of the operands.
//
//	stochAdd, Sub, Mul, Div  x + y, x - y, x·y, x/y
//	stochSqrt                √x
//	stochFMA                 x·y + z
//	stochDot                 dst[i] += x·y, where dst is four rows, taken in turn
//
//	func(x, y, z *T, rows int) uint64
//
// A filter returns 0 only if no element is suspicious.
//
//	stochSpread      x, y and z are samples so far apart that they may be noise
//	stochDropSum     x + y lost more than 10 leading bits
//	stochDropDiff    x - y did
//	stochDropFused   x·y + z did
//
// # How
//
// AVX-512 rounds up and down by the instruction (embedded rounding), and a mask
// chooses. With AVX2 the kernel rounds up, as MXCSR says, and down by
// RD(x) = -RU(-x): signs are flipped before and after.
//
// A sum that cancels exactly is -0 when rounded down. So that it is +0, as to
// nearest, the lower result counts only where it is less than the upper one.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// roundUp is MXCSR without traps, rounding up.
const roundUp = 0x1f80 | 2<<13

// ahead is the distance of prefetches in bytes: the row that the same call for
// the next block begins with, if a block has 64 rows.
const ahead = 64 * gen.StochRowBytes

func main() {
	ConstraintExpr("!purego")
	for _, set := range []gen.Set{gen.AVX512, gen.AVX2} {
		for _, size := range []int{8, 4} {
			for _, op := range operations {
				(&kernel{Set: set, size: size, ins: formats[size]}).operation(op)
			}
			for _, f := range filters {
				(&kernel{Set: set, size: size, ins: formats[size]}).filter(f)
			}
		}
	}
	Generate()
}

// kernel is one function being written.
type kernel struct {
	gen.Set
	size int
	ins  instructions
	sign reg.VecVirtual // the sign bit in each lane
	bit  reg.Register   // the bit of the row's coins: AVX-512
}

// An operation computes one vector.
type operation struct {
	name     string
	operands int
	wide     func(k *kernel, v []reg.VecVirtual, down Op) reg.VecVirtual
	narrow   func(k *kernel, v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual
}

var operations = []operation{
	{name: "stochAdd", operands: 2, wide: (*kernel).addWide, narrow: (*kernel).addNarrow},
	{name: "stochSub", operands: 2, wide: (*kernel).subWide, narrow: (*kernel).subNarrow},
	{name: "stochMul", operands: 2, wide: (*kernel).mulWide, narrow: (*kernel).mulNarrow},
	{name: "stochDiv", operands: 2, wide: (*kernel).divWide, narrow: (*kernel).divNarrow},
	{name: "stochSqrt", operands: 1, wide: (*kernel).sqrtWide, narrow: (*kernel).sqrtNarrow},
	{name: "stochFMA", operands: 3, wide: (*kernel).fmaWide, narrow: (*kernel).fmaNarrow},
	{name: "stochDot", operands: 2, wide: (*kernel).fmaWide, narrow: (*kernel).fmaNarrow},
}

// parts returns the registers of a row.
func (k *kernel) parts() int { return gen.StochRowBytes / k.Bytes }

// operation writes the function of an operation.
func (k *kernel) operation(op operation) {
	name := gen.Stub(op.name, k.size, k.Level)
	gen.Begin(name, NOSPLIT, "func"+gen.StochSignature(k.size),
		name+" "+gen.StochDoc(op.name, k.size, k.Level, "stochamd64"))
	p := pointers{dst: Load(Param("dst"), GP64()).(reg.GPVirtual)}
	for i, n := range []string{"x", "y", "z"}[:op.operands] {
		p.from[i] = Load(Param(n), GP64()).(reg.GPVirtual)
	}
	rows, words := Load(Param("rows"), GP64()), Load(Param("coins"), GP64())
	k.sign = k.lanes(1 << (8*k.size - 1))
	coins := make([]reg.VecVirtual, k.parts())
	for i := range coins {
		coins[i] = k.Reg()
		k.ins.move(Mem{Base: words, Disp: i * k.Bytes}, coins[i])
	}
	var old Mem
	if k.Wide {
		k.bit = GP64()
		LEAQ(bitTable(k.size), k.bit)
	} else {
		old = AllocLocal(8)
		STMXCSR(old)
		MOVL(U32(roundUp), old.Offset(4))
		LDMXCSR(old.Offset(4))
	}
	if op.name == "stochDot" {
		k.dotLoop(op, p, rows, coins)
	} else {
		p.at = GP64()
		XORQ(p.at, p.at)
		Label("row")
		k.row(op, p, coins)
		k.nextBit()
		DECQ(rows)
		JNZ(LabelRef("row"))
	}
	if !k.Wide {
		LDMXCSR(old)
	}
	VZEROUPPER()
	RET()
}

// pointers are the places of the first row, and at is the distance of the next
// one: one addition for all.
type pointers struct {
	dst  reg.GPVirtual
	from [3]reg.GPVirtual
	at   reg.GPVirtual
}

// row computes a row.
func (k *kernel) row(op operation, p pointers, coins []reg.VecVirtual) {
	for i, c := range coins {
		var v []reg.VecVirtual
		for j := range op.operands {
			r := k.Reg()
			k.ins.move(Mem{Base: p.from[j], Index: p.at, Scale: 1, Disp: i * k.Bytes}, r)
			v = append(v, r)
		}
		r := k.compute(op, v, c)
		k.ins.move(r, Mem{Base: p.dst, Index: p.at, Scale: 1, Disp: i * k.Bytes})
	}
	for _, f := range p.from[:op.operands] {
		PREFETCHT1(Mem{Base: f, Index: p.at, Scale: 1, Disp: ahead})
	}
	ADDQ(U8(gen.StochRowBytes), p.at)
}

// compute computes one register. With AVX2 it shifts its coins to the next row.
func (k *kernel) compute(op operation, v []reg.VecVirtual, coin reg.VecVirtual) reg.VecVirtual {
	if k.Wide {
		down := K()
		k.ins.testBit(Mem{Base: k.bit}, coin, down)
		return op.wide(k, v, down)
	}
	r := op.narrow(k, v, coin)
	k.ins.addInt(coin, coin, coin)
	return r
}

// dotLoop adds the products of the rows to the rows of dst in turn.
func (k *kernel) dotLoop(op operation, p pointers, rows reg.Register, coins []reg.VecVirtual) {
	at, end := GP64(), GP64()
	MOVQ(p.dst, at)
	LEAQ(Mem{Base: p.dst, Disp: gen.StochDotRows * gen.StochRowBytes}, end)
	Label("row")
	for i, c := range coins {
		var v []reg.VecVirtual
		for _, m := range []Mem{{Base: p.from[0], Disp: i * k.Bytes},
			{Base: p.from[1], Disp: i * k.Bytes}, {Base: at, Disp: i * k.Bytes}} {
			r := k.Reg()
			k.ins.move(m, r)
			v = append(v, r)
		}
		k.ins.move(k.compute(op, v, c), Mem{Base: at, Disp: i * k.Bytes})
	}
	for _, f := range p.from[:2] {
		ADDQ(U8(gen.StochRowBytes), f)
	}
	ADDQ(U8(gen.StochRowBytes), at)
	CMPQ(at, end)
	CMOVQEQ(p.dst, at)
	k.nextBit()
	DECQ(rows)
	JNZ(LabelRef("row"))
}

// nextBit goes to the coins of the next row.
func (k *kernel) nextBit() {
	if k.Wide {
		ADDQ(U8(k.size), k.bit)
	}
}

// bitTables are those written so far.
var bitTables = map[int]Mem{}

// bitTable returns a table of the bits of an element, the highest first.
func bitTable(size int) Mem {
	if m, ok := bitTables[size]; ok {
		return m
	}
	m := GLOBL(fmt.Sprintf("stochBits%d", 8*size), RODATA|NOPTR)
	for i := range 8 * size {
		if size == 4 {
			DATA(size*i, U32(1)<<(8*size-1-i))
		} else {
			DATA(size*i, U64(1)<<(8*size-1-i))
		}
	}
	bitTables[size] = m
	return m
}

// lanes returns a register full of one integer of the size of an element.
func (k *kernel) lanes(bits uint64) reg.VecVirtual {
	if k.size == 4 {
		bits |= bits << 32
	}
	return k.Constant(bits)
}
