// Command ordered writes the amd64 kernels of internal/kernel's OrderedBlock.
//
// A row is 512 bytes, one summand for each lane: eight registers of AVX-512, and
// all sixteen of AVX2. What AVX2 needs registers for beside the accumulators
// displaces one or two of these into the frame, where their additions, once a
// row, keep up with the loads.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const rowBytes = 512

// format is an element type and the instructions for it.
type format struct {
	name          string
	size          int
	sign          uint64 // −0, as often as it fits
	add, mul, and func(...Op)
	move          func(...Op)
	moveZero      func(mem, mask, dst Op) // clears what its mask leaves out
	addScalar     func(...Op)
	maskLoad      func(mem, mask, dst Op)
	blend         func(mask, yes, no, dst Op)
}

var formats = []format{
	{"float64", 8, 1 << 63, VADDPD, VMULPD, VANDPD, VMOVUPD, VMOVUPD_Z, VADDSD, VMASKMOVPD, VBLENDVPD},
	{"float32", 4, 1<<63 | 1<<31, VADDPS, VMULPS, VANDPS, VMOVUPS, VMOVUPS_Z, VADDSS, VMASKMOVPS, VBLENDVPS},
}

// vectors is an instruction set.
type vectors struct {
	set   string
	bytes int // of a register
	regs  []reg.VecPhysical
}

var (
	avx512 = vectors{"AVX512", 64, []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15}}
	avx2 = vectors{"AVX2", 32, []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}}
)

// op is what is added. term leaves the terms of the vectors at x and y in t,
// with a mask only those of its elements; absMask and t are registers.
type op struct {
	name  string
	frame int // accumulators that AVX2 keeps in the frame
	term  func(k kernel, x, y, absMask, t Op, mask ...Op)
}

var ops = []op{
	{"sum", 0, func(k kernel, x, y, absMask, t Op, mask ...Op) {
		k.load(x, t, mask)
	}},
	{"dot", 1, func(k kernel, x, y, absMask, t Op, mask ...Op) {
		k.load(x, t, mask)
		k.mul(append([]Op{y, t}, append(mask, t)...)...)
	}},
	{"asum", 2, func(k kernel, x, y, absMask, t Op, mask ...Op) {
		k.and(append([]Op{x, absMask}, append(mask, t)...)...)
	}},
	{"squares", 1, func(k kernel, x, y, absMask, t Op, mask ...Op) {
		k.load(x, t, mask)
		k.mul(t, t, t)
	}},
}

func (k kernel) load(x, t Op, mask []Op) {
	if mask != nil {
		k.moveZero(x, mask[0], t)
		return
	}
	k.move(x, t)
}

// kernel is the function being written.
type kernel struct {
	format
	vectors
	x, y, rows, rem reg.Register
	frame           Mem // of the lanes, for AVX2
}

func (k kernel) width() int                   { return k.bytes / k.size }
func (k kernel) lanes() int                   { return rowBytes / k.size }
func (k kernel) accs() int                    { return rowBytes / k.bytes }
func (k kernel) acc(i int) Op                 { return k.regs[i] }
func (k kernel) slot(i int) Mem               { return k.frame.Offset(i * k.bytes) }
func (k kernel) narrow() bool                 { return k.bytes == 32 }
func (k kernel) at(b reg.Register, i int) Mem { return Mem{Base: b, Disp: i * k.bytes} }

// Registers beside the accumulators; those of AVX2 are free while its
// accumulators are in the frame.
const (
	tempReg    = 8
	negZeroReg = 13
	absMaskReg = 14
	maskReg    = 15 // AVX2's mask of elements
)

func main() {
	ConstraintExpr("!purego")
	for _, v := range []vectors{avx512, avx2} {
		for _, f := range formats {
			write(kernel{format: f, vectors: v})
		}
	}
	Generate()
}

func write(k kernel) {
	attributes := attr.NOSPLIT
	if k.narrow() {
		attributes = 0 // its frame needs a stack check
	}
	TEXT(fmt.Sprintf("orderedBlock%d%s", 8*k.size, k.set), attributes,
		fmt.Sprintf("func(op uint64, x, y *%[1]s, n int, stack *%[1]s, levels uint64, dst *%[1]s) %[1]s", k.name))
	Pragma("noescape")
	Doc(fmt.Sprintf("orderedBlock%d%s is orderedBlock%[1]d of the first n elements.", 8*k.size, k.set))
	if k.narrow() {
		k.frame = AllocLocal(rowBytes)
	}
	k.x, k.y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
	n, opcode := Load(Param("n"), GP64()), Load(Param("op"), GP64())

	negZero := k.constant(negZeroReg, k.sign)
	for i := range k.accs() {
		if k.acc(i) != negZero {
			VMOVAPS(negZero, k.acc(i))
		}
	}
	k.rows, k.rem = GP64(), GP64()
	MOVQ(n, k.rows)
	SHRQ(Imm(log2(k.lanes())), k.rows)
	MOVQ(n, k.rem)
	ANDQ(Imm(uint64(k.lanes()-1)), k.rem)
	for i, o := range ops[1:] {
		CMPQ(opcode, Imm(uint64(i+1)))
		JE(LabelRef(o.name))
	}
	for _, o := range ops {
		Label(o.name)
		k.addRows(o)
		k.addRest(o)
	}
	Label("added")
	k.merge()
	k.finish()
}

func log2(n int) (l uint64) {
	for ; n > 1; n /= 2 {
		l++
	}
	return l
}

// constant fills register r with a pattern.
func (k kernel) constant(r int, pattern uint64) Op {
	v, t := k.regs[r], GP64()
	MOVQ(U64(pattern), t)
	VMOVQ(t, v.(reg.Vec).AsX())
	VPBROADCASTQ(v.(reg.Vec).AsX(), v)
	return v
}

// addRows adds all full rows to the accumulators.
func (k kernel) addRows(o op) {
	inFrame, absMask := 0, Op(nil)
	if k.narrow() {
		inFrame = o.frame
	}
	inRegs := k.accs() - inFrame
	temp := func(i int) Op { return k.regs[tempReg+i%4] }
	if k.narrow() {
		temp = func(int) Op { return k.regs[maskReg] }
	}
	for i := inRegs; i < k.accs(); i++ {
		k.move(k.acc(i), k.slot(i))
	}
	if o.name == "asum" {
		absMask = k.constant(absMaskReg, ^k.sign)
	}
	TESTQ(k.rows, k.rows)
	JZ(LabelRef(o.name + "Rest"))
	Label(o.name + "Rows")
	for i := range k.accs() {
		switch t := temp(i); {
		case o.name == "sum":
			k.add(k.at(k.x, i), k.acc(i), k.acc(i))
		case i < inRegs:
			o.term(k, k.at(k.x, i), k.at(k.y, i), absMask, t)
			k.add(t, k.acc(i), k.acc(i))
		default:
			k.addToSlot(o, i, absMask, t)
		}
	}
	ADDQ(I32(rowBytes), k.x)
	if o.name == "dot" {
		ADDQ(I32(rowBytes), k.y)
	}
	DECQ(k.rows)
	JNZ(LabelRef(o.name + "Rows"))
	Label(o.name + "Rest")
	for i := inRegs; i < k.accs(); i++ {
		k.move(k.slot(i), k.acc(i))
	}
}

func (k kernel) addToSlot(o op, i int, absMask, t Op) {
	o.term(k, k.at(k.x, i), k.at(k.y, i), absMask, t)
	k.add(k.slot(i), t, t)
	k.move(t, k.slot(i))
}

// addRest adds what there is of a last row.
func (k kernel) addRest(o op) {
	TESTQ(k.rem, k.rem)
	JZ(LabelRef("added"))
	if k.narrow() {
		k.addRestInFrame(o)
	} else {
		k.addRestMasked(o)
	}
	if o.name != ops[len(ops)-1].name {
		JMP(LabelRef("added"))
	}
}

// addRestMasked masks what lies beyond the end in every vector of the row.
func (k kernel) addRestMasked(o op) {
	low, high, half := GP64(), GP64(), k.accs()
	Comment("Ones for the elements of the last row.")
	MOVQ(k.rem, reg.RCX)
	MOVL(U32(1), low.As32())
	SHLQ(reg.CL, low)
	DECQ(low)
	if k.lanes() > 64 {
		half /= 2
		ones := GP64()
		XORL(high.As32(), high.As32())
		MOVQ(I32(-1), ones)
		CMPQ(k.rem, Imm(64))
		CMOVQGE(low, high)
		CMOVQGE(ones, low)
	}
	for i := range k.accs() {
		bits := low
		if i >= half {
			bits = high
		}
		if i%half != 0 {
			SHRQ(Imm(uint64(k.width())), bits)
		}
		mask, t := Op(reg.K1), k.regs[tempReg+i%4]
		KMOVW(bits.As32(), mask)
		o.term(k, k.at(k.x, i), k.at(k.y, i), k.regs[absMaskReg], t, mask)
		k.add(t, k.acc(i), mask, k.acc(i))
	}
}

// addRestInFrame adds vector after vector, then the terms of a partial vector
// with −0 beyond them.
func (k kernel) addRestInFrame(o op) {
	for i := range k.accs() {
		k.move(k.acc(i), k.slot(i))
	}
	negZero, mask, absMask := k.constant(negZeroReg, k.sign), k.regs[maskReg], Op(nil)
	if o.name == "asum" {
		absMask = k.constant(absMaskReg, ^k.sign)
	}
	x, y, t := k.regs[tempReg], k.regs[tempReg+1], k.regs[tempReg+2]
	vector, masks := GP64(), GP64()
	XORL(vector.As32(), vector.As32())
	here := func(base reg.Register) Mem { return Mem{Base: base, Index: vector, Scale: 1} }

	Label(o.name + "Vector")
	SUBQ(Imm(uint64(k.width())), k.rem)
	JLT(LabelRef(o.name + "Partial"))
	o.term(k, here(k.x), here(k.y), absMask, t)
	k.add(k.frame.Idx(vector, 1), t, t)
	k.move(t, k.frame.Idx(vector, 1))
	ADDQ(Imm(uint64(k.bytes)), vector)
	JMP(LabelRef(o.name + "Vector"))

	Label(o.name + "Partial")
	ADDQ(Imm(uint64(k.width())), k.rem)
	JZ(LabelRef(o.name + "Reload"))
	LEAQ(maskTable(), masks)
	SHLQ(Imm(log2(k.size)), k.rem)
	SUBQ(k.rem, masks)
	k.move(Mem{Base: masks, Disp: k.bytes}, mask)
	k.maskLoad(here(k.x), mask, x)
	if o.name == "dot" {
		k.maskLoad(here(k.y), mask, y)
	}
	o.term(k, x, y, absMask, t)
	k.blend(mask, t, negZero, t)
	k.add(k.frame.Idx(vector, 1), t, t)
	k.move(t, k.frame.Idx(vector, 1))

	Label(o.name + "Reload")
	for i := range k.accs() {
		k.move(k.slot(i), k.acc(i))
	}
}

var table *Mem

// maskTable is 32 bytes of ones and 32 of zeros.
func maskTable() Mem {
	if table == nil {
		m := GLOBL("orderedMasks", attr.RODATA|attr.NOPTR)
		for i := range 8 {
			ones := ^uint64(0)
			if i >= 4 {
				ones = 0
			}
			DATA(8*i, U64(ones))
		}
		table = &m
	}
	return *table
}

// merge adds to the accumulators every level of the stack whose bit is set.
func (k kernel) merge() {
	stack, levels := Load(Param("stack"), GP64()), Load(Param("levels"), GP64())
	Label("level")
	TESTQ(levels, levels)
	JZ(LabelRef("merged"))
	SHRQ(Imm(1), levels)
	JCC(LabelRef("next"))
	for i := range k.accs() {
		k.add(k.at(stack, i), k.acc(i), k.acc(i))
	}
	Label("next")
	ADDQ(I32(rowBytes), stack)
	JMP(LabelRef("level"))
	Label("merged")
}

// finish writes the accumulators to dst, or halves them until one lane is left.
func (k kernel) finish() {
	dst := Load(Param("dst"), GP64())
	TESTQ(dst, dst)
	JZ(LabelRef("halve"))
	for i := range k.accs() {
		k.move(k.acc(i), k.at(dst, i))
	}
	VZEROUPPER()
	RET()

	Label("halve")
	for h := k.accs() / 2; h > 0; h /= 2 {
		for i := range h {
			k.add(k.acc(h+i), k.acc(i), k.acc(i))
		}
	}
	if !k.narrow() {
		VEXTRACTF64X4(Imm(1), reg.Z0, reg.Y1)
		k.add(reg.Y1, reg.Y0, reg.Y0)
	}
	VEXTRACTF128(Imm(1), reg.Y0, reg.X1)
	k.add(reg.X1, reg.X0, reg.X0)
	VPERMILPD(Imm(1), reg.X0, reg.X1)
	if k.size == 4 {
		k.add(reg.X1, reg.X0, reg.X0)
		VMOVSHDUP(reg.X0, reg.X1)
	}
	k.addScalar(reg.X1, reg.X0, reg.X0)
	Store(reg.X0, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
