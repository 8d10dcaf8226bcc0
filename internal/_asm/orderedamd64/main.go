// Command orderedamd64 writes internal/kernel's OrderedBlock kernels for amd64:
// the inner loops of package ordered with AVX2 and AVX-512.
//
// # Contract
//
//	func(op uint64, x, y *T, n int, stack *T, levels uint64, dst *T) T
//
// A kernel adds one block by lanes, L = 64 of float64 or 128 of float32. With
// the terms t[k] = x[k], x[k]⊗y[k], |x[k]| or x[k]⊗x[k] for op = 0, 1, 2, 3,
// its summation tree is
//
//	lane(i) = ((−0 ⊕ t[i]) ⊕ t[i+L]) ⊕ t[i+2L] ⊕ …       for i + jL < n
//	lane(i) = lane(i) ⊕ stack[l·L + i]                    for each bit l of levels, ascending
//	half(i) = lane(i) ⊕ lane(i + L/2), then L/4, …, 1     unless dst is given
//
// every operation rounded to nearest, products not fused. With dst the lanes
// are stored there and the result means nothing; dst may be a row of the stack
// that levels leaves out. Otherwise the result is half(0). Any alignment; no
// byte outside of x[:n], y[:n] (op 1) and the named rows is read or written.
//
//	func(op uint64, x, y *T, n int) T
//
// orderedShort is that without a stack and dst, for 1 ≤ n ≤ L.
//
// # Method
//
// A row is 512 bytes, one summand for each lane: eight registers of AVX-512 and
// all sixteen of AVX2. With AVX2 some operations need registers besides the
// accumulators. They move one or two accumulators into the frame, where their
// additions, once a row, keep up with the loads.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// format is an element type and the instructions for it.
type format struct {
	size          int
	sign          uint64 // −0, as often as it fits
	add, mul, and func(...Op)
	move          func(...Op)
	moveZero      func(mem, mask, dst Op) // clears the elements that its mask leaves out
	addScalar     func(...Op)
	maskLoad      func(mem, mask, dst Op)
	blend         func(mask, yes, no, dst Op)

	broadcastInt, greaterInt func(...Op) // of integers as long as elements
}

var formats = []format{
	{8, 1 << 63, VADDPD, VMULPD, VANDPD, VMOVUPD, VMOVUPD_Z, VADDSD, VMASKMOVPD, VBLENDVPD,
		VPBROADCASTQ, VPCMPGTQ},
	{4, 1<<63 | 1<<31, VADDPS, VMULPS, VANDPS, VMOVUPS, VMOVUPS_Z, VADDSS, VMASKMOVPS, VBLENDVPS,
		VPBROADCASTD, VPCMPGTD},
}

// op is an operation. term leaves the terms of the vectors at x and y in t,
// with a mask only the terms of its elements; absMask and t are registers.
type op struct {
	name  string // a label
	frame int    // accumulators that AVX2 keeps in the frame
	term  func(k kernel, x, y, absMask, t Op, mask ...Op)
}

var ops = []op{
	gen.OrderedSum: {gen.OrderedOps[gen.OrderedSum], 0,
		func(k kernel, x, y, absMask, t Op, mask ...Op) {
			k.load(x, t, mask)
		}},
	gen.OrderedDot: {gen.OrderedOps[gen.OrderedDot], 1,
		func(k kernel, x, y, absMask, t Op, mask ...Op) {
			k.load(x, t, mask)
			k.mul(append([]Op{y, t}, append(mask, t)...)...)
		}},
	gen.OrderedAsum: {gen.OrderedOps[gen.OrderedAsum], 2,
		func(k kernel, x, y, absMask, t Op, mask ...Op) {
			k.and(append([]Op{x, absMask}, append(mask, t)...)...)
		}},
	gen.OrderedSquares: {gen.OrderedOps[gen.OrderedSquares], 1,
		func(k kernel, x, y, absMask, t Op, mask ...Op) {
			k.load(x, t, mask)
			k.mul(t, t, t)
		}},
}

// load moves a vector to t, with a mask only its elements.
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
	gen.Set
	x, y, rows, rem reg.Register
	frame           Mem // of the lanes, for AVX2
}

func (k kernel) width() int { return k.Bytes / k.size } // elements of a register
func (k kernel) lanes() int { return gen.OrderedRowBytes / k.size }
func (k kernel) accs() int  { return gen.OrderedRowBytes / k.Bytes }

func (k kernel) reg(i int) reg.VecPhysical    { return k.Physical(16)[i] }
func (k kernel) acc(i int) Op                 { return k.reg(i) }
func (k kernel) slot(i int) Mem               { return k.frame.Offset(i * k.Bytes) }
func (k kernel) at(b reg.Register, i int) Mem { return Mem{Base: b, Disp: i * k.Bytes} }

// Registers besides the accumulators. With AVX2 they are free while the
// accumulators are in the frame.
const (
	tempReg    = 8
	negZeroReg = 13
	absMaskReg = 14
	maskReg    = 15 // AVX2's mask of elements
)

func main() {
	ConstraintExpr("!purego")
	for _, set := range []gen.Set{gen.AVX512, gen.AVX2} {
		for _, f := range formats {
			write(kernel{format: f, Set: set})
			if !set.Wide {
				writeShort(kernel{format: f, Set: set})
			}
		}
	}
	Generate()
}

// write writes the function.
func write(k kernel) {
	attributes := attr.NOSPLIT
	if !k.Wide {
		attributes = 0 // its frame needs a stack check
	}
	name := gen.Stub("orderedBlock", k.size, k.Level)
	gen.Begin(name, attributes, "func"+gen.OrderedSignature(k.size),
		name+" "+gen.OrderedDoc(k.size, k.Level, "orderedamd64"))
	if !k.Wide {
		k.frame = AllocLocal(gen.OrderedRowBytes)
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
	SHRQ(Imm(uint64(gen.Log2(k.lanes()))), k.rows)
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

// constant fills register r with a pattern.
func (k kernel) constant(r int, pattern uint64) Op {
	v, t := k.reg(r), GP64()
	MOVQ(U64(pattern), t)
	VMOVQ(t, v.(reg.Vec).AsX())
	VPBROADCASTQ(v.(reg.Vec).AsX(), v)
	return v
}

// addRows adds all full rows to the accumulators.
func (k kernel) addRows(o op) {
	inFrame, absMask := 0, Op(nil)
	if !k.Wide {
		inFrame = o.frame
	}
	inRegs := k.accs() - inFrame
	temp := func(i int) Op { return k.reg(tempReg + i%4) }
	if !k.Wide {
		temp = func(int) Op { return k.reg(maskReg) }
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
	ADDQ(I32(gen.OrderedRowBytes), k.x)
	if o.name == "dot" {
		ADDQ(I32(gen.OrderedRowBytes), k.y)
	}
	DECQ(k.rows)
	JNZ(LabelRef(o.name + "Rows"))
	Label(o.name + "Rest")
	for i := inRegs; i < k.accs(); i++ {
		k.move(k.slot(i), k.acc(i))
	}
}

// addToSlot adds a vector to accumulator i, which is in the frame.
func (k kernel) addToSlot(o op, i int, absMask, t Op) {
	o.term(k, k.at(k.x, i), k.at(k.y, i), absMask, t)
	k.add(k.slot(i), t, t)
	k.move(t, k.slot(i))
}

// addRest adds a partial last row.
func (k kernel) addRest(o op) {
	TESTQ(k.rem, k.rem)
	JZ(LabelRef("added"))
	if !k.Wide {
		k.addRestInFrame(o)
	} else {
		k.addRestMasked(o)
	}
	if o.name != ops[len(ops)-1].name {
		JMP(LabelRef("added"))
	}
}

// addRestMasked adds every vector of the row, masking the elements beyond the
// end.
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
		mask, t := Op(reg.K1), k.reg(tempReg+i%4)
		KMOVW(bits.As32(), mask)
		o.term(k, k.at(k.x, i), k.at(k.y, i), k.reg(absMaskReg), t, mask)
		k.add(t, k.acc(i), mask, k.acc(i))
	}
}

// addRestInFrame adds vector by vector, and to the lanes beyond the end −0.
func (k kernel) addRestInFrame(o op) {
	for i := range k.accs() {
		k.move(k.acc(i), k.slot(i))
	}
	negZero, mask, absMask := k.constant(negZeroReg, k.sign), k.reg(maskReg), Op(nil)
	if o.name == "asum" {
		absMask = k.constant(absMaskReg, ^k.sign)
	}
	x, y, t := k.reg(tempReg), k.reg(tempReg+1), k.reg(tempReg+2)
	vector, masks := GP64(), GP64()
	XORL(vector.As32(), vector.As32())
	here := func(base reg.Register) Mem { return Mem{Base: base, Index: vector, Scale: 1} }

	Label(o.name + "Vector")
	SUBQ(Imm(uint64(k.width())), k.rem)
	JLT(LabelRef(o.name + "Partial"))
	o.term(k, here(k.x), here(k.y), absMask, t)
	k.add(k.frame.Idx(vector, 1), t, t)
	k.move(t, k.frame.Idx(vector, 1))
	ADDQ(Imm(uint64(k.Bytes)), vector)
	JMP(LabelRef(o.name + "Vector"))

	Label(o.name + "Partial")
	ADDQ(Imm(uint64(k.width())), k.rem)
	JZ(LabelRef(o.name + "Reload"))
	LEAQ(gen.MaskTable(), masks)
	SHLQ(Imm(uint64(gen.Log2(k.size))), k.rem)
	SUBQ(k.rem, masks)
	k.move(Mem{Base: masks, Disp: gen.MaskMiddle}, mask)
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

// merge adds to the accumulators every row of the stack whose bit of levels is
// set.
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
	ADDQ(I32(gen.OrderedRowBytes), stack)
	JMP(LabelRef("level"))
	Label("merged")
}

// finish writes the accumulators to dst, or halves them until one lane is left
// and returns it.
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
	k.halveLanes()
}

// halveLanes halves the lanes of the first accumulator until one is left, and
// returns it.
func (k kernel) halveLanes() {
	if k.Wide {
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
