package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// Registers of orderedShort besides the lanes.
const (
	shortTerm  = 8 // and the operands of a term behind it
	shortCount = 12
)

// writeShort writes orderedShort: OrderedBlock for one row, whose vectors that
// hold no term are left out. Their number is rounded up to a power of two, and
// the upper half of them is added to the lower half as it is loaded.
func writeShort(k kernel) {
	name := gen.Stub("orderedShort", k.size, k.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.OrderedShortSignature(k.size),
		name+" "+gen.OrderedShortDoc(k.size, k.Level, "orderedamd64"))
	k.x, k.y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
	k.rem = Load(Param("n"), GP64())
	opcode := Load(Param("op"), GP64())
	k.constant(negZeroReg, k.sign)
	for i, o := range ops[1:] {
		CMPQ(opcode, Imm(uint64(i+1)))
		JE(LabelRef(o.name))
	}
	for _, o := range ops {
		Label(o.name)
		if o.name == gen.OrderedOps[gen.OrderedAsum] {
			k.constant(absMaskReg, ^k.sign)
		}
		for count := 1; count <= k.accs(); count *= 2 {
			larger := fmt.Sprint(o.name, "Above", count)
			if count < k.accs() {
				CMPQ(k.rem, Imm(uint64(count*k.width())))
				JGT(LabelRef(larger))
			}
			k.addVectors(o, count)
			if count < k.accs() {
				Label(larger)
			}
		}
	}
	for h := k.accs() / 2; h > 1; h /= 2 {
		Label(fmt.Sprint("halve", h))
		for i := range h / 2 {
			k.add(k.acc(h/2+i), k.acc(i), k.acc(i))
		}
	}
	Label("halve1")
	k.halveLanes()
}

// addVectors leaves the terms of some vectors in half as many accumulators, and
// goes on where those are halved. The lower half of the vectors is full.
func (k kernel) addVectors(o op, count int) {
	half, full := count/2, fmt.Sprint(o.name, "Full", count)
	CMPQ(k.rem, Imm(uint64(count*k.width())))
	JEQ(LabelRef(full))
	for i := range half {
		o.term(k, k.at(k.x, i), k.at(k.y, i), k.reg(absMaskReg), k.acc(i))
	}
	if half > 0 {
		SUBQ(Imm(uint64(half*k.width())), k.rem)
	}
	VMOVQ(k.rem, k.reg(shortCount).AsX())
	k.broadcastInt(k.reg(shortCount).AsX(), k.reg(shortCount))
	for i := range count - half {
		t := k.maskedTerm(o, half+i, i)
		if half == 0 {
			k.move(t, k.acc(0))
		} else {
			k.add(t, k.acc(i), k.acc(i))
		}
	}
	JMP(LabelRef(fmt.Sprint("halve", max(1, half))))
	Label(full)
	for i := range max(1, half) {
		o.term(k, k.at(k.x, i), k.at(k.y, i), k.reg(absMaskReg), k.acc(i))
	}
	for i := range half {
		t := k.reg(shortTerm + i%4)
		o.term(k, k.at(k.x, half+i), k.at(k.y, half+i), k.reg(absMaskReg), t)
		k.add(t, k.acc(i), k.acc(i))
	}
	JMP(LabelRef(fmt.Sprint("halve", max(1, half))))
}

// maskedTerm returns the terms of vector i, and −0 for those beyond the end.
// The vector is number place of those that may have any.
func (k kernel) maskedTerm(o op, i, place int) Op {
	negZero, absMask, t := k.reg(negZeroReg), k.reg(absMaskReg), k.reg(shortTerm)
	x, y, mask := k.reg(shortTerm+1), k.reg(shortTerm+2), k.reg(maskReg)
	k.greaterInt(counting(k.size).Offset(place*k.Bytes), k.reg(shortCount), mask)
	k.maskLoad(k.at(k.x, i), mask, x)
	if o.name == gen.OrderedOps[gen.OrderedDot] {
		k.maskLoad(k.at(k.y, i), mask, y)
	}
	o.term(k, x, y, absMask, t)
	k.blend(mask, t, negZero, t)
	return t
}

// countings are the tables of counting, once they are written.
var countings = map[int]Mem{}

// counting returns a table of the numbers from 0 on, as long as a row, whose
// elements have size bytes.
func counting(size int) Mem {
	m, ok := countings[size]
	if !ok {
		m = GLOBL(fmt.Sprint("counting", 8*size), attr.RODATA|attr.NOPTR)
		for i := range gen.OrderedRowBytes / 2 / size {
			if size == 8 {
				DATA(8*i, U64(i))
			} else {
				DATA(4*i, U32(i))
			}
		}
		countings[size] = m
	}
	return m
}
