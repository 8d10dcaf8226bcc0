package main

import (
	"fmt"
	"slices"
)

// Instructions of amd64 on one float64. Their operands are b, a, result.
var (
	callTwo = map[op]string{
		add: "VADDSD", sub: "VSUBSD", mul: "VMULSD", div: "VDIVSD", minf: "VMINSD", maxf: "VMAXSD",
	}
	// callWhole are instructions on whole registers, whose memory operands have
	// 16 bytes.
	callWhole = map[op]string{
		and: "VPAND", or: "VPOR", xor: "VPXOR",
		vadd: "VPADDQ", vsub: "VPSUBQ",
		sgt: "VPCMPGTQ", ieq: "VPCMPEQQ", both: "VPAND", either: "VPOR",
	}
	callGeneralTwo = map[op]string{
		iadd: "ADDQ", isub: "SUBQ", and: "ANDQ", or: "ORQ", xor: "XORQ",
		shl: "SHLQ", shr: "SHRQ", sar: "SARQ",
	}
	callFused = map[op]string{mulAdd: "VFMADD", mulSub: "VFMSUB", subMul: "VFNMADD"}
)

// compute writes the instructions of a node.
func (c *call) compute(n *node) {
	c.pinned = map[int]bool{}
	switch {
	case n.op == argBits:
		c.Ins("MOVL %s, %s", c.memory(n), c.takeGeneral(n))
		c.done()
	case n.op == argument && c.single:
		c.done()
		c.Ins("VCVTSS2SD %s, X15, X%d", c.memory(n), c.take(n))
	case n.op == argument:
		c.now++ // loaded where it is needed
	case n.op == column:
		c.row(n)
	case n.op == choose:
		c.choose(n)
	case c.isGeneral(n):
		c.computeGeneral(n)
	case n.op == ult:
		c.below(n)
	case len(n.args) == 3:
		c.fused(n)
	case len(n.args) == 2:
		c.binary(n)
	default:
		c.unary(n)
	}
}

// row prepares the loads of a column, which come where it is needed.
func (c *call) row(n *node) {
	c.integer(n.args[0])
	if _, ok := c.tables[n.table]; !ok {
		c.tables[n.table] = c.takeGeneral(n)
		delete(c.general, n)
		c.Ins("LEAQ ·%s(SB), %s", n.table, c.tables[n.table])
	}
	c.done()
}

// unary writes an operation of one operand.
func (c *call) unary(n *node) {
	if n.op == toF {
		from := c.integer(n.args[0])
		c.done()
		c.Ins("VCVTSI2SDQ %s, X15, X%d", from, c.take(n))
		return
	}
	a := c.register(n.args[0])
	c.done()
	r := c.take(n)
	switch n.op {
	case sqrt:
		c.Ins("VSQRTSD X%d, X%d, X%d", a, a, r)
	case vshl:
		c.Ins("VPSLLQ $%d, X%d, X%d", n.n, a, r)
	case same:
		c.Ins("VMOVAPD X%d, X%d", a, r)
	case not:
		c.Ins("VPXOR %s, X%d, X%d", c.memory(&node{op: constant, bits: 1<<64 - 1}), a, r)
	default:
		panic(fmt.Sprintf("a call has no %s", n.op))
	}
}

// computeGeneral writes an operation on integers. The result replaces the first
// operand, or a copy.
func (c *call) computeGeneral(n *node) {
	x := n.args[0]
	a, b := c.integer(x), fmt.Sprintf("$%d", n.n)
	if len(n.args) == 2 {
		y := n.args[1]
		_, held := c.general[y]
		switch {
		case n.op == imin || n.op == imax:
			b = c.integer(y)
		case !held && isImmediate(y):
			b = fmt.Sprintf("$%d", int64(y.bits))
		case !held && c.isLoaded(y):
			b = c.memory(y)
		default:
			b = c.integer(y)
		}
	}
	r := a
	if !c.isLast(x) || len(n.args) == 2 && x == n.args[1] {
		r = c.takeGeneral(n)
		if n.op == iadd && b[0] == '$' {
			c.Ins("LEAQ %s(%s), %s", b[1:], a, r)
			c.done()
			return
		}
		c.Ins("MOVQ %s, %s", a, r)
	}
	delete(c.general, n)
	switch n.op {
	case tri:
		c.Ins("LEAQ (%s)(%s*2), %s", r, r, r)
	case imin:
		c.Ins("CMPQ %s, %s", r, b)
		c.Ins("CMOVQGT %s, %s", b, r)
	case imax:
		c.Ins("CMPQ %s, %s", r, b)
		c.Ins("CMOVQLT %s, %s", b, r)
	default:
		c.Ins("%s %s, %s", callGeneralTwo[n.op], b, r)
	}
	c.done()
	c.general[n] = r
}

// below writes the mask of a comparison of unsigned integers.
func (c *call) below(n *node) {
	a, b := c.integer(n.args[0]), c.integer(n.args[1])
	r := c.takeGeneral(n)
	c.Ins("CMPQ %s, %s", a, b)
	c.Ins("SBBQ %s, %s", r, r)
	c.done()
}

// second returns an instruction's second operand: a register, or memory that
// holds as many bytes as the instruction reads.
func (c *call) second(n *node, whole bool) string {
	_, held := c.where[n]
	if held || !c.isLoaded(n) || whole && n.op != constant {
		return fmt.Sprintf("X%d", c.register(n))
	}
	return c.memory(n)
}

// binary writes an operation of two operands.
func (c *call) binary(n *node) {
	name, scalar := callTwo[n.op]
	if !scalar {
		name = callWhole[n.op]
	}
	x, y := n.args[0], n.args[1]
	_, inX := c.where[x]
	_, inY := c.where[y]
	if n.commutes() && !inX && inY {
		x, y = y, x
	}
	a := c.register(x)
	b := c.second(y, !scalar)
	c.done()
	r := c.take(n)
	if p, ok := floats[n.op]; ok {
		c.Ins("VCMPSD $%d, %s, X%d, X%d", p, b, a, r)
		return
	}
	if name == "" {
		panic(fmt.Sprintf("a call has no %s", n.op))
	}
	c.Ins("%s %s, X%d, X%d", name, b, a, r)
}

// choose writes a choice between two numbers.
func (c *call) choose(n *node) {
	t, b := c.register(n.args[0]), c.register(n.args[2])
	a := c.register(n.args[1])
	c.done()
	c.Ins("VBLENDVPD X%d, X%d, X%d, X%d", t, a, b, c.take(n))
}

// fused writes a fused operation. The result replaces an operand: one that is
// not needed any more, or a copy. One of the others may be in memory, except an
// argument: go vet takes the names of these instructions for those on bytes.
func (c *call) fused(n *node) {
	inMemory, place := -1, -1
	for i, a := range n.args {
		_, held := c.where[a]
		again := slices.Contains(n.args[i+1:], a) || slices.Contains(n.args[:i], a)
		if !held && c.isLoaded(a) && a.op != argument && !again {
			inMemory = i
			break
		}
	}
	var at [3]int
	for i, a := range n.args {
		if i == inMemory {
			continue
		}
		_, held := c.where[a]
		at[i] = c.register(a)
		if !held && c.isLoaded(a) || c.isLast(a) {
			place = i
		}
	}
	if place < 0 {
		place = 2
		if inMemory == 2 {
			place = 0
		}
		r := c.take(nil)
		c.Ins("VMOVAPD X%d, X%d", at[place], r)
		at[place] = r
	}
	operand := func(i int) string {
		if i == inMemory {
			return c.memory(n.args[i])
		}
		return fmt.Sprintf("X%d", at[i])
	}
	// 132 is dst·b + a, 213 is a·dst + b, and 231 is a·b + dst.
	form, b, a := "231", 1, 0
	switch {
	case place == 2 && inMemory == 0:
		b, a = 0, 1
	case place == 2:
	case inMemory == 1-place:
		form, b, a = "132", 1-place, 2
	default:
		form, b, a = "213", 2, 1-place
	}
	text := fmt.Sprintf("%s%sSD %s, X%d, X%d", callFused[n.op], form, operand(b), at[a], at[place])
	delete(c.where, c.held[at[place]])
	c.done()
	c.give(at[place], n)
	c.Ins("%s", text)
}

// loadOperands loads the operands of the jump for a truth. The code may skip
// parts of the truth, but every path continues with the same registers.
func (c *call) loadOperands(t *node) {
	switch {
	case t.op == both || t.op == either || t.op == not:
		for _, a := range t.args {
			c.loadOperands(a)
		}
	case isMaskTest(t):
		c.integer(t.args[0].args[0])
	case t.op == ult || t.op == sgt || t.op == ieq:
		c.integer(t.args[0])
		c.compared(t.args[1])
	default:
		c.register(t.args[1])
		c.second(t.args[0], false)
	}
}

// compared returns the second operand of a comparison of integers.
func (c *call) compared(n *node) string {
	if _, held := c.general[n]; !held && n.op == constant {
		if isImmediate(n) {
			return fmt.Sprintf("$%d", int64(n.bits))
		}
		return c.memory(n)
	}
	return c.integer(n)
}

// jump writes a jump to a label where a truth holds, or where it does not.
func (c *call) jump(t *node, holds bool, label string) {
	switch {
	case t.op == not:
		c.jump(t.args[0], !holds, label)
	case t.op == ne:
		c.jump(&node{op: eq, args: t.args}, !holds, label)
	case t.op == both && !holds || t.op == either && holds:
		c.jump(t.args[0], holds, label)
		c.jump(t.args[1], holds, label)
	case t.op == both || t.op == either:
		c.skipLabel++
		skip := fmt.Sprintf("skip%d", c.skipLabel)
		c.jump(t.args[0], !holds, skip)
		c.jump(t.args[1], holds, label)
		c.Label(skip)
	case isMaskTest(t):
		mask := t.args[0].args
		c.Ins("TESTQ $%d, %s", int64(mask[1].bits), c.integer(mask[0]))
		c.Ins("%s %s", callJumps[ieq][holds], label)
	case t.op == lt || t.op == le || t.op == eq:
		c.compareJump(t, holds, label)
	case t.op == ult || t.op == sgt || t.op == ieq:
		c.Ins("CMPQ %s, %s", c.integer(t.args[0]), c.compared(t.args[1]))
		c.Ins("%s %s", callJumps[t.op][holds], label)
	default:
		panic(fmt.Sprintf("a call cannot jump by %s", t.op))
	}
}

// callJumps are jumps where a comparison of integers holds, or does not.
var callJumps = map[op]map[bool]string{
	ult: {true: "JCS", false: "JCC"},
	sgt: {true: "JGT", false: "JLE"},
	ieq: {true: "JEQ", false: "JNE"},
}

// compareJump is jump for a comparison of float64. VUCOMISD a, b compares b
// with a, and finds numbers that are not ordered below and equal.
func (c *call) compareJump(t *node, holds bool, label string) {
	b := c.register(t.args[1])
	c.Ins("VUCOMISD %s, X%d", c.second(t.args[0], false), b)
	switch {
	case t.op == lt && holds:
		c.Ins("JHI %s", label)
	case t.op == lt:
		c.Ins("JLS %s", label)
	case t.op == le && holds:
		c.Ins("JCC %s", label)
	case t.op == le:
		c.Ins("JCS %s", label)
	case holds:
		c.skipLabel++
		c.Ins("JPS skip%d", c.skipLabel)
		c.Ins("JEQ %s", label)
		c.Label(fmt.Sprintf("skip%d", c.skipLabel))
	default:
		c.Ins("JNE %s", label)
		c.Ins("JPS %s", label)
	}
}
