package main

import (
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

// chainAxpy writes chainAxpy. Registers: the elements of x, four vectors of y,
// one of a, a mask.
func (v vector) chainAxpy() {
	const (
		firstY = gen.ChainAxpyRows
		group  = 4
		aReg   = firstY + group
		masked = aReg + 1
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
	CMPQ(rows, Imm(1))
	JE(LabelRef("one"))
	for _, n := range []int{gen.ChainAxpyRows, 1} {
		suffix := map[bool]string{true: "One", false: "All"}[n == 1]
		if n == 1 {
			Label("one")
		}
		for i := range n {
			v.broadcast(Mem{Base: x, Disp: i * v.size}, v.reg(i))
		}
		SUBQ(Imm(uint64(group*width)), count)
		JLT(LabelRef("few" + suffix))
		Label("group" + suffix)
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
		mask := v.lastMask(count, masked)
		v.loadMasked(Mem{Base: y}, mask, v.reg(firstY))
		for i := range n {
			v.loadMasked(a.row(i), mask, v.reg(aReg))
			v.fma(v.reg(aReg), v.reg(i), v.reg(firstY))
		}
		if v.Wide {
			v.move(v.reg(firstY), mask, Mem{Base: y})
		} else {
			v.maskMove(v.reg(firstY), mask, Mem{Base: y})
		}
		Label("done" + suffix)
		VZEROUPPER()
		RET()
	}
}

// dots is chainDots being written. Registers: the lanes of each row, then those
// of x, then others.
type dots struct {
	vector
	rows, parts int // parts is the number of registers of a row's lanes
	a           matrix
	from, n     reg.Register // x, and the number of products left
}

func (d dots) lanes(row, part int) Op { return d.reg(row*d.parts + part) }
func (d dots) xLanes(part int) Op     { return d.lanes(d.rows, part) }
func (d dots) other(i int) int        { return (d.rows+1)*d.parts + i }
func (d dots) at(m Mem, part int) Mem { return m.Offset(part * d.Bytes) }

// chainDots writes chainDots.
func (v vector) chainDots() {
	name := gen.Stub("chainDots", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainDotsSignature(v.size),
		name+" "+gen.ChainDoc("chainDots", v.size, v.Level, "chainamd64"))
	d := dots{v, gen.ChainDotsRows, gen.ChainLanesBytes / v.Bytes,
		v.matrix(gen.ChainDotsRows, "a", "aRow"),
		Load(Param("x"), GP64()), Load(Param("n"), GP64())}
	sums := Load(Param("sums"), GP64())
	for i := range d.rows * d.parts {
		VXORPS(d.x(i), d.x(i), d.x(i))
	}
	lanes := uint64(gen.ChainLanesBytes / v.size)
	SUBQ(Imm(lanes), d.n)
	JLT(LabelRef("rest"))
	Label("loop")
	for p := range d.parts {
		v.move(d.at(Mem{Base: d.from}, p), d.xLanes(p))
	}
	for row := range d.rows {
		for p := range d.parts {
			v.fma(d.at(d.a.row(row), p), d.xLanes(p), d.lanes(row, p))
		}
	}
	for _, base := range append(d.a.bases, d.from) {
		ADDQ(Imm(gen.ChainLanesBytes), base)
	}
	SUBQ(Imm(lanes), d.n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(lanes), d.n)
	JZ(LabelRef("halve"))
	d.rest()
	Label("halve")
	for row := range d.rows {
		d.halve(row)
		v.moveScalar(d.x(row*d.parts), Mem{Base: sums, Disp: row * v.size})
	}
	VZEROUPPER()
	RET()
}

// rest adds the last products to their lanes, and to the others +0·−0,
// which changes no sum.
func (d dots) rest() {
	masks := []int{d.other(0), d.other(1)}
	a, negZero := d.reg(d.other(2)), d.other(3)
	first, width, bits := GP64(), GP64(), GP64()
	Comment("Elements of the first register, and of the second.")
	MOVQ(U32(uint32(d.Bytes/d.size)), width)
	MOVQ(d.n, first)
	CMPQ(first, width)
	CMOVQGT(width, first)
	SUBQ(first, d.n)
	d.lastMask(first, masks[0])
	d.lastMask(d.n, masks[1])
	MOVQ(U64(d.sign), bits)
	VMOVQ(bits, d.x(negZero))
	VPBROADCASTQ(d.x(negZero), d.y(negZero))
	for p, mask := range masks {
		d.loadMasked(d.at(Mem{Base: d.from}, p), d.reg(mask), d.xLanes(p))
		VANDNPD(d.y(negZero), d.reg(mask), a)
		VORPD(a, d.xLanes(p), d.xLanes(p))
		for row := range d.rows {
			d.loadMasked(d.at(d.a.row(row), p), d.reg(mask), a)
			d.fma(a, d.xLanes(p), d.lanes(row, p))
		}
	}
}

// halve adds the upper half of a row's lanes to the lower until one is left.
func (d dots) halve(row int) {
	lanes, t := row*d.parts, d.other(0)
	d.add(d.y(lanes+1), d.y(lanes), d.y(lanes))
	VEXTRACTF128(Imm(1), d.y(lanes), d.x(t))
	d.add(d.x(t), d.x(lanes), d.x(lanes))
	VPERMILPD(Imm(1), d.x(lanes), d.x(t))
	if d.size == 4 {
		d.add(d.x(t), d.x(lanes), d.x(lanes))
		VMOVSHDUP(d.x(lanes), d.x(t))
	}
	d.addScalar(d.x(t), d.x(lanes), d.x(lanes))
}
