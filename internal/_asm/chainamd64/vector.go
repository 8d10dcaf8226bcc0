package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// vector is a function on rows and vectors being written.
type vector struct {
	format
	gen.Set
}

func (v vector) reg(i int) Op {
	if v.Wide {
		return v.Physical(32)[i]
	}
	return v.Physical(16)[i]
}

// x and y return the lower 128 and 256 bits of a register.
func (v vector) x(i int) Op { return v.reg(i).(reg.Vec).AsX() }
func (v vector) y(i int) Op { return v.reg(i).(reg.Vec).AsY() }

// lastMask makes the mask of the first n elements of a register, in K1 or in
// the register of that number. n may change.
func (v vector) lastMask(n reg.Register, register int) Op {
	if v.Wide {
		ones := GP64()
		MOVQ(n, reg.RCX)
		MOVL(U32(1), ones.As32())
		SHLQ(reg.CL, ones)
		DECQ(ones)
		KMOVW(ones.As32(), reg.K1)
		return reg.K1
	}
	masks, mask := GP64(), v.reg(register)
	LEAQ(gen.MaskTable(), masks)
	SHLQ(Imm(uint64(gen.Log2(v.size))), n)
	SUBQ(n, masks)
	v.move(Mem{Base: masks, Disp: gen.MaskMiddle}, mask)
	return mask
}

// loadMasked loads the elements of a mask, and zeros.
func (v vector) loadMasked(m, mask, to Op) {
	if v.Wide {
		v.moveZero(m, mask, to)
	} else {
		v.maskMove(m, mask, to)
	}
}

// part returns the lower bytes of a register.
func part(bytes int, op Op) Op {
	r, ok := op.(reg.Vec)
	switch {
	case !ok:
		return op
	case bytes == 32:
		return r.AsY()
	}
	return r.AsX()
}

// movePart loads or stores some bytes, at most half a register.
func (v vector) movePart(bytes int, from, to Op) {
	move := v.move
	switch bytes {
	case v.size:
		move = v.moveScalar
	case 8:
		move = VMOVSD
	}
	move(part(bytes, from), part(bytes, to))
}

// fmaPart adds a product of some bytes from memory, at most half a register.
func (v vector) fmaPart(bytes int, m Mem, spare, x, sum Op) {
	switch bytes {
	case v.size:
		v.fmaScalar(m, part(bytes, x), part(bytes, sum))
	case 8:
		v.movePart(bytes, m, spare)
		v.fma(part(bytes, spare), part(bytes, x), part(bytes, sum))
	default:
		v.fma(m, part(bytes, x), part(bytes, sum))
	}
}

// axpyAhead is the number of bytes between elements that an update by one row
// uses and those that it fetches into the cache.
const axpyAhead = 1024

// chainAxpy writes chainAxpy. Registers: the elements of x, four vectors of y,
// one of a. Masks would be shorter, but a register that reaches into a page of
// memory beyond the rows may take very long, even if its elements there are
// masked.
func (v vector) chainAxpy() {
	const (
		firstY = gen.ChainAxpyRows
		group  = 4
		aReg   = firstY + group
	)
	name := gen.Stub("chainAxpy", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainAxpySignature(v.size),
		name+" "+gen.ChainDoc("chainAxpy", v.size, v.Level, "chainamd64"))
	a := v.matrix(gen.ChainAxpyRows, "a", "aRow")
	rows, count := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	width := v.Bytes / v.size
	advance := func(bytes int) {
		ADDQ(I32(int32(bytes)), y)
		for _, base := range a.bases {
			ADDQ(I32(int32(bytes)), base)
		}
	}
	for n := gen.ChainAxpyRows; n > 0; n /= 2 {
		suffix := fmt.Sprint(n)
		if n > 1 {
			CMPQ(rows, Imm(uint64(n)))
			JNE(LabelRef(fmt.Sprint("not", n)))
		}
		for i := range n {
			v.broadcast(Mem{Base: x, Disp: i * v.size}, v.reg(i))
		}
		SUBQ(Imm(uint64(group*width)), count)
		JLT(LabelRef("few" + suffix))
		Label("group" + suffix)
		if n == 1 {
			for at := 0; at < group*v.Bytes; at += line {
				PREFETCHT0(Mem{Base: y, Disp: at + axpyAhead})
				PREFETCHT0(a.row(0).Offset(at + axpyAhead))
			}
		}
		for g := range group {
			v.move(Mem{Base: y, Disp: g * v.Bytes}, v.reg(firstY+g))
		}
		for i := range n {
			for g := range group {
				v.fma(a.row(i).Offset(g*v.Bytes), v.reg(i), v.reg(firstY+g))
			}
		}
		for g := range group {
			v.move(v.reg(firstY+g), Mem{Base: y, Disp: g * v.Bytes})
		}
		advance(group * v.Bytes)
		SUBQ(Imm(uint64(group*width)), count)
		JGE(LabelRef("group" + suffix))

		Label("few" + suffix)
		ADDQ(Imm(uint64((group-1)*width)), count)
		JLT(LabelRef("last" + suffix))
		Label("vector" + suffix)
		v.move(Mem{Base: y}, v.reg(firstY))
		for i := range n {
			v.fma(a.row(i), v.reg(i), v.reg(firstY))
		}
		v.move(v.reg(firstY), Mem{Base: y})
		advance(v.Bytes)
		SUBQ(Imm(uint64(width)), count)
		JGE(LabelRef("vector" + suffix))

		Label("last" + suffix)
		ADDQ(Imm(uint64(width)), count)
		JZ(LabelRef("done" + suffix))
		for bytes := v.Bytes / 2; bytes >= v.size; bytes /= 2 {
			next := fmt.Sprint("below", bytes, "of", n)
			TESTQ(U32(uint32(bytes/v.size)), count)
			JZ(LabelRef(next))
			v.movePart(bytes, Mem{Base: y}, v.reg(firstY))
			for i := range n {
				v.fmaPart(bytes, a.row(i), v.reg(aReg), v.reg(i), v.reg(firstY))
			}
			v.movePart(bytes, v.reg(firstY), Mem{Base: y})
			if bytes > v.size {
				advance(bytes)
			}
			Label(next)
		}
		Label("done" + suffix)
		VZEROUPPER()
		RET()
		if n > 1 {
			Label(fmt.Sprint("not", n))
		}
	}
}
