package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// rotation is chainRotate being written. Registers: the vectors of x, the
// vectors of y, a product for each, c and s, and the sign that s is multiplied
// by.
type rotation struct {
	vector
	vectors    int
	now, next  reg.Register // the rows of x and y
	aRow, last reg.Register // the place of the last vector, in bytes
}

const (
	rotationC    = 3 * gen.ChainRotateVectors
	rotationS    = rotationC + 1
	rotationSign = rotationS + 1
)

func (r rotation) x(i int) Op       { return r.reg(i) }
func (r rotation) y(i int) Op       { return r.reg(gen.ChainRotateVectors + i) }
func (r rotation) product(i int) Op { return r.reg(2*gen.ChainRotateVectors + i) }

// at returns the address of a vector of a row.
func (r rotation) at(row reg.Register, i int) Mem {
	if i == r.vectors-1 {
		return Mem{Base: row, Index: r.last, Scale: 1}
	}
	return Mem{Base: row, Disp: i * r.Bytes}
}

// goOn moves on by a row: the next row becomes x.
func (r rotation) goOn() {
	MOVQ(r.next, r.now)
	ADDQ(r.aRow, r.next)
}

// chainRotate writes chainRotate.
func (v vector) chainRotate() {
	name := gen.Stub("chainRotate", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainRotateSignature(v.size),
		name+" "+gen.ChainDoc("chainRotate", v.size, v.Level, "chainamd64"))
	rows, vectors := Load(Param("rows"), GP64()), Load(Param("vectors"), GP64())
	c, s, step := Load(Param("c"), GP64()), Load(Param("s"), GP64()), v.stride("step")
	r := rotation{v, 0, Load(Param("a"), GP64()), GP64(), v.stride("aRow"), v.stride("last")}
	LEAQ(Mem{Base: r.now, Index: r.aRow, Scale: 1}, r.next)
	sign, one := GP64(), GP64()
	Comment("Rotations from the last on are of y and x: s is negative.")
	MOVQ(step, sign)
	SARQ(Imm(63), sign)
	SHLQ(Imm(63), sign)
	VMOVQ(sign, v.x(rotationSign))
	VBROADCASTSD(v.x(rotationSign), v.reg(rotationSign))
	MOVQ(U64(math.Float64bits(1)), one)
	for n := gen.ChainRotateVectors; n > 0; n-- {
		suffix := fmt.Sprint(n)
		r.vectors = n
		if n > 1 {
			CMPQ(vectors, Imm(uint64(n)))
			JNE(LabelRef("not" + suffix))
		}
		for i := range n {
			v.move(r.at(r.now, i), r.x(i))
		}
		Label("row" + suffix)
		r.skipIdentity(c, s, one, "apply"+suffix)
		for i := range n {
			v.move(r.x(i), r.at(r.now, i))
			v.move(r.at(r.next, i), r.x(i))
		}
		JMP(LabelRef("next" + suffix))
		Label("apply" + suffix)
		r.apply(c, s)
		Label("next" + suffix)
		r.goOn()
		ADDQ(step, c)
		ADDQ(step, s)
		DECQ(rows)
		JNZ(LabelRef("row" + suffix))
		for i := range n {
			v.move(r.x(i), r.at(r.now, i))
		}
		VZEROUPPER()
		RET()
		if n > 1 {
			Label("not" + suffix)
		}
	}
}

// skipIdentity jumps to apply unless c is 1 and s is ±0.
func (r rotation) skipIdentity(c, s, one reg.Register, apply string) {
	CMPQ(Mem{Base: c}, one)
	JNE(LabelRef(apply))
	bits := GP64()
	MOVQ(Mem{Base: s}, bits)
	ADDQ(bits, bits)
	JNZ(LabelRef(apply))
}

// apply rotates a row and the next, which becomes x, and stores the first.
func (r rotation) apply(c, s reg.Register) {
	r.broadcast(Mem{Base: c}, r.reg(rotationC))
	r.broadcast(Mem{Base: s}, r.reg(rotationS))
	VXORPD(r.reg(rotationSign), r.reg(rotationS), r.reg(rotationS))
	for i := range r.vectors {
		r.move(r.at(r.next, i), r.y(i))
	}
	for i := range r.vectors {
		r.mul(r.x(i), r.reg(rotationC), r.product(i))
		r.mul(r.x(i), r.reg(rotationS), r.x(i))
	}
	for i := range r.vectors {
		sum := r.y(i)
		r.mul(r.y(i), r.reg(rotationC), r.reg(rotationSign+1))
		r.sub(r.x(i), r.reg(rotationSign+1), r.x(i))
		r.mul(r.y(i), r.reg(rotationS), sum)
		r.add(sum, r.product(i), sum)
		r.move(sum, r.at(r.now, i))
	}
}
