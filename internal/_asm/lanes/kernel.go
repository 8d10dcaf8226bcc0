package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// kernel writes one function, and returns its size in words.
func kernel(set gen.Set, l lane, constants *pool) (size string) {
	p := l.order()
	if !l.single {
		p.splitLast()
	}
	m := &machine{
		Set: set, lane: l, regs: set.Physical(16), allocation: newAllocation(),
		pool: constants, future: future{uses: p.uses()}, saved: map[*node]Mem{},
	}
	if set.Wide {
		m.regs = set.Physical(32)
	}
	name := l.stub(set.Level)
	gen.Begin(name, 0, l.signature(),
		fmt.Sprintf("%s computes %s of 1 to 64 elements. Bit i of fails, i < n,\n"+
			"is set where dst[i] has no result; it is left as it was.", name, l.name))
	m.prologue(l.arity)
	Label("start")
	XORQ(offset, offset)
	Label("loop")
	for _, n := range p.always {
		m.compute(n)
	}
	var others allocation
	if p.skips {
		others = m.skip(p.conditions())
	}
	for _, n := range p.often {
		m.compute(n)
	}
	tail := m.now
	m.tail(p, "after")
	Label("next")
	ADDQ(U8(m.stride()), offset)
	CMPQ(offset, whole)
	JLT(LabelRef("loop"))
	m.epilogue(l.arity)
	if p.skips {
		Label("others")
		m.now, m.allocation = tail, others
		m.pretend(p.last)
		m.tail(p, "other")
		JMP(LabelRef("next"))
	}
	m.allocateSlots()
	total := len(p.always) + len(p.often)
	for _, b := range p.branches {
		total += len(b.body)
	}
	return fmt.Sprintf("%d operations, %d of them always, %d often, %d spilled", total,
		len(p.always), len(p.often), m.spills)
}

// tail writes the branches, with labels of that name, and the end of a turn of
// the loop.
func (m *machine) tail(p program, label string) {
	for i, b := range p.branches {
		m.branch(fmt.Sprintf("%s%d", label, i), b, p.last)
	}
	m.finish(p.last)
}

// skip writes a jump to the code without the last region, where the conditions
// of other regions hold in all lanes. It returns the allocation there.
func (m *machine) skip(conditions []*node) allocation {
	m.pinned = map[int]bool{}
	if m.Wide {
		k := m.truth(conditions[0])
		for _, c := range conditions[1:] {
			t := m.mask(nil)
			KORB(k, m.truth(c), t)
			k = t
		}
		KORTESTB(k, k)
		JCS(LabelRef("others"))
	} else {
		c := m.register(conditions[0])
		for _, d := range conditions[1:] {
			t := m.take(nil)
			VPOR(c, m.register(d), t)
			c = t
		}
		VMOVMSKPD(c, scratch.As32())
		CMPL(scratch.As32(), U8(1<<m.Lanes()-1))
		JEQ(LabelRef("others"))
	}
	m.now++
	m.release()
	return m.clone()
}

// pretend gives registers to the results of the last region where it is not
// computed. The branches replace them in all lanes.
func (m *machine) pretend(last region) {
	m.pinned = map[int]bool{}
	m.release()
	if !m.have(last.value) {
		m.take(last.value)
	}
	if _, ok := m.where[last.ok]; ok || m.have(last.ok) {
		return
	}
	if m.Wide {
		m.mask(last.ok)
	} else {
		m.take(last.ok)
	}
}

// stub returns the name of a kernel: the function's, without Lane, format and
// level.
func (l lane) stub(level string) string {
	operation := strings.TrimSuffix(l.name, "Lane")
	return gen.Stub(strings.ToLower(operation[:1])+operation[1:], l.size(), level)
}

// signature returns the type of the lane's kernels.
func (l lane) signature() string {
	params := "x"
	if l.arity == 2 {
		params = "x, y"
	}
	return fmt.Sprintf("func(dst, %s *%s, n int) (fails uint64)", params, gen.Float(l.size()))
}

// branch writes the code for a condition that holds in some lane: there the
// value and ok of the branch replace the value and ok of the last region.
func (m *machine) branch(label string, b branch, last region) {
	m.pinned = map[int]bool{}
	if m.Wide {
		k := m.truth(b.cond)
		KORTESTB(k, k)
	} else {
		c := m.register(b.cond)
		VPTEST(c, c)
	}
	// The values that the branch changes in place are in registers on both
	// sides of it.
	value := m.register(last.value)
	m.fixed = map[int]bool{m.where[last.value]: true}
	delete(m.slot, last.value)
	var ok reg.VecPhysical
	if !m.Wide {
		ok = m.register(last.ok)
		m.fixed[m.where[last.ok]] = true
		delete(m.slot, last.ok)
	}
	JEQ(LabelRef(label))
	old := m.clone()
	for _, n := range b.body {
		if slices.Contains(n.args, last.value) || slices.Contains(n.args, last.ok) {
			panic(fmt.Sprintf("%v needs the value that its branch changes", n))
		}
		m.compute(n)
	}
	m.pinned = map[int]bool{}
	if m.Wide {
		k, good, t := m.truth(b.cond), m.truth(last.ok), m.mask(nil)
		VMOVAPD(m.register(b.value), k, value)
		KANDB(k, m.truth(b.ok), t)
		KANDNB(good, k, good)
		KORB(t, good, good)
	} else {
		c := m.register(b.cond)
		VBLENDVPD(c, m.register(b.value), value, value)
		VBLENDVPD(c, m.register(b.ok), ok, ok)
	}
	m.now++
	m.fixed = nil
	m.restore(old)
	Label(label)
}

// finish stores the value where ok holds, and collects where it does, with the
// latest vector's in the highest bits.
func (m *machine) finish(last region) {
	m.pinned = map[int]bool{}
	out := Mem{Base: dst, Index: offset, Scale: 1}
	switch {
	case m.Wide:
		k, v := m.truth(last.ok), m.register(last.value)
		if m.single {
			narrow := m.take(nil).AsY()
			VCVTPD2PS(v, narrow)
			VMOVUPS(narrow, k, out)
		} else {
			VMOVUPD(v, k, out)
		}
		KMOVB(k, scratch.As32())
	case m.single:
		ok, v := m.register(last.ok), m.register(last.value)
		high, old := m.take(nil).AsX(), m.take(nil).AsX()
		VMOVMSKPD(ok, scratch.As32())
		VEXTRACTF128(U8(1), ok, high)
		VSHUFPS(U8(0x88), high, ok.AsX(), high)
		VCVTPD2PSY(v, v.AsX())
		VMOVUPS(out, old)
		VBLENDVPS(high, v.AsX(), old, old)
		VMOVUPS(old, out)
	default:
		ok, v := m.register(last.ok), m.register(last.value)
		old := m.take(nil)
		VMOVUPD(out, old)
		VBLENDVPD(ok, v, old, old)
		VMOVUPD(old, out)
		VMOVMSKPD(ok, scratch.As32())
	}
	SHLQ(U8(64-m.Lanes()), scratch)
	SHRQ(U8(m.Lanes()), stored)
	ORQ(scratch, stored)
}

// prologue loads the arguments, and counts the bytes of the full vectors and of
// the partial one.
func (m *machine) prologue(arity int) {
	Load(Param("dst"), dst)
	for i, name := range []string{"x", "y"}[:arity] {
		Load(Param(name), args[i])
	}
	Load(Param("n"), whole)
	SHLQ(U8(bits.Len(uint(m.size()))-1), whole)
	MOVQ(whole, rest)
	ANDQ(U8(m.stride()-1), rest)
	SUBQ(rest, whole)
	XORQ(stored, stored)
	m.frame, m.left = AllocLocal(m.Bytes*(arity+1)), AllocLocal(8)
	MOVQ(rest, m.left)
	m.alignSlots()
	TESTQ(whole, whole)
	JEQ(LabelRef("left"))
}

// epilogue ends the loop. It copies the partial vector to the frame, with zeros
// behind it, lets the loop compute that, and copies the results back.
func (m *machine) epilogue(arity int) {
	Label("left")
	MOVQ(m.left, rest)
	TESTQ(rest, rest)
	JEQ(LabelRef("end"))
	pointers := append([]reg.GPPhysical{dst}, args[:arity]...)
	zero := m.take(nil)
	VPXOR(zero.AsX(), zero.AsX(), zero.AsX())
	for i, p := range pointers {
		VMOVUPD(zero.AsY(), m.frame.Offset(m.Bytes*i))
		if m.Wide {
			VMOVUPD(zero.AsY(), m.frame.Offset(m.Bytes*i+32))
		}
		ADDQ(whole, p)
	}
	XORQ(offset, offset)
	Label("in")
	for i, p := range pointers {
		LEAQ(m.frame.Offset(m.Bytes*i), base)
		m.copy(Mem{Base: p, Index: offset, Scale: 1}, Mem{Base: base, Index: offset, Scale: 1})
	}
	ADDQ(U8(m.size()), offset)
	CMPQ(offset, rest)
	JLT(LabelRef("in"))
	for i, p := range pointers {
		LEAQ(m.frame.Offset(m.Bytes*i), p)
	}
	MOVQ(U32(m.stride()), whole)
	MOVQ(U32(0), m.left)
	JMP(LabelRef("start"))

	Label("end")
	VZEROUPPER()
	Load(Param("n"), whole)
	MOVQ(whole, rest)
	ANDQ(U8(m.Lanes()-1), rest)
	JEQ(LabelRef("whole"))
	SUBQ(rest, whole)
	Load(Param("dst"), base)
	LEAQ(Mem{Base: base, Index: whole, Scale: uint8(m.size())}, base)
	XORQ(offset, offset)
	Label("out")
	size := uint8(m.size())
	m.copy(Mem{Base: dst, Index: offset, Scale: size}, Mem{Base: base, Index: offset, Scale: size})
	INCQ(offset)
	CMPQ(offset, rest)
	JLT(LabelRef("out"))
	ADDQ(U8(m.Lanes()), whole)
	Label("whole")
	// Shift the first bit to bit 0: by 64 less the lanes of all vectors.
	NEGQ(whole)
	SHRQ(reg.CL, stored)
	NOTQ(stored)
	Store(stored, ReturnIndex(0))
	RET()
}

// copy copies one element.
func (m *machine) copy(from, to Mem) {
	if m.single {
		MOVL(from, scratch.As32())
		MOVL(scratch.As32(), to)
	} else {
		MOVQ(from, scratch)
		MOVQ(scratch, to)
	}
}
